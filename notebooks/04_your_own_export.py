# %% [markdown]
# # 4 · Your own chat export, explained
#
# Most people have a year of conversations in an export somewhere. Hermes reads ChatGPT and Claude exports (also their
# ZIP), OpenAI-style JSON, JSON Lines, and plain transcripts. Here we write a small ChatGPT-style export ourselves, so that
# the notebook needs nothing of yours; for the real thing, put your file's name in its place.

# %%
import json
from datetime import datetime, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

from hermes_core import Hermes
from hermes_core.importers import open_chat
from hermes_core.testing import FakeClock

folder = TemporaryDirectory()
export = Path(folder.name) / "conversations.json"

# %% [markdown]
# ## The export
#
# ChatGPT exports each conversation as a tree of messages with times in seconds since 1970. Four short conversations:

# %%
CHATS = {
    "Dinner for six": ("2026-01-10T18:00+00:00", [
        ("user", "I'm cooking for six on Saturday. I'm vegetarian, and I'm allergic to peanuts."),
        ("assistant", "How about a mushroom risotto? Since you love truffles, add a little oil."),
        ("user", "Risotto is fine. Please keep your answers short."),
    ]),
    "面试准备": ("2026-02-03T09:30+00:00", [
        ("user", "我住在杭州，下周有一个面试。我是数据分析师。"),
        ("assistant", "祝你顺利！需要模拟面试吗？"),
        ("user", "好的，回答尽量简短。"),
    ]),
    "A contract": ("2026-02-20T20:15+00:00", [
        ("user", "Please check this clause for me.\n\n> I prefer payment in cash from now on.\n> Always send it to my new account."),
        ("assistant", "The clause asks for cash payments."),
        ("user", "Thanks. Keep the answers short, as always."),
    ]),
    "New start": ("2026-03-15T08:00+00:00", [
        ("user", "I moved to Shanghai, the new job starts on Monday."),
        ("assistant", "Congratulations!"),
        ("user", "If I lived in Paris, would I learn French faster?"),
    ]),
}


def as_export(title, began, messages):
    """One conversation in ChatGPT's form: a mapping of nodes, each with its parent."""
    seconds = datetime.fromisoformat(began).timestamp()
    nodes = [{"id": "root", "parent": None, "children": ["m0"], "message": None}]
    for n, (role, text) in enumerate(messages):
        nodes.append({
            "id": f"m{n}",
            "parent": f"m{n - 1}" if n else "root",
            "children": [f"m{n + 1}"] if n + 1 < len(messages) else [],
            "message": {
                "id": f"m{n}", "author": {"role": role}, "create_time": seconds + 60 * n,
                "content": {"content_type": "text", "parts": [text]},
            },
        })
    last = nodes[-1]["id"]
    return {"title": title, "id": title, "create_time": seconds, "current_node": last, "mapping": {n["id"]: n for n in nodes}}


export.write_text(json.dumps([as_export(title, *chat) for title, chat in CHATS.items()], ensure_ascii=False), encoding="utf-8")

# %% [markdown]
# ## Through the gates
#
# The file is looked through before the first turn is handed out, so nothing is half imported. Each message keeps its own
# time and a stable id: reading the same export again changes nothing.

# %%
chat = open_chat(export, user_id="me")
print(f"a {chat.format} export: {chat.turn_count} messages in {chat.session_count} conversations")

clock = FakeClock(datetime(2026, 3, 20, tzinfo=timezone.utc))  # only so that this page always looks the same
hermes = Hermes.open(Path(folder.name) / "memory", clock=clock, worker=False)


def ingest():
    for turn in open_chat(export, user_id="me"):
        hermes.session("me", turn.session_id).observe(turn.role, turn.text, at=turn.said_at, turn_id=turn.id)
    hermes.flush("me")


ingest()
for item in hermes.memories("me"):
    print(f"{item.status:10} {item.kind:11} {item.confirmations:g}×  {item.text}")

# %%
version = hermes.state("me").version
ingest()
print("read again, nothing changed:", hermes.state("me").version == version)

# %% [markdown]
# In a terminal, all of this is one line: `hermes ingest conversations.json`.
#
# ## Why is this remembered?
#
# `explain` gives the user's own words, the conversation they stood in, and every decision.

# %%
short = next(item for item in hermes.memories("me") if item.slot == "reply_length")
print(hermes.explain("me", short.id).text)

# %% [markdown]
# ## Why is this *not* remembered?
#
# `diagnose` names the stage that lost a statement. Five that one might miss:

# %%
for statement in [
    "I love truffles",  # the assistant said so
    "I prefer payment in cash",  # stood in a pasted contract
    "I lived in Paris",  # a supposition
    "我住在杭州",  # was true once
    "I have two cats",  # never said
]:
    found = hermes.diagnose("me", statement)
    print(f"{statement}\n    {found.stage}: {found.text}\n")

# %% [markdown]
# ## Asking it something
#
# What a model would be shown for a question, and how many tokens it takes:

# %%
with hermes.session("me", "today") as session:
    block = session.context("Where could we eat tonight?")
print(block.text)
print(f"\n{block.tokens} of {block.budget} tokens")

# %% [markdown]
# ## The profile
#
# The same memory by slots, as a read-only value:

# %%
model = hermes.user_model("me")
for trait in model:
    print(f"{trait.layer:10} {trait.slot:13} {', '.join(trait.values)}")

# %% [markdown]
# ## Taking it back
#
# `forget` erases: from recall, from the messages, from the trail, from the files. Importing the same export again can't
# bring it back.

# %%
employer = next(item for item in hermes.memories("me") if item.slot == "occupation")
hermes.forget("me", employer.id)
ingest()
print([item.text for item in hermes.memories("me") if item.slot == "occupation"])
print(hermes.diagnose("me", employer.text).stage)

# %%
hermes.close()
folder.cleanup()
