"""Deliberate faults, one for each way in which a law could quietly stop holding: data only.

`old` stands exactly once in `file` and is replaced by `new`; one of `tests` must then fail. The first of each law is
broken in every run, the others by night.
"""

from __future__ import annotations

from typing import NamedTuple

DIRECTED = "tests/laws/test_directed.py"
SHORT = "tests/laws/test_walk.py::test_the_laws_hold_on_a_short_walk"


class Mutation(NamedTuple):
    """One edit of the package, and the tests that see it."""

    law: str
    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = (DIRECTED,)


def _at(law: str, name: str) -> tuple[str, ...]:
    return (f"{DIRECTED}::test_{law}_{name}",)


MUTATIONS: tuple[Mutation, ...] = (
    Mutation("B", "one more than the hot pool holds", "gates/bounded.py",
             "if leaving := excess(state.hot, bounded.hot_cap):",
             "if leaving := excess(state.hot, bounded.hot_cap + 1):", ("tests/core/test_gates.py",)),
    Mutation(
        "B", "one more than may be frozen", "gates/freeze.py",
        "    return max(0, config.bounded.frozen_limit - len(state.frozen))\n",
        "    return 1\n", ("tests/core/test_gates.py",),
    ),
    Mutation("B", "items of any length", "decide.py",
             "if claim.tokens > config.bounded.item_tokens:", "if claim.tokens < 0:", ("tests/core/test_decide.py",)),
    Mutation("B", "a context larger than asked for", "context.py",
             "limit = config.context.budget if budget is None else budget",
             "limit = config.context.budget", _at("b", "a_context_fits")),
    Mutation("F", "moods apply like corrections", "gates/freeze.py",
             "    if challenge.emotional:\n", "    if False:\n", ("tests/core/test_gates.py",)),
    Mutation("F", "anything confident moves what is frozen", "gates/freeze.py",
             "if not corrects or challenge.confidence < freeze.apply_from:",
             "if challenge.confidence < freeze.apply_from:", _at("f", "only_a_calm_explicit_correction_moves_what_is_frozen")),
    Mutation("F", "a step may change words", "changes.py",
             "    if touched := set(fields) & set(WORDS):\n", "    if touched := set():\n", ("tests/core/test_transitions.py",)),
    Mutation("F", "the frozen can be evicted", "gates/bounded.py",
             "return item.status in (Status.CANDIDATE, Status.CONFIRMED, Status.STALE) and not item.pinned",
             "return not item.pinned", ("tests/core/test_gates.py",)),
    Mutation("C", "a session counts as often as it speaks", "evidence.py",
             "return session_id not in sessions and len(sessions) < config.bounded.evidence_cap",
             "return len(sessions) < config.bounded.evidence_cap", _at("c", "a_session_counts_once")),
    Mutation("C", "a mood counts in full", "evidence.py",
             "worth = screen.emotional_discount if tone is Tone.EMOTIONAL else 1.0",
             "worth = 1.0", _at("c", "a_mood_counts_half_and_never_settles")),
    Mutation("C", "each statement of a session is a confirmation", "evidence.py",
             "best[e.session_id] = max(best.get(e.session_id, 0.0), weight(e.tone, e.basis, config))",
             "best[e.turn_id] = weight(e.tone, e.basis, config)", ("tests/core/test_laws.py",)),
    Mutation("G", "pasted and quoted text is evidence", "extraction/grounding.py",
             "reason = words.zone_of(span) or why_no_statement(words, span)",
             "reason = why_no_statement(words, span)", _at("g", "what_nobody_said_leaves_nothing_but_a_reason")),
    Mutation("G", "the quote is the extractor's, not the user's", "relate.py",
             "            quote=self.candidate.quote,\n", '            quote=self.candidate.text + ".",\n', _at("c", "a_session_counts_once")),
    Mutation("G", "items without evidence", "admission.py",
             "        evidence=(claim.evidence,),\n        half_life_days", "        half_life_days",
             _at("x", "every_turn_and_every_item_is_spoken_for")),
    Mutation("O", "sessions of the same name share what they read", "shell/session.py",
             "        key, now = (self.user_id, self.session_id), engine.clock.now()\n", '        key, now = ("", self.session_id), engine.clock.now()\n',
             _at("o", "three_users_say_the_same_and_share_nothing")),
    Mutation(
        "O", "whoever asks sees the first user", "stores/in_memory.py",
        "            user = self._users.get(user_id)\n            return none if user is None else work(user)\n",
        "            user = next(iter(self._users.values()), None)\n            return none if user is None else work(user)\n",
        _at("o", "three_users_say_the_same_and_share_nothing"),
    ),
    Mutation("O", "an item is found whoever asks", "shell/hermes.py",
             "        if item is None:\n            raise self._missing(user_id, item_id)\n",
             "        owner = self._engine.ledger.owner_of(item_id)\n"
             "        item = item or (self.state(owner).get(item_id) if owner else None)\n"
             "        if item is None:\n            raise self._missing(user_id, item_id)\n",
             _at("o", "three_users_say_the_same_and_share_nothing")),
    Mutation("D", "observe keeps the turn to itself", "shell/session.py",
             "            stored = engine.ledger.add_turn(turn)\n", "            stored = turn\n",
             _at("d", "a_turn_has_its_effect_once")),
    Mutation("D", "the same turn is taken again", "stores/in_memory.py",
             "            if turn.id in user.turns:\n                return", "            if False:\n                return",
             _at("d", "a_turn_has_its_effect_once")),
    Mutation("D", "a commit leaves the trail's end behind", "shell/workspace.py",
             "            changes=tuple(self.changes),\n", "            changes=tuple(self.changes[:-1]),\n",
             _at("x", "every_turn_and_every_item_is_spoken_for")),
    Mutation("X", "turns that led to nothing are passed over", "shell/ingest.py",
             "    if not any(c.cause.turn_id == turn.id for c in work.changes):\n", "    if False:\n",
             _at("x", "every_turn_and_every_item_is_spoken_for")),
    Mutation("X", "what loses is dropped in silence", "arbitrate.py",
             "    if reason in (Reason.OUTDATED, Reason.SUSPICIOUS):\n        draft.refuse(reason, claim.candidate.text, item_id=item.id)\n",
             "    if reason in (Reason.OUTDATED, Reason.SUSPICIOUS):\n", _at("x", "every_turn_and_every_item_is_spoken_for")),
    Mutation("E", "old turns bring the forgotten back", "shell/forgetting.py",
        "    return [Tombstone(digest, at) for digest in sorted(engine.digest(*parts) for parts in known)]\n",
        "    return []\n",
        _at("e", "the_forgotten_is_nowhere_and_old_turns_do_not_bring_it_back")),
    Mutation("E", "the trail keeps what was forgotten", "stores/redact.py",
             "        if change.item_id in self._items:\n", "        if False:\n",
             _at("e", "the_forgotten_is_nowhere_and_old_turns_do_not_bring_it_back")),
    Mutation("E", "what was derived stays", "commands.py",
             "    while more := {i.id for i in items if i.id not in gone and gone & set(i.derived_from)}:\n",
             "    while more := set():\n", _at("e", "what_was_drawn_from_it_goes_too_and_what_it_was_drawn_from_stays")),
    Mutation("R", "ids come from nowhere", "shell/claims.py",
             'return hashlib.blake2b("\\x1f".join((user_id, turn_id, *words)).encode(), digest_size=10).hexdigest()',
             'return __import__("uuid").uuid4().hex', _at("r", "another_store_holds_the_same_bytes")),
    Mutation("R", "decisions are made at the worker's time", "relate.py",
             "            said_at=turn.said_at,\n", '            said_at=__import__("datetime").datetime.now(turn.said_at.tzinfo),\n',
             _at("r", "another_store_holds_the_same_bytes")),
    Mutation("R", "the order of what stands against it is chance", "arbitrate.py",
             "return (claim.turn.said_at, claim.turn.seq) < last", 'return __import__("random").random() < 0.5',
             _at("r", "another_store_holds_the_same_bytes")),
)  # fmt: skip
