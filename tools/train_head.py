"""Trains hermes_core/extraction/data/head.npz from the sentences in tools/training. Run: python tools/train_head.py

Reads nothing but this project's own sentences; seeded, so that the same sentences give the same file.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hermes_core.catalogue import Catalogue
from hermes_core.embedding import DefaultEmbedder
from hermes_core.extraction.clauses import Clause, language_of
from hermes_core.extraction.head import CLASSES, CUES, cue_vector, softmax
from hermes_core.extraction.lexicon import load_lexicon
from hermes_core.extraction.reading import Reader, Reading
from hermes_core.items import Kind

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent / "training"
TARGET = Path(__file__).parent.parent / "hermes_core" / "extraction" / "data" / "head.npz"
FILLS = 4  # sentences drawn from one template with placeholders
MANY = 40  # ... from one with several of these open lists
_OPEN = ("{object}", "{natt}", "{att}")
SOME = 6  # ... from one with a list of what people do all day
_DAILY = ("{chore}", "{spot}", "{errand}", "{meal}", "{trifle}")
# Weight decay of the two layers; the first is the best of 2e-4, 6e-4 and 2e-3 by five-fold likelihood over templates.
CLASS_DECAY, SLOT_DECAY = 2e-3, 2e-5
SCALE = 12.0  # unit vectors have small components; folded into the weights afterwards
CENTRES = 3  # prototypes of a slot in one language
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def sentences(seed: int = 7) -> list[tuple[str, str, str]]:
    """(sentence, class, slot or "") from the training files and the catalogue's examples."""
    draw = random.Random(seed)
    fillers = tomllib.loads((HERE / "fillers.toml").read_text(encoding="utf-8"))
    rows: list[tuple[str, str, str]] = []
    for path in sorted(HERE.glob("*.txt")):
        label = slot = language = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.strip() or line.startswith("# "):
                continue
            if line.startswith("== "):
                label, slot, language = line[3:].split()
                continue
            for text in _filled(line.strip(), fillers[language], draw):
                rows.append((text, label, "" if slot == "-" else slot))
    rows.extend(_examples())
    rows.extend([(_expanded(t), label, slot) for t, label, slot in rows if _expanded(t) != t])
    return [*rows, *[(t.lower(), label, slot) for t, label, slot in rows if t != t.lower()]]


# Half of all people write "I am" and "do not"; the vectors of the two wordings differ.
_SHORT = (("can't", "cannot"), ("won't", "will not"), ("n't", " not"), ("'m ", " am "), ("'ve ", " have "), ("'ll ", " will "), ("'re ", " are "))  # fmt: skip


def _expanded(text: str) -> str:
    for short, full in _SHORT:
        text = text.replace(short, full)
    return text


def _filled(line: str, fillers: dict[str, list[str]], draw: random.Random) -> list[str]:
    if not _PLACEHOLDER.search(line):
        return [line]
    draws = MANY if any(o in line for o in _OPEN) else SOME if any(o in line for o in _DAILY) else FILLS
    out = {_PLACEHOLDER.sub(lambda m: draw.choice(fillers[m.group(1)]), line) for _ in range(draws)}
    return sorted(out)


def _examples() -> list[tuple[str, str, str]]:
    rows = []
    for slot in Catalogue.default():
        label = "event" if slot.kind in (Kind.EVENT, Kind.STATE) else "self"
        if slot.name.startswith("reply_") or slot.name in ("standing_instruction", "code_examples", "form_of_address"):
            label = "instruction"
        rows.extend((text, label, slot.name) for group in slot.examples.values() for text in group)
    return rows


def read(reader: Reader, text: str, label: str) -> Reading:
    mark = "?" if label == "question" and random.Random(text).random() < 0.5 else ""
    return reader.read(Clause(text, 0, len(text), 0, 0, language_of(text), mark))


