# %% [markdown]
# # 1 · The two gates
#
# A memory that keeps everything drowns, and a memory that believes everything drifts. Hermes Memory has a gate against
# each:
#
# - the **bounded gate** decides what may enter, stay and be shown;
# - the **freeze gate** decides what, once settled, may still change it.
#
# Here twelve weeks of one person's chats pass through both, under a clock that we set by hand. Everything runs offline:
# the extractor is the local one, the embedder is in the package, and no key is needed.

# %%
from collections import Counter
from datetime import timedelta
from tempfile import TemporaryDirectory

import matplotlib.dates as mdates
import matplotlib.pyplot as plt

from hermes_core import Hermes
from hermes_core.answers import describe
from hermes_core.config import build
from hermes_core.decay import strength
from hermes_core.demo import load
from hermes_core.testing import FakeClock

plt.rcParams.update({
    "figure.figsize": (9, 3.6), "figure.dpi": 96, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.alpha": 0.25, "font.size": 10,
})

# %% [markdown]
# ## A store, a clock, a person
#
# Twelve weeks of one person would never fill the 200 places that a pool has by default, so this one has 25. The
# conversation ships with the package (`hermes demo` prints all of it); Lin talks English and Chinese, often in one
# sentence.

# %%
conversation = load()
USER = conversation.user_id
clock = FakeClock(conversation.sessions[0].at)
folder = TemporaryDirectory()
hermes = Hermes.open(
    folder.name,
    chroma=False,  # the published index isn't needed here
    config=build({"bounded": {"hot_cap": 25, "short_term_cap": 3}}),
    clock=clock,
    worker=False,  # turns are ingested when we say so
)
print(f"{len(conversation.sessions)} sessions, {conversation.sessions[0].at:%d %b} to {conversation.sessions[-1].at:%d %b %Y}")

# %% [markdown]
# One function is all that a chat does: read memory for each question, observe every message. `flush` waits until the
# gates have decided; `maintain` lets time pass.

# %%
QUIET = {"hit", "revalued", "linked"}  # bookkeeping


def play(script, show=""):
    """One session through the gates; prints what was decided about Lin's messages that hold `show` (None: prints nothing)."""
    clock.set(script.at)
    hermes.maintain(USER)
    seen = len(hermes.history(USER))
    with hermes.session(USER, script.id) as session:
        said = {}
        for n, turn in enumerate(script.turns):
            clock.set(turn.at)
            if turn.role == "user":
                session.context(turn.text)
            stored = session.observe(turn.role, turn.text, turn_id=f"{script.id}-{n:02}")
            said[stored.id] = turn
    hermes.flush(USER)
    if show is not None:
        trail = hermes.history(USER)[seen:]
        print(f"── {script.at:%d %b}  {script.title['en']}")
        for turn_id, turn in said.items():
            if turn.role == "user" and show in turn.text:
                print(f"\n{turn.text}")
                for change in trail:
                    if change.cause.turn_id == turn_id and change.event not in QUIET:
                        print("   ", describe(change))


sessions = {script.id: script for script in conversation.sessions}
play(sessions["s01"])

# %% [markdown]
# Three things happened. An **allergy** is vital, timeless and was said calmly: it froze at its first saying. What was
# merely stated is remembered, not yet settled. A question, thanks and small talk were refused, each with a reason:
# nothing is dropped in silence.
#
# ## Settling: three calm sessions
#
# “Keep your answers short” has to be said in three different sessions before it is frozen. Saying it three times in one
# session would count once, and the assistant repeating it would count for nothing. Lin's second time is in Chinese; it
# is the same preference.

# %%
play(sessions["s02"], show="简洁")
play(sessions["s03"], show=None)


def show_slot(slot):
    for item in hermes.memories(USER):
        if item.slot == slot:
            print(f"{item.status:9} {item.confidence:.2f}  {item.text}")
            for e in item.evidence:
                print(f"            {e.said_at:%d %b}  {e.session_id}  “{e.quote}”")


print()
show_slot("reply_length")

# %% [markdown]
# ## Holding: haste and anger don't move what is settled
#
# In a hurry Lin wants more detail *this once*: a one-off request, not a preference. Six weeks later, on a bad
# evening, Lin shouts the opposite: words of that kind never move what is settled.

# %%
for name in [f"s{n:02}" for n in range(4, 7)]:
    play(sessions[name], show=None)
play(sessions["s07"], show="this once")
for name in [f"s{n:02}" for n in range(8, 13)]:
    play(sessions[name], show=None)
print()
play(sessions["s13"], show="long detailed")
play(sessions["s14"], show=None)
play(sessions["s15"], show=None)

# %% [markdown]
# A calm remark is taken more seriously. It doesn't say that the earlier word no longer holds, so nothing flips; but it
# isn't lost either: it is **held** beside the frozen memory, with its evidence. Three sessions of such evidence would make
# the old one wait for re-confirmation.

