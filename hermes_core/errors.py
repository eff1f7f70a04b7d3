"""Every error that Hermes raises, sorted by who must act. A gate's refusal is a result, never an exception.

Nothing here derives from RuntimeError: a host that runs coroutines for its callers may mistake one for a
complaint about its event loop.
"""

from __future__ import annotations


class HermesError(Exception):
    """Base of everything that Hermes raises on purpose."""


# The caller must act: the call was wrong, nothing was done.
class InvalidInput(HermesError, ValueError):
    """An argument that can't be used; the message says which, why, and what to pass instead."""


class NotFound(HermesError, KeyError):
    """The item, version or session asked for does not exist for this user."""

    def __str__(self) -> str:  # KeyError would print the repr
        return str(self.args[0]) if self.args else ""


class OwnerMismatch(HermesError, PermissionError):
    """An id that belongs to another user was used (law O); it is logged as well."""


class Closed(HermesError, ValueError):
    """The store was closed; open it again."""


# The outside world must act: a disk, a server, a model, another process.
class StoreError(HermesError, OSError):
    """The store can't be read or written (full disk, read-only folder, lost connection)."""


class StoreDamaged(StoreError):
    """A file of the store is not what it should be; nothing was changed."""


class SchemaMismatch(StoreError):
    """The store was written by a newer Hermes; nothing was changed."""


class EmbedderMismatch(StoreError):
    """The store's vectors come from another embedder; the message says how to re-embed."""


class ExtractionFailed(HermesError):
    """An extractor could not answer; the turn is kept and retried."""


class ExtractorUnreachable(ExtractionFailed):
    """The extractor's model or server could not be asked now (down, slow, over its rate); worth another try later."""


class EmbeddingFailed(HermesError):
    """An embedder could not answer, or answered with something that are no vectors; nothing was stored."""


class TimedOut(HermesError, TimeoutError):
    """The wait ended before the work did; the work goes on."""


# We must act: a bug in Hermes.
class IllegalTransition(HermesError, AssertionError):
    """A step that is not in TRANSITIONS was attempted."""


class LawBroken(HermesError, AssertionError):
    """An invariant would not hold; the write was abandoned before anything was stored."""


class VersionConflict(HermesError):
    """The user's version moved between read and commit; the shell decides again."""
