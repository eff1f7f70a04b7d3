# %% [markdown]
# # 5 · The panel
#
# Memory belongs to the person it is about. The panel shows them what is remembered, how sure, why, and how it will fade,
# and gives them the last word: *right*, *correct*, *not right*, *pin*, *forget*, and yes or no to what is held.
#
# ![The panel](../docs/images/panel-light.png)
#
# ## A memory to look at
#
# Twelve weeks of one person's chats, from the conversation that the package ships:

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

from hermes_core import Hermes
from hermes_core.demo import load, replay
from hermes_core.demo.player import settings
from hermes_core.testing import FakeClock

folder = TemporaryDirectory()
store = Path(folder.name) / "memory"
conversation = load()
for _ in replay(store, conversation):
    pass

hermes = Hermes.open(store, config=settings(), clock=FakeClock(conversation.next_at), worker=False)
print(f"{len(hermes.memories('lin'))} memories of {conversation.user_id}")

# %% [markdown]
# ## In a notebook
#
# One line. In Jupyter the panel is live: every button acts on the store. A code host runs no widgets and shows the table
# instead, which is the same memory.

# %%
hermes.panel("lin")

# %% [markdown]
# 中文界面：`hermes.panel("lin", language="zh")`，面板右上角也可以随时切换。
#
# ![面板](../docs/images/panel-chinese.png)
#
# ## In a browser
#
# ```console
# $ hermes panel --path ./memory --user lin
# ```
#
# It listens on this machine only, under a link with a new secret for each run, and refuses every other page. Light and
# dark follow the system; keyboard and screen reader reach everything; a phone's width is enough.
#
# ![The panel at night, on a narrow screen](../docs/images/panel-dark.png)
#
# ## What a click does
#
# Every button is one call, and every call is a line of the trail. *Right*:

# %%
tea = next(item for item in hermes.memories("lin") if "乌龙茶" in item.text)
liked = hermes.confirm("lin", tea.id)
print(f"{tea.text}: confidence {tea.confidence:.2f} → {liked.confidence:.2f}")

# %% [markdown]
# *Correct*: the new words take over, the old ones stay in the history.

# %%
new = hermes.correct("lin", tea.id, "我喜欢龙井茶")
print(f"{new.status}: {new.text}")
print(f"{hermes.get('lin', tea.id).status}: {tea.text}")

# %% [markdown]
# *Forget*: gone from memory, from the messages and from the files.

# %%
gone = hermes.forget("lin", new.id)
print(f"{len(gone)} forgotten;", any("龙井" in item.text for item in hermes.memories("lin")))

# %% [markdown]
# And the trail says so, in plain words:

# %%
from hermes_core.answers import describe

for change in hermes.history("lin")[-4:]:
    print(f"v{change.version}  {describe(change)}")

# %%
hermes.close()
folder.cleanup()
