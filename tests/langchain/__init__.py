"""LangChain: the wrapper through the framework's own chains, histories, agents and suites."""