# %%
def say(session_id, *texts, days=3):
    """A short session of our own, some days later."""
    clock.advance(days=days)
    hermes.maintain(USER)
    seen = len(hermes.history(USER))
    with hermes.session(USER, session_id) as session:
        for text in texts:
            clock.advance(minutes=1)
            session.observe("user", text)
    hermes.flush(USER)
    for change in hermes.history(USER)[seen:]:
        if change.event not in QUIET and change.cause.by == "turn":
            print(describe(change))


say("s16", "I prefer detailed answers.")

# %%
for item in hermes.memories(USER, status="frozen"):
    print(item.text)
    for held in item.held:
        sessions_of = ", ".join(sorted({e.session_id for e in held.evidence}))
        print(f"    held beside it: “{held.text}” (said in {sessions_of})")

# %% [markdown]
# ## Applying: an explicit, calm correction does
#
# Only the user's own clear words open a frozen memory. The old one is archived as superseded, the new one takes over and
# is frozen again. Nothing is overwritten: the trail keeps both.

# %%
say("s17", "I've changed my mind, I want detailed answers from now on.")

# %%
show_slot("reply_length")

# %% [markdown]
# ### The whole life of one slot
#
# Every change of the two memories about the length of answers, in the order in which it happened.

# %%
STYLE = {
    "admitted": ("o", "#2e7552"), "confirmed": ("o", "#2e7552"), "promoted": ("^", "#2e7552"), "noted": (".", "#8a8f8e"),
    "froze": ("s", "#2c6a9b"), "held": ("D", "#a3542a"), "released": ("d", "#8a6412"), "unlocked": ("P", "#8a6412"),
    "superseded": ("X", "#a83a32"), "contradicted": ("v", "#a3542a"), "staled": ("v", "#a83a32"),
    "reconfirmed": ("^", "#2e7552"), "weathered": ("v", "#8a6412"), "lengthened": ("+", "#2e7552"), "refused": ("x", "#8a8f8e"),
}
slot_items = sorted((i for i in hermes.memories(USER) if i.slot == "reply_length"), key=lambda i: i.created_at)
lanes = {item.id: (lane, item) for lane, item in enumerate(slot_items)}
trail = [c for c in hermes.history(USER) if c.item_id in lanes and c.event not in QUIET]

fig, ax = plt.subplots(figsize=(9, 1.2 + 0.9 * len(lanes)))
drawn = {}
crowd = Counter()
for change in trail:
    lane, item = lanes[change.item_id]
    shape, colour = STYLE.get(change.event, (".", "#8a8f8e"))
    place = (lane, change.cause.at.date())
    drawn[change.event.value] = ax.scatter(
        change.cause.at, lane + 0.13 * crowd[place], marker=shape, color=colour, s=52, zorder=3
    )
    crowd[place] += 1
for item_id, (lane, item) in lanes.items():
    frozen = [c.cause.at for c in trail if c.item_id == item_id and c.event == "froze"]
    ended = [c.cause.at for c in trail if c.item_id == item_id and c.event in ("superseded", "staled", "weathered")]
    if frozen:
        ax.hlines(lane, frozen[0], ended[-1] if ended else clock.now(), color="#2c6a9b", lw=6, alpha=0.25, zorder=1)
ax.set_yticks([lane for lane, _ in lanes.values()], [item.value for _, item in lanes.values()])
ax.set_ylim(-0.5, len(lanes) - 0.2)
ax.xaxis.set_major_formatter(mdates.DateFormatter("%d %b"))
ax.set_title("reply_length: confirmed, frozen (the bar), challenged, corrected", loc="left")
ax.legend(drawn.values(), drawn.keys(), ncols=5, fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.18))
plt.show()

# %% [markdown]
# ## Forgetting well: one law of fading
#
# `strength = confidence × 0.5 ** (idle / half-life)`. A state fades within days, a preference within weeks, a fact
# within months, and who you are or what could harm you not at all. Saying it again, or using it in an answer, makes it
# fresh. Under 0.25 a memory sleeps: it isn't recalled, but a question or a new mention wakes it.

# %%
say("s18", "I'm working on a big presentation this week.")
start, now = conversation.sessions[0].at, clock.now()
WANTED = {"peanuts": "#2c6a9b", "Isarwerk": "#2e7552", "乌龙茶": "#8a6412", "presentation": "#a3542a"}
NAMES = {"乌龙茶": "oolong tea"}
past = [start + timedelta(days=n / 2) for n in range(int((now - start).days * 2) + 2)]
past = [moment for moment in past if moment < now] + [now]
seen_states = [hermes.as_of(USER, moment) for moment in past]
ahead = [now + timedelta(days=n / 2) for n in range(180)]

fig, ax = plt.subplots(figsize=(9, 4))
for word, colour in WANTED.items():
    item = next((i for i in hermes.memories(USER) if word in i.text and i.status not in ("archived", "stale")), None)
    if item is None:
        continue
    lived = [(moment, strength(then, moment)) for moment, s in zip(past, seen_states) if (then := s.live.get(item.id))]
    half = "no half-life" if item.half_life_days is None else f"half-life {item.half_life_days:g} d"
    ax.plot(*zip(*lived), color=colour, lw=2, label=f"{item.kind}: {NAMES.get(word, word)} ({half})")
    ax.plot(ahead, [strength(item, moment) for moment in ahead], color=colour, lw=1.5, ls=":")
