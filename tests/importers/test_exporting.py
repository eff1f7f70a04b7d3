"""Export and import of a user as JSON Lines (C9)."""

import json
from datetime import datetime, timedelta, timezone

import msgspec
import numpy as np
import pytest

from hermes_core.changes import Cause, Event, refusal, replay, step
from hermes_core.errors import InvalidInput
from hermes_core.exporting import FORMAT, export_lines, read_export
from hermes_core.items import Evidence, HeldOverride, Kind, MemoryItem, Status, Turn
from hermes_core.ports import Commit, StoredItem, Summary, TurnOutcome
from hermes_core.stores.in_memory import InMemoryLedger
from hermes_core.testing import HashEmbedder

T0 = datetime(2026, 1, 5, 9, 0, 0, 123456, tzinfo=timezone.utc)
EMBEDDER = HashEmbedder(16)


def cause(turn="t1", **more):
    return Cause(by="turn", at=T0, session_id="s1", turn_id=turn, **more)


def item(name, text, **fields):
    said = Evidence(session_id="s1", turn_id="t1", quote=text, said_at=T0, seq=1)
    return MemoryItem(
        id=name,
        user_id="张三",
        kind=Kind.FACT,
        slot="residence",
        value=text,
        text=text,
        status=Status.CANDIDATE,
        created_at=T0,
        said_at=T0,
        confirmed_at=T0,
        evidence=(said,),
        **fields,
    )


def stored(image):
    return StoredItem(image, EMBEDDER.embed([image.text])[0], np.array([1, 2], dtype=np.uint32))


@pytest.fixture
def ledger():
    """Two ingested turns and a pending one, a live item, an archived one, a forgotten one, a refusal, a summary."""
    ledger = InMemoryLedger()
    ledger.put_meta("embedder", "hash-16:16")
    for number, text in enumerate(['我住在 "上海"\n👍', "x\u2028y \u202e", "later"], 1):
        ledger.add_turn(
            Turn(
                id=f"t{number}",
                user_id="张三",
                session_id="s1",
                role="user",
                text=text,
                said_at=T0 + timedelta(hours=number),
            )
        )
    ledger.add_turn(
        Turn(id="t1", user_id="other", session_id="s1", role="user", text="a stranger's secret", said_at=T0)
    )
    held = HeldOverride(
        value="北京",
        text="住在北京",
        confidence=0.7,
        evidence=(Evidence(session_id="s2", turn_id="t2", quote="北京", said_at=T0),),
    )
    lives = step(
        None,
        Event.ADMITTED,
        reason="room",
        cause=cause(),
        new=item("live", "我住在上海。", held=(held,), complements=("old",)),
    )
    confirmed = step(lives.after, Event.PROMOTED, reason="calm_and_explicit", cause=cause(), confidence=0.9)
    old = step(None, Event.ADMITTED, reason="room", cause=cause(), new=item("old", "I live in Lyon."))
    archived = step(old.after, Event.SUPERSEDED, reason="newer_wins", cause=cause(), superseded_by="live")
    secret = step(None, Event.ADMITTED, reason="room", cause=cause(), new=item("gone", "a forgotten secret"))
    refused = refusal("张三", reason="below_threshold", cause=cause(), claim="likes rain")
    ledger.commit(
        Commit(
            user_id="张三",
            expected_version=0,
            changes=(lives, confirmed, old, archived, secret, refused),
            put=(stored(confirmed.after), stored(archived.after), stored(secret.after)),
            outcomes=(TurnOutcome("t1", "local", ""), TurnOutcome("t2", "local", "nothing found")),
            summaries=(
                Summary(user_id="张三", session_id="s1", text="住在上海", facts=("上海",), last_seq=2, made_at=T0),
            ),
        )
    )
    forgotten = step(
        secret.after, Event.FORGOTTEN, reason="commanded", cause=Cause(by="command", at=T0, command="forget")
    )
    forgotten = msgspec.structs.replace(forgotten, after=None)
    ledger.commit(Commit(user_id="张三", expected_version=1, changes=(forgotten,), drop=("gone",)))
    return ledger


def test_everything_comes_back(ledger):
    export = read_export(export_lines(ledger, "张三", vectors=True))
    loaded = ledger.load("张三")
    assert (export.user_id, export.version, export.header.embedder) == ("张三", 2, "hash-16:16")
    assert list(export.turns) == ledger.turns("张三")
    assert {i.id: i for i in export.items} == {i.id: i for i in loaded.state} != {}
    assert export.summaries == tuple(ledger.summaries("张三"))
    assert export.pending == {"t3"}
    rows = dict(zip(loaded.table.ids, loaded.table.vectors, strict=True))
    assert set(export.vectors) == set(rows) == {"live", "old"}
    assert all(np.array_equal(export.vectors[name], rows[name]) for name in rows)


