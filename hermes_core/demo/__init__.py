"""The demo: twelve weeks of one person's chats (conversation.json), replayed under a clock into a real store.

A replay may not know what it will lead to: nothing here but data, the replay, and its printing.
"""

from __future__ import annotations

from hermes_core.demo.player import Finished, ReplayedSession, ReplayedTurn, replay
from hermes_core.demo.script import Conversation, load

__all__ = ["Conversation", "Finished", "ReplayedSession", "ReplayedTurn", "load", "replay"]
