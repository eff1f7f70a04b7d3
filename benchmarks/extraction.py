"""Measures extraction on public conversational sets, through the product's own steps: extract, ground, screen, decide.

    python benchmarks/extraction.py DATA_FOLDER [--only NAME ...] [--limit N] [--show N]
    python benchmarks/extraction.py DATA_FOLDER --url http://127.0.0.1:8080/v1 --model NAME

DATA_FOLDER holds the sets as JSON Lines; they are not part of this repository and are never copied into it. Without
`--url` the offline extractor is measured. A set that is absent is said so. How things are matched stands in the table.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from extraction_matching import Measure
from extraction_pipeline import Pipeline
from extraction_sets import MEASURES

from hermes_core.catalogue import Catalogue
from hermes_core.embedding.default import DefaultEmbedder
from hermes_core.ports import Extractor


class Folder:
    """The data folder: rows of a set, at most `limit` of them, evenly spread."""

    def __init__(self, path: Path, limit: int) -> None:
        self.path, self.limit = path, limit

    def rows(self, name: str) -> list[dict]:
        file = self.path / f"{name}.jsonl"
        if not file.exists():
            raise FileNotFoundError(f"{file.name} is not in {self.path}")
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        if self.limit and len(rows) > self.limit:
            step = len(rows) / self.limit
            rows = [rows[int(i * step)] for i in range(self.limit)]
        return rows


def build_extractor(arguments: argparse.Namespace, embedder: DefaultEmbedder) -> Extractor:
    if not arguments.url:
        from hermes_core.extraction.local import LocalExtractor

        return LocalExtractor(Catalogue.default(), embedder)
    from hermes_core.extraction.model import ModelExtractor, OpenAICompatible

    server = OpenAICompatible(arguments.url, arguments.model, timeout=arguments.timeout)
    return ModelExtractor(server, name=arguments.model)


def table(measures: list[Measure]) -> str:
    lines = ["| measure | n | value | target | | matched by |", "|---|---|---|---|---|---|"]
    for m in measures:
        verdict = "" if m.ok is None else ("pass" if m.ok else "FAIL")
        lines.append(f"| {m.name} | {m.n} | {m.value:.3f} | {m.target} | {verdict} | {m.how} |")
    return "\n".join(lines)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help=f"sets: {', '.join(MEASURES)}")
    parser.add_argument("--limit", type=int, default=0, help="rows per set, 0 for all")
    parser.add_argument("--show", type=int, default=0, help="print so many misses per measure")
    parser.add_argument("--url", default="", help="an OpenAI-compatible server, to measure a model instead")
    parser.add_argument("--model", default="default")
    parser.add_argument("--timeout", type=float, default=120.0)
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    embedder = DefaultEmbedder()
    pipeline = Pipeline(build_extractor(arguments, embedder), embedder)
    folder = Folder(arguments.folder, arguments.limit)
    measures: list[Measure] = []
    for name, measure in MEASURES.items():
        if arguments.only and name not in arguments.only:
            continue
        started = time.perf_counter()
        try:
            found = measure(folder, pipeline)
        except FileNotFoundError as error:
            print(f"{name}: skipped, {error}", file=sys.stderr)
            continue
        measures += found
        print(f"{name}: {time.perf_counter() - started:.1f} s", file=sys.stderr)
        for one in found:
            for miss in one.misses[: arguments.show]:
                print(f"  [{one.name}] {miss}", file=sys.stderr)
    print(table(measures))
    print("\nreasons:", json.dumps(pipeline.reasons(), ensure_ascii=False))
    return 0 if all(m.ok is not False for m in measures) else 1


if __name__ == "__main__":
    sys.exit(main())