def test_the_trail_comes_back_and_replays_to_the_items(ledger):
    export = read_export(export_lines(ledger, "张三"))
    assert [(c.event, c.item_id, c.version) for c in export.changes] == [
        (c.event, c.item_id, c.version) for c in ledger.changes("张三")
    ]
    assert [c for c in export.changes if c.item_id != "gone"] == [
        c for c in ledger.changes("张三") if c.item_id != "gone"
    ]
    words = {name: (i.text, i.status, i.confidence) for name, i in replay(export.changes).items()}
    assert words == {i.id: (i.text, i.status, i.confidence) for i in export.items}


def test_an_export_of_the_same_state_is_the_same(ledger):
    assert list(export_lines(ledger, "张三")) == list(export_lines(ledger, "张三"))


def test_what_was_forgotten_is_not_in_it(ledger):
    text = "\n".join(export_lines(ledger, "张三"))
    assert "forgotten secret" not in text
    assert '"forgotten"' in text  # the line of the trail stays


def test_nobody_elses_words_are_in_it(ledger):
    assert "stranger" not in "\n".join(export_lines(ledger, "张三"))


def test_vectors_are_left_out_unless_wanted(ledger):
    assert '"vector"' not in "\n".join(export_lines(ledger, "张三"))
    assert read_export(export_lines(ledger, "张三")).vectors == {}


def test_lines_are_plain_json_without_line_ends(ledger):
    for line in export_lines(ledger, "张三"):
        assert "\n" not in line
        assert len(json.loads(line)) in (1, 2)


def test_a_user_without_memories_has_an_export_too(ledger):
    export = read_export(export_lines(ledger, "nobody"))
    assert (export.version, export.turns, export.items) == (0, (), ())


@pytest.mark.parametrize("change", [lambda s: s, lambda s: s.encode(), lambda s: s + "\r\n"])
def test_text_bytes_and_line_ends_are_read(ledger, change):
    lines = [change(line) for line in export_lines(ledger, "张三")]
    assert read_export([*lines, change("")]) is not None
    assert len(read_export(lines).items) == 2


def broken(lines, number, **replaced):
    record = json.loads(lines[number])
    kind = next(k for k in record if k not in ("vector", "pending"))
    record[kind].update(replaced)
    return [*lines[:number], json.dumps(record), *lines[number + 1 :]]


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda lines: [], "export is empty"),
        (lambda lines: lines[1:], "line 1: expected the header"),
        (lambda lines: lines[:-1], "promises 1 summaries, 0 were found"),
        (lambda lines: [*lines[:2], "{oops", *lines[3:]], "line 3: no valid JSON"),
        (lambda lines: [*lines, "[1]"], r"line \d+: expected an object"),
        (lambda lines: [*lines, '{"pet": {}}'], r"expected a turn, item, change or summary; found \['pet'\]"),
        (lambda lines: [*lines, next(x for x in lines if x.startswith('{"item"'))], "comes twice"),
        (lambda lines: broken(lines, 0, format=FORMAT + 1), "Upgrade"),
        (lambda lines: broken(lines, 0, format="x"), "line 1: no valid Header"),
        (lambda lines: broken(lines, 1, user_id="other"), "line 2: belongs to user 'other'"),
        (lambda lines: broken(lines, 1, said_at="2026-01-01T00:00:00"), "line 2: .* has no zone"),
        (lambda lines: broken(lines, 4, status="famous"), "line 5: no valid MemoryItem"),
        (lambda lines: broken(lines, 6, event="exploded"), "line 7: no valid Change"),
    ],
)
def test_a_spoilt_export_is_refused_whole(ledger, spoil, complaint):
    with pytest.raises(InvalidInput, match=complaint):
        read_export(spoil(list(export_lines(ledger, "张三"))))


@pytest.mark.parametrize("vector", ["AAA", "", 5, "AADAfw=="])
def test_a_spoilt_vector_is_refused(ledger, vector):
    lines = list(export_lines(ledger, "张三", vectors=True))
    record = json.loads(lines[4])
    record["vector"] = vector
    with pytest.raises(InvalidInput, match="line 5: the vector"):
        read_export([*lines[:4], json.dumps(record), *lines[5:]])
