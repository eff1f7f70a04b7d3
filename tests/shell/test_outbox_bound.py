"""Law B for what waits for an index: in a store that keeps none, it has an end all the same."""

import time

import pytest

from hermes_core.shell import worker as behind
from hermes_core.testing import HashEmbedder
from tests.durability.kit import Reader, index_equals_ledger, sentence


@pytest.mark.parametrize("worker", [True, False])
def test_a_store_without_an_index_trims_and_a_later_index_holds_everything(open_hermes, tmp_path, monkeypatch, worker):
    monkeypatch.setattr(behind, "OUTBOX_MOST", 10)
    monkeypatch.setattr(behind, "TRIM_SECONDS", 0.05)
    given = {"extractor": Reader(), "embedder": HashEmbedder(16)}
    hermes = open_hermes(tmp_path, chroma=False, worker=worker, **given)
    with hermes.session("u", "s") as session:
        session.observe("user", sentence("tea"))
    hermes.flush()
    (item,) = hermes.memories("u")
    for n in range(20):
        hermes.pin("u", item.id, n % 2 == 0)
    patient = time.monotonic() + 60
    while hermes._engine.ledger.outbox_count() > 10 and time.monotonic() < patient:
        time.sleep(0.02)
    assert hermes._engine.ledger.outbox_count() <= 10
    hermes.close()
    index_equals_ledger(open_hermes(tmp_path, worker=False, **given))
