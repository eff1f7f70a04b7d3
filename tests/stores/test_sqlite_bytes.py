"""What a SQLite file must not hold: words that were forgotten, and sealed ones in the plain (E, C8)."""

from pathlib import Path

import pytest

from hermes_core.errors import StoreError
from hermes_core.items import Sensitivity, Status
from hermes_core.ports import Commit, Redaction, Summary
from hermes_core.stores.sql import SqlLedger, erasing
from hermes_core.testing.contracts import LedgerContract
from hermes_core.testing.contracts.builders import forgetting, held, item, putting, turn


def bytes_of(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


# -- erased


def erase_on(tx, ledger, redaction):
    """The transaction of an erase, without the scrub that follows it."""
    return erasing.erase(tx, ledger._sealer, redaction, erasing.Encoded(ledger._sealer, redaction.commit))


SECRET = "severely allergic to lobster"


@pytest.mark.parametrize("vacuum_bytes", [erasing.VACUUM_BYTES, 0], ids=["vacuum", "secure_delete"])
def test_no_byte_of_the_forgotten_remains(file, ledger, vacuum_bytes):
    """Law E: not in the file, its free pages or its write-ahead log; updates before the forget included."""
    secret = item(1, text=SECRET, value=SECRET, evidence=())
    others = [item(n, held=(held(SECRET),) if n % 9 == 0 else ()) for n in range(2, 300)]
    for n in range(100):
        ledger.add_turn(turn(n, text=f"I am {SECRET} and {n}" + "x" * (n * 40)))
    ledger.commit(putting(0, secret, *others))
    for version in range(1, 30):
        again = [item(n, held=(held(SECRET),), note="y" * 60 * (n % 30)) for n in range(1 + version, 40 + version)]
        ledger.commit(putting(version, *again))
    assert SECRET.encode() in bytes_of(file.parent)
    redaction = Redaction(forgetting(30, secret), (secret.id,), (), (SECRET,))
    ledger._db.write(lambda tx: erase_on(tx, ledger, redaction))
    erasing.scrub(ledger._db, vacuum_bytes)
    found = bytes_of(file.parent)
    assert SECRET.encode() not in found
    assert SECRET.encode("utf-16-le") not in found
    assert b"lobster" not in found
    assert len(ledger.load("u1").state) == 298


def test_a_crash_between_commit_and_scrub_is_made_good_at_opening(file, ledger):
    secret = item(1, text=SECRET, value=SECRET)
    ledger.commit(putting(0, secret))
    redaction = Redaction(forgetting(1, secret), (secret.id,), (), (SECRET,))
    ledger._db.write(lambda tx: erase_on(tx, ledger, redaction))
    assert SECRET.encode() in bytes_of(file.parent)  # still in the write-ahead log
    again = SqlLedger.open(file)
    assert SECRET.encode() not in bytes_of(file.parent)
    again.close()


# -- sealed


class XorCipher:
    """A cipher that hides plain bytes from a search; no protection."""

    def __init__(self, key=0x5A):
        self.key = key

    def encrypt(self, plain: bytes) -> bytes:
        return bytes([self.key]) + bytes(b ^ self.key for b in plain)

    def decrypt(self, sealed: bytes) -> bytes:
        return bytes(b ^ sealed[0] for b in sealed[1:])


class TestSealedLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, file):
        opened = SqlLedger.open(file, cipher=XorCipher())
        yield opened
        opened.close()


def test_sensitive_items_are_sealed_on_disk(file):
    """C8: body, image, slot, vector and the turn that said it."""
    ledger = SqlLedger.open(file, cipher=XorCipher())
    open_item = item(1, text="likes jazz")
    secret = item(2, text="has diabetes", slot="health.condition", sensitivity=Sensitivity.SENSITIVE)
    sealed_cold = item(3, text="had measles", status=Status.ARCHIVED, sensitivity=Sensitivity.SENSITIVE)
    commit = putting(0, open_item, secret, sealed_cold)
    ledger.add_turn(turn(1, text="I have diabetes"))
    ledger.commit(commit)
    found = bytes_of(file.parent)
    assert b"likes jazz" in found
    for plain in (b"diabetes", b"measles", b"health.condition", *(s.vector.tobytes() for s in commit.put[1:])):
        assert plain not in found
    ledger.close()
    ledger = SqlLedger.open(file, cipher=XorCipher())
    assert {i.id: i for i in ledger.load("u1").state} == {i.id: i for i in (open_item, secret, sealed_cold)}
    assert ledger.turns("u1")[0].text == "I have diabetes"
    ledger.close()


def test_a_sealed_store_without_its_key_says_so(file):
    sealed = SqlLedger.open(file, cipher=XorCipher())
    sealed.commit(putting(0, item(1, sensitivity=Sensitivity.SENSITIVE)))
    sealed.close()
    keyless = SqlLedger.open(file)
    with pytest.raises(StoreError, match="cipher"):
        keyless.load("u1")
    assert keyless.version("u1") == 1
    keyless.close()


def test_a_key_may_come_later(file):
    plain = SqlLedger.open(file)
    plain.add_turn(turn(1))
    plain.commit(putting(0, item(1, sensitivity=Sensitivity.SENSITIVE)))
    plain.close()
    sealed = SqlLedger.open(file, cipher=XorCipher())
    sealed.set_aside("u1", "t1", "why")
    record = sealed.turn_record("u1", "t1")
    assert record is not None
    assert record["reason"] == "why"
    assert len(sealed.load("u1").state) == 1
    assert sealed.commit(Commit("u1", 1, putting(1, item(2)).changes, putting(1, item(2)).put)) == 2
    sealed.close()


def test_a_rotation_leaves_nothing_of_the_old_key(file):
    """C8: first no key, then one, then another; the old bytes are gone each time."""
    secret = item(1, text="has diabetes", value="diabetes", slot="health", sensitivity=Sensitivity.SENSITIVE)
    plain = SqlLedger.open(file)
    plain.add_turn(turn(1, text="I have diabetes"))
    plain.set_aside("u1", "t1", "diabetes again")
    summary = Summary(user_id="u1", session_id="s1", text="diabetes")
    plain.commit(putting(0, secret, item(2), summaries=(summary,)))
    plain.close()
    bodies = [b"diabetes"]
    for key in (0x21, 0x42):
        ledger = SqlLedger.open(file, cipher=XorCipher(key))
        assert ledger.reseal() == 6
        found = bytes_of(file.parent)
        for body in bodies:
            assert body not in found
        assert XorCipher(key).encrypt(b"diabetes")[1:] in found
        bodies.append(XorCipher(key).encrypt(b"diabetes")[1:])
        assert {i.id: i for i in ledger.load("u1").state} == {secret.id: secret, item(2).id: item(2)}
        assert ledger.turns("u1")[0].text == "I have diabetes"
        assert ledger.summaries("u1") == [summary]
        assert [c.after for c in ledger.changes("u1")] == [secret, item(2)]
        assert ledger.check() == []
        ledger.close()
