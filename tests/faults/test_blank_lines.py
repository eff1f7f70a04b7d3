"""A wall of blank lines costs what its length costs: nobody's turn may hold up the others' (L3)."""

import subprocess
import sys

import pytest

READ = """
import sys
from tests.extraction.local.reading_helpers import extractor, turn
claims = extractor().extract([turn("I live in Rome." + sys.argv[1].encode().decode("unicode_escape") * 20000 + "My name is Ada.")], [])
print(sorted(claim.slot for claim in claims))
"""


@pytest.mark.parametrize("gap", [r"\n", r"\n ", r"\r\n", r"\n\t"])
def test_a_wall_of_blank_lines_is_read_through(gap: str) -> None:
    """Quadratic patterns took twenty minutes for it; the limit is there to end such a run."""
    done = subprocess.run([sys.executable, "-c", READ, gap], capture_output=True, text=True, timeout=60, check=True)
    assert "residence" in done.stdout, done.stderr  # what follows so far off is beyond what is read
