# %% [markdown]
# # 3 · LlamaIndex: a chat engine and an agent
#
# `HermesMemory` is a LlamaIndex `Memory`: pass it wherever a chat engine or an agent takes one. What the user says is
# stored as it is put, what is known comes back within a token budget, and one store serves LangChain as well.

# %%
from tempfile import TemporaryDirectory

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, CompletionResponse, LLMMetadata, ToolCallBlock
from llama_index.core.chat_engine import CondensePlusContextChatEngine, SimpleChatEngine
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.mock import MockFunctionCallingLLM

from hermes_core import Hermes
from hermes_llamaindex import HermesMemory, HermesRetriever, create_recall_tool

# %% [markdown]
# ## A model that shows its prompt
#
# Two small stand-ins, one for chat engines and one that can call tools. They answer by a script and print what they were
# asked.

# %%
def show(messages):
    for message in messages:
        calls = [f"calls {b.tool_name}({b.tool_kwargs})" for b in message.blocks if isinstance(b, ToolCallBlock)]
        print(f"[{message.role.value}] {message.content or ' '.join(calls)}")


class ScriptedLLM(CustomLLM):
    """Answers with `reply` and prints the prompt that it received."""

    reply: str = "Noted."

    @property
    def metadata(self):
        return LLMMetadata(context_window=8000, is_chat_model=True)

    def chat(self, messages, **kwargs):
        show(messages)
        return ChatResponse(message=ChatMessage(role="assistant", content=self.reply))

    def complete(self, prompt, formatted=False, **kwargs):
        return CompletionResponse(text=self.reply)

    def stream_complete(self, prompt, formatted=False, **kwargs):
        raise NotImplementedError


def scripted_agent_llm(*replies):
    """LlamaIndex's function calling mock, answering by these messages in turn."""
    waiting = list(replies)

    def answer(messages, **kwargs):
        show(messages)
        print()
        return waiting.pop(0)

    llm = MockFunctionCallingLLM(is_chat_model=True)
    llm.response_generator = answer
    return llm


llm = ScriptedLLM()

# %% [markdown]
# **A real model instead**: any LlamaIndex LLM goes in the same place.
#
# ```python
# from llama_index.llms.openai import OpenAI          # pip install llama-index-llms-openai
# llm = OpenAI("gpt-4.1-mini")                         # or Ollama("qwen3"), …
# ```

# %% [markdown]
# ## A chat engine
#
# Session one:

# %%
folder = TemporaryDirectory()
hermes = Hermes.open(folder.name)


def engine(session_id):
    memory = HermesMemory.from_core(hermes, user_id="ada", session_id=session_id)
    return SimpleChatEngine.from_defaults(llm=llm, memory=memory)


monday = engine("monday")
monday.chat("I'm allergic to peanuts. 我喜欢乌龙茶。")
hermes.flush("ada")
print()
for item in hermes.memories("ada"):
    print(f"{item.status:10} {item.kind:11} {item.text}")

# %% [markdown]
# Session two. What is known joins the user's message; the stored conversation holds the message alone.

# %%
llm.reply = "Popcorn, and oolong with it."
friday = engine("friday")
print("\n→", friday.chat("A snack for tonight?"))

# %%
for message in friday.chat_history:
    print(f"[{message.role.value}] {message.content}")

# %% [markdown]
# ## Retrieval: memory beside your documents
#
# A context engine takes a retriever. `HermesRetriever` gives memories as nodes; `HermesMemory(inject=False)` keeps the
# conversation and lets the retriever do the showing.

# %%
memory = HermesMemory.from_core(hermes, user_id="ada", session_id="saturday", inject=False)
with_context = CondensePlusContextChatEngine.from_defaults(
    retriever=HermesRetriever(hermes, user_id="ada"), memory=memory, llm=llm, skip_condense=True
)
print("\n→", with_context.chat("What do I like to drink?"))

# %% [markdown]
# ## An agent
#
# The same memory in a `FunctionAgent`, and a tool by which it looks things up itself. The second prompt shows the tool's
# answer; nothing of it is ever learned from.

# %%
call = ChatMessage(
    role="assistant",
    blocks=[ToolCallBlock(tool_call_id="call-1", tool_name="recall_memory", tool_kwargs={"query": "allergy"})],
)
done = ChatMessage(role="assistant", content="Peanuts are out, rice crackers are fine.")
agent = FunctionAgent(
    tools=[create_recall_tool(hermes, user_id="ada", session_id="sunday")],
    llm=scripted_agent_llm(call, done),
    system_prompt="You help with food.",
    streaming=False,
)
memory = HermesMemory.from_core(hermes, user_id="ada", session_id="sunday")
answer = await agent.run(user_msg="May I have the satay?", memory=memory)
print("→", answer)

# %% [markdown]
# ## One store, both frameworks
#
# What a LlamaIndex engine learned, a LangChain chain knows: the store belongs to neither.

# %%
from hermes_langchain import HermesMemory as LangChainMemory

chain_memory = LangChainMemory(hermes=hermes, user_id="ada", session_id="elsewhere")
print(chain_memory.load_memory_variables({"input": "A snack?"})["history"])

# %%
hermes.close()
folder.cleanup()