def fit(inputs: Any, targets: Any, classes: int, decay: float, steps: int) -> tuple[Any, Any]:
    """Weights and bias of a softmax layer by full-batch Adam, classes balanced by the root of their size."""
    inputs = inputs.astype(np.float32)
    weights, bias = np.zeros((inputs.shape[1], classes), np.float32), np.zeros(classes, np.float32)
    counts = np.bincount(targets, minlength=classes)
    share = (1.0 / np.sqrt(np.maximum(counts, 1)))[targets]
    share = (share / share.sum())[:, None].astype(np.float32)
    goal = np.eye(classes, dtype=np.float32)[targets]
    moments = [np.zeros_like(weights), np.zeros_like(weights), np.zeros_like(bias), np.zeros_like(bias)]
    for step in range(1, steps + 1):
        error = (softmax(inputs @ weights + bias) - goal) * share
        gradients = (inputs.T @ error + decay * weights, error.sum(axis=0))
        for place, (parameter, gradient) in enumerate(zip((weights, bias), gradients, strict=True)):
            first, second = moments[2 * place], moments[2 * place + 1]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            rate = 0.03 * (1 - step / (steps + 1))
            parameter -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights, bias


def prototypes(vectors: Any, rows: Sequence[tuple[str, str, str]], names: Sequence[str]) -> tuple[Any, Any]:
    """Unit centres of each slot's sentences by language (k-means, at most CENTRES each), and the slot of each centre."""
    centres, owner = [], []
    for number, name in enumerate(names):
        for language in ("en", "zh"):
            mine = [i for i, (text, _, slot) in enumerate(rows) if slot == name and language_of(text) == language]
            for centre in _means(vectors[mine], min(CENTRES, max(1, len(mine) // 6))) if mine else ():
                centres.append(centre)
                owner.append(number)
    return np.asarray(centres), np.asarray(owner, dtype=np.int16)


def _means(points: Any, count: int) -> Any:
    chosen = points[np.linspace(0, len(points) - 1, count).astype(int)]
    for _ in range(15):
        nearest = (points @ chosen.T).argmax(axis=1)
        sums = [points[nearest == k].sum(axis=0) if (nearest == k).any() else chosen[k] for k in range(count)]
        chosen = np.stack([total / np.linalg.norm(total) for total in sums])
    return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", type=float, default=0.1, help="share of sentences kept for the printed check")
    parser.add_argument("--steps", type=int, default=200)
    options = parser.parse_args()
    rows = sentences()
    embedder, reader = DefaultEmbedder(), Reader(load_lexicon())
    readings = [read(reader, text, label) for text, label, _ in rows]
    vectors = np.concatenate(
        [embedder.embed([r.core for r in readings[i : i + 64]]) for i in range(0, len(readings), 64)]
    )
    cues = np.asarray([cue_vector(r) for r in readings])
    inputs = np.concatenate([vectors * SCALE, cues], axis=1)
    labels = np.asarray([CLASSES.index(label) for _, label, _ in rows])
    _check(inputs, labels, options)
    class_weights, class_bias = fit(inputs, labels, len(CLASSES), CLASS_DECAY, options.steps)
    class_weights[: vectors.shape[1]] *= SCALE
    names = Catalogue.default().names()
    slotted = [i for i, (_, _, slot) in enumerate(rows) if slot]
    slot_weights, slot_bias = fit(
        vectors[slotted] * SCALE,
        np.asarray([names.index(rows[i][2]) for i in slotted]),
        len(names),
        SLOT_DECAY,
        options.steps,
    )
    centres, owner = prototypes(vectors, rows, names)
    arrays: dict[str, Any] = {
        "centres": centres,
        "class_weights": class_weights,
        "class_bias": class_bias,
        "slot_weights": slot_weights * SCALE,
        "slot_bias": slot_bias,
    }
    np.savez_compressed(
        TARGET,
        embedder=np.asarray(embedder.name),
        classes=np.asarray(CLASSES),
        cues=np.asarray(CUES),
        slot_names=np.asarray(names),
        owner=owner,
        **{name: array.astype(np.float16) for name, array in arrays.items()},
    )
    print(f"{len(rows)} sentences, {TARGET.stat().st_size // 1024} KiB written to {TARGET}")


def _check(inputs: Any, labels: Any, options: argparse.Namespace) -> None:
    draw = np.random.default_rng(3)
    held = draw.random(len(labels)) < options.held_out
    weights, bias = fit(inputs[~held], labels[~held], len(CLASSES), CLASS_DECAY, options.steps)
    guess = (inputs[held] @ weights + bias).argmax(axis=1)
    for number, name in enumerate(CLASSES):
        mine = labels[held] == number
        print(f"{name:12s} held out {mine.sum():4d}  found {np.mean(guess[mine] == number):.2f}")


if __name__ == "__main__":
    main()
