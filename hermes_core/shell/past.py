"""A user as they were at an earlier version, from the trail: for time travel, and for open conversations whose view had
to leave the cache. Reads only."""

from __future__ import annotations

from hermes_core.changes import replay
from hermes_core.items import PackedItems, Status
from hermes_core.shell.engine import Engine
from hermes_core.shell.reader import UserView
from hermes_core.shell.workspace import row_of, table_of
from hermes_core.user_state import UserState


def as_of(engine: Engine, user_id: str, version: int) -> UserState:
    """The state that the trail led to at `version`, in its own order (by last change); erased images are not in it."""
    trail = engine.ledger.changes(user_id, up_to_version=version)
    last = {change.item_id: n for n, change in enumerate(trail) if change.after is not None}
    items = dict(sorted(replay(trail).items(), key=lambda pair: last[pair[0]]))
    live = {i: item for i, item in items.items() if item.status is not Status.ARCHIVED}
    archive = PackedItems({i: item for i, item in items.items() if item.status is Status.ARCHIVED})
    return UserState(user_id, version, live, archive)


def view_at(engine: Engine, user_id: str, version: int) -> UserView:
    """R5: what a conversation read at `version` saw. An item's words never change, so that its vector is today's; only
    what has left the store since is embedded again."""
    newest = engine.reader.view(user_id)
    if newest.state.version == version:
        return newest
    state = as_of(engine, user_id, version)
    table = newest.table
    rows = {item_id: row for row, item_id in enumerate(table.ids)}
    gone = [item for item in state if item.id not in rows]
    anew = engine.search_data([i.text for i in gone], [(i.slot, i.value) for i in gone])
    data = {item.id: found for item, found in zip(gone, anew, strict=True)}
    for item_id in rows.keys() - data.keys():
        data[item_id] = row_of(table, rows[item_id])
    ids = [*state.live, *state.archive]
    return UserView(state, table_of(ids, [data[i] for i in ids], table), newest.config, newest.load_quotable)
