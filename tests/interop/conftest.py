"""What LlamaIndex's own tests need around them, they need here as well."""

from tests.llamaindex.loops import own_loop  # noqa: F401  # a fixture
