"""What every ledger checks of its arguments before it writes (S2, L2, I3, law O). Pure; no I/O may live here."""

from __future__ import annotations

from datetime import datetime

from hermes_core.errors import EmbedderMismatch, InvalidInput, OwnerMismatch
from hermes_core.ports import Commit


def check_ids(**ids: str) -> None:
    """S2: an empty or blank id is the caller's mistake."""
    for name, value in ids.items():
        if not isinstance(value, str) or not value.strip():
            raise InvalidInput(f"{name} must be a non-empty text, not {value!r}")


def check_aware(at: datetime) -> None:
    """L2: a naive time is the caller's mistake."""
    if at.tzinfo is None:
        raise InvalidInput(f"{at!r} has no time zone; pass an aware datetime, such as datetime.now(timezone.utc)")


def check_owner(commit: Commit) -> None:
    """Law O: nothing in a commit may belong to another user."""
    owners = {change.user_id for change in commit.changes} | {stored.item.user_id for stored in commit.put}
    owners |= {summary.user_id for summary in commit.summaries}
    if owners - {commit.user_id}:
        raise OwnerMismatch(f"a commit for user {commit.user_id!r} holds rows of {sorted(owners - {commit.user_id})}")


def check_dimension(commit: Commit) -> int | None:
    """Numbers per vector in this commit, None without items. EmbedderMismatch when they differ among themselves."""
    widths = {len(stored.vector) for stored in commit.put}
    if len(widths) > 1:
        raise EmbedderMismatch(f"one commit holds vectors of {sorted(widths)} numbers; nothing was stored")
    return widths.pop() if widths else None


def other_dimension(known: int, given: int) -> EmbedderMismatch:
    return EmbedderMismatch(
        f"this store's vectors have {known} numbers and these have {given}: they come from another embedder; nothing was "
        "stored. Open the store with the embedder that wrote it, or export it and import the lines into a new store"
    )
