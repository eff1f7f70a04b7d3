# %% [markdown]
# # 2 · LangChain: an existing chain, then an agent
#
# Nothing about your chain changes except its `memory=`; nothing about your agent except one middleware. What the user
# said in one session is there in the next, within a token budget, and only the user's own words are ever learned from.

# %%
import warnings
from tempfile import TemporaryDirectory

from langchain.agents import create_agent
from langchain_classic.chains import ConversationChain
from langchain_core._api import LangChainDeprecationWarning
from langchain_core.language_models import SimpleChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from hermes_core import Hermes
from hermes_langchain import HermesMemory, HermesMiddleware, create_recall_tool

warnings.filterwarnings("ignore", category=LangChainDeprecationWarning)  # classic chains are old, and still everywhere

# %% [markdown]
# ## A model that shows its prompt
#
# This stand-in answers by a script and prints what it was asked, which is what we want to see here.

# %%
class ScriptedModel(SimpleChatModel):
    """Answers by `replies`, one after the other, and prints the prompt that it received."""

    replies: list = []
    asked: int = 0

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        for message in messages:
            calls = [f"calls {call['name']}({call['args']})" for call in getattr(message, "tool_calls", [])]
            print(f"[{message.type}] {message.text or ' '.join(calls)}")
        print()
        reply = self.replies[min(self.asked, len(self.replies) - 1)]
        self.asked += 1
        answer = reply if isinstance(reply, AIMessage) else AIMessage(content=reply)
        return ChatResult(generations=[ChatGeneration(message=answer)])

    def _call(self, messages, **kwargs):
        return self._generate(messages).generations[0].text


model = ScriptedModel(replies=["Noted, I'll keep that in mind."])

# %% [markdown]
# **A real model instead**: any chat model that LangChain knows goes in the same place. With a key in your environment,
# replace the last line above by:
#
# ```python
# from langchain.chat_models import init_chat_model
# model = init_chat_model("openai:gpt-4.1-mini")      # or "ollama:qwen3", "anthropic:…", …
# ```

# %% [markdown]
# ## An existing chain
#
# Session one, on Monday. The chain is a plain `ConversationChain`; `HermesMemory` takes the place of
# `ConversationBufferMemory`.

# %%
folder = TemporaryDirectory()
hermes = Hermes.open(folder.name)


def chain(session_id):
    memory = HermesMemory(hermes=hermes, user_id="ada", session_id=session_id)
    return ConversationChain(llm=model, memory=memory)


monday = chain("monday")
monday.invoke("I'm allergic to peanuts, and please keep your answers short.")
print("─" * 40)
monday.invoke("我住在上海，我喜欢乌龙茶。")
hermes.flush("ada")

# %% [markdown]
# What was learned from that:

# %%
for item in hermes.memories("ada"):
    print(f"{item.status:10} {item.kind:11} {item.slot:13} {item.text}")

# %% [markdown]
# Session two, on Friday: another process would do as well, since the store is a folder. Look at the prompt: what is known
# comes as fenced notes, and Monday's chatter does not.

# %%
model.replies, model.asked = ["Rice crackers and a cup of oolong."], 0
friday = chain("friday")
print("→", friday.invoke("Any idea for a late-night snack?")["response"])

# %% [markdown]
# The answer said “oolong”, and so did the notes. Neither is evidence: memory grows by what the *user* says, so a model
# that repeats its memory can't make it truer.

# %%
before = {item.id: item.confirmations for item in hermes.memories("ada")}
hermes.flush("ada")
print("unchanged:", before == {item.id: item.confirmations for item in hermes.memories("ada")})

# %% [markdown]
# ## An agent
#
# `HermesMiddleware` puts memory into the model's request, never into the agent's state or checkpoints, and stores the
# turn afterwards. The user's id comes from the run's context; there is no default user to fall back to.

# %%
agent_model = ScriptedModel(replies=["Enjoy: popcorn, no peanuts."])
agent = create_agent(
    agent_model,
    tools=[],
    system_prompt="You help with food.",
    middleware=[HermesMiddleware(hermes)],
    checkpointer=InMemorySaver(),
)
thread = {"configurable": {"thread_id": "saturday", "user_id": "ada"}}
result = agent.invoke({"messages": "Something for the film tonight?"}, thread)

# %% [markdown]
# The state that LangGraph keeps holds the conversation only:

# %%
for message in result["messages"]:
    print(f"{message.type:6} {message.text}")

# %% [markdown]
# ### Looking things up on its own
#
# With the recall tool the agent asks memory itself, for details that didn't fit. Here the scripted model calls it once;
# the second prompt shows what came back.

# %%
call = AIMessage(content="", tool_calls=[{"name": "recall_memory", "args": {"query": "tea"}, "id": "call-1"}])
curious = create_agent(
    ScriptedModel(replies=[call, "Oolong, as always?"]),
    tools=[create_recall_tool(hermes)],
    middleware=[HermesMiddleware(hermes)],
    checkpointer=InMemorySaver(),
)
answer = curious.invoke(
    {"messages": "What should I drink?"}, {"configurable": {"thread_id": "sunday", "user_id": "ada"}}
)
print("→", answer["messages"][-1].text)

# %% [markdown]
# ### Nobody is guessed
#
# Without a user id the call fails before anything is read or written.

# %%
try:
    agent.invoke({"messages": "Who am I?"}, {"configurable": {"thread_id": "anonymous"}})
except ValueError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown]
# ## Corrections reach the next session
#
# People move. The new statement takes the old one's place, and the old one stays in the history.

# %%
model.replies, model.asked = ["Congratulations."], 0
chain("next-month").invoke("I moved to Hangzhou last week.")
hermes.flush("ada")
for item in hermes.memories("ada"):
    if item.slot == "residence":
        print(f"{item.status:10} {item.text}")

# %%
hermes.close()
folder.cleanup()
