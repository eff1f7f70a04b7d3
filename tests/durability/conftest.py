"""Servers for these tests, as the store tests start them."""

from tests.stores.conftest import chroma_server, postgres_schema_url  # noqa: F401
