"""C8: sensitive kinds at rest, in the index, and in what is shown; keys, their rotation, and wrong ones."""

import pytest

from hermes_core import Hermes, InvalidInput, StoreDamaged, StoreError
from hermes_core.stores.sealing import Keyring, cipher_from, new_key
from tests.durability.kit import files_with

OLD, NEW = new_key(), new_key()
SECRET = "I have diabetes and I take insulin every day."


@pytest.fixture
def tell(tmp_path, clock, embedder):
    def say(key):
        with Hermes.open(tmp_path / "store", cipher=key, clock=clock, embedder=embedder, worker=False) as hermes:
            with hermes.session("u", "s") as session:
                session.observe("user", SECRET)
                session.observe("user", "I like jazz.")
            hermes.flush(timeout=60)
            assert any("diabetes" in i.value for i in hermes.memories("u"))
        return tmp_path / "store"

    return say


def test_nothing_sensitive_lies_on_disk_or_in_chroma(tell, clock, embedder):
    store = tell(OLD)
    assert not files_with(store, "diabetes", "insulin")
    with Hermes.open(store, cipher=OLD, clock=clock, embedder=embedder, worker=False) as hermes:
        (item,) = [i for i in hermes.memories("u") if "diabetes" in i.value]
        assert item.sensitivity == "sensitive"
        hermes.rebuild()
        (record,) = [r for r in hermes._engine.publisher._index.records("u") if r.id == item.id]
        assert record.document == "" and "diabetes" not in str(record.metadata)
        assert len(set(record.vector)) == 1, "a vector that says something"
        own = embedder.embed([item.text])[0]
        raw = b"".join(p.read_bytes() for p in store.rglob("*") if p.is_file())
        assert own.astype("<f4").tobytes() not in raw and own.astype("<f2").tobytes() not in raw


def test_it_is_recalled_with_consent_only(tell, clock, embedder):
    with Hermes.open(tell(OLD), cipher=OLD, clock=clock, embedder=embedder, worker=False) as hermes:
        for consent in (False, True):
            session = hermes.session("u", f"n{consent}", consent=consent)
            assert ("diabetes" in session.context("what about my diabetes?").text) is consent
            assert any("diabetes" in h.item.text for h in session.recall("diabetes")) is consent


def test_a_wrong_key_or_none_is_told_at_the_door(tell, clock, embedder, monkeypatch):
    store = tell(OLD)
    before = (store / "ledger.db").read_bytes()
    for key, said in ((NEW, "another key"), (None, "HERMES_KEY")):
        with pytest.raises(StoreError, match=said):
            Hermes.open(store, cipher=key, clock=clock, embedder=embedder, worker=False, chroma=False)
    assert (store / "ledger.db").read_bytes() == before
    monkeypatch.setenv("HERMES_KEY", f"{NEW},{OLD}")
    Hermes.open(store, clock=clock, embedder=embedder, worker=False, chroma=False).close()


def test_a_rotation(tell, clock, embedder):
    store = tell(OLD)
    given = {"clock": clock, "embedder": embedder, "worker": False, "chroma": False}
    with Hermes.open(store, cipher=[NEW, OLD], **given) as hermes:
        assert hermes.reseal() > 0
    with Hermes.open(store, cipher=lambda: NEW, **given) as hermes:
        assert any("diabetes" in i.value for i in hermes.memories("u"))
        assert SECRET in [t.text for t in hermes.session("u", "s").turns()]
    with pytest.raises(StoreError, match="another key"):
        Hermes.open(store, cipher=OLD, **given)


def test_a_store_may_get_its_key_later(tell, clock, embedder):
    store = tell(None)
    assert files_with(store, "diabetes")
    with Hermes.open(store, cipher=NEW, clock=clock, embedder=embedder, worker=False) as hermes:
        hermes.reseal()
    assert not files_with(store, "diabetes")


@pytest.mark.parametrize("key", ["", "password", "x" * 64, b"short", 7, [], ["short"], lambda: None])
def test_what_is_no_key_is_refused_with_advice(tmp_path, key):
    with pytest.raises(InvalidInput, match="key"):
        Hermes.open(tmp_path, cipher=key)
    assert not (tmp_path / "ledger.db").exists()


def test_the_keyring_tells_keys_apart_and_notices_tampering():
    ring, both = Keyring([OLD]), Keyring([NEW, OLD])
    sealed = ring.encrypt(b"words")
    assert b"words" not in sealed and ring.encrypt(b"words") != sealed
    assert both.decrypt(sealed) == b"words"
    with pytest.raises(StoreError, match="another key"):
        ring.decrypt(both.encrypt(b"words"))
    for broken in (sealed[:-1], sealed[:-1] + bytes([sealed[-1] ^ 1]), b"", b"\x01", b"\x09" + sealed[1:]):
        with pytest.raises(StoreDamaged):
            ring.decrypt(broken)
    assert OLD not in repr(ring)
    assert cipher_from(ring) is ring and isinstance(cipher_from(bytes(32).hex()), Keyring)
