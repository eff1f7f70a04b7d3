#!/usr/bin/env bash
# Tests the wrappers on the oldest frameworks that they promise to work with, in an environment of its own.
#
#   tools/floors.sh [pytest arguments]        # PYTHON=python3.11 and FLOORS=.venv-floors may be set
#
# The versions are the lower bounds of the extras [langchain] and [llamaindex] in pyproject.toml (a test compares them).
# Lower ones don't import: their own dependencies have no upper bounds.
set -euo pipefail
cd "$(dirname "$0")/.."

FLOORS="${FLOORS:-.venv-floors}"
VERSIONS=(
  langchain==1.2.18
  langchain-core==1.4.0
  langchain-classic==1.0.3
  langgraph==1.1.10
  llama-index-core==0.14.16
)

if [ ! -x "$FLOORS/bin/python" ]; then
  "${PYTHON:-python3}" -m venv "$FLOORS"
fi
"$FLOORS/bin/python" -m pip install --quiet --disable-pip-version-check -e '.[langchain,llamaindex]' \
  'pytest>=8.2' 'pytest-asyncio>=0.24' 'hypothesis>=6.100' 'langchain-tests>=1.1' "${VERSIONS[@]}"
"$FLOORS/bin/python" -m pip check

areas=()
for area in tests/langchain tests/llamaindex; do
  if [ -d "$area" ]; then areas+=("$area"); fi
done
exec "$FLOORS/bin/python" -m pytest -q -m 'not model and not nightly' "${areas[@]}" "$@"