ax.axhline(0.25, color="#a3542a", ls="--", lw=1)
ax.text(start, 0.265, "asleep under this", color="#a3542a", fontsize=8)
ax.axvline(now, color="black", lw=0.8, alpha=0.4)
ax.text(now, 1.01, " now", fontsize=8, va="bottom")
ax.xaxis.set_major_formatter(mdates.DateFormatter("%d %b"))
ax.set_ylim(0, 1)
ax.set_ylabel("strength")
ax.set_title("What it was, and what it will be if nobody speaks of it again (dotted)", loc="left", pad=16)
ax.legend(frameon=False, fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.1))
plt.show()

# %% [markdown]
# ## The bounded gate: how full, and who leaves
#
# The pool's size after each day. The lines can't be crossed, whatever a user says: it is a law that is checked after
# every step. `as_of` reads the past from the trail.

# %%
end = clock.now()
days = [start + timedelta(days=n) for n in range((end - start).days + 2)]
states = [hermes.as_of(USER, day) for day in days]

fig, ax = plt.subplots()
ax.fill_between(days, [len(s.hot) for s in states], step="post", color="#2f6f73", alpha=0.18)
ax.step(days, [len(s.hot) for s in states], where="post", color="#2f6f73", label="hot (cap 25)")
ax.step(days, [len(s.frozen) for s in states], where="post", color="#2c6a9b", label="frozen (a fifth at most: 11)")
ax.step(days, [len(s.archive) for s in states], where="post", color="#8a8f8e", label="archive")
ax.axhline(25, color="#2f6f73", ls=":", lw=1)
for script in conversation.sessions:
    ax.axvline(script.at, color="black", alpha=0.05, lw=6)
ax.xaxis.set_major_formatter(mdates.DateFormatter("%d %b"))
ax.set_ylabel("memories")
ax.set_title("Pools over twelve weeks (stripes are sessions)", loc="left")
ax.legend(frameon=False, loc="upper left")
plt.show()

# %% [markdown]
# The threshold rises with the fill: an empty pool takes what is salient, a full one only what is worth more than its
# median. Every refusal is in the trail with its reason.

# %%
refused = Counter(str(c.reason) for c in hermes.history(USER) if c.event == "refused")
for reason, count in refused.most_common(8):
    print(f"{count:3}  {reason.replace('_', ' ')}")

# %% [markdown]
# And when far more comes than fits? Sixty small likes, said in one breath, into 25 places. The pool stays within its
# cap, and what is frozen isn't touched.

# %%
frozen_before = {item.id for item in hermes.memories(USER, status="frozen")}
things = ["jazz", "blues", "opera", "techno", "folk", "soul", "punk", "ska", "swing", "disco", "funk", "ragtime"]
times = ["in the morning", "on Sundays", "at work", "in the car", "while cooking"]
clock.advance(days=1)
with hermes.session(USER, "flood") as session:
    for n, (when, thing) in enumerate((w, t) for w in times for t in things):
        session.observe("user", f"I like {thing} {when}.", at=clock.advance(seconds=20))
hermes.flush(USER)
state = hermes.state(USER)
outcome = Counter(c.event.value for c in hermes.history(USER) if c.cause.session_id == "flood" and c.event not in QUIET)
print(f"hot {len(state.hot)} of 25, frozen {len(state.frozen)}")
print("frozen untouched:", frozen_before <= {item.id for item in state.frozen})
print(dict(outcome.most_common()))

# %% [markdown]
# ## A long silence
#
# `maintain` applies what time changes, and nothing else: here after four months without a word.

# %%
clock.advance(days=120)
before = len(hermes.history(USER))
hermes.maintain(USER)
by_time = Counter(f"{c.event} ({c.reason})" for c in hermes.history(USER)[before:] if c.event not in QUIET)
for what, count in by_time.most_common():
    print(f"{count:3}  {what.replace('_', ' ')}")
print({name: len(getattr(hermes.state(USER), name)) for name in ("hot", "frozen", "archive")})

# %% [markdown]
# ## What the next session sees
#
# After all that, one question. The block is counted in tokens and never longer than its budget; it is fenced as notes
# about the user, not as instructions.

# %%
with hermes.session(USER, "after-summer") as session:
    block = session.context("Any ideas for a late-night snack, and a film (科幻片) with it?")
print(block.text)
print(f"\n{block.tokens} of {block.budget} tokens, {len(block.items)} memories")

# %% [markdown]
# And why is any of it there? `explain` cites the user's own words and every decision.

# %%
peanuts = next(item for item in hermes.memories(USER, status="frozen") if "peanut" in item.text)
print(hermes.explain(USER, peanuts.id).text)

# %%
hermes.close()
folder.cleanup()
