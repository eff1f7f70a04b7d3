"""Keys and authenticated encryption for what is sensitive (C8), on the library `cryptography` (extra `crypto`).

AES-256-GCM; each sealed text names its key, so keys can be rotated. No rule may live here, and no key is ever
written, logged or shown.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from hermes_core.errors import InvalidInput, StoreDamaged, StoreError
from hermes_core.ports import Cipher

ENVIRONMENT = "HERMES_KEY"
KEY_CHECK = "key_check"  # meta entry: a known text, sealed, by which a wrong key is told at once
KEY_BYTES = 32
_NAME_BYTES, _NONCE_BYTES = 4, 12
_FORMAT = b"\x01"
_HOW = "make one with hermes_core.stores.sealing.new_key()"


def new_key() -> str:
    """A fresh key as text: 32 random bytes in URL-safe base64."""
    return base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode()


class Keyring:
    """A Cipher: seals with the first key, opens with any (so an old key stays until `reseal` has been run).

    InvalidInput on a key that is none, StoreError when a text was sealed with a key that is not here, StoreDamaged
    when its bytes were altered.
    """

    def __init__(self, keys: Iterable[str | bytes]) -> None:
        raw = [_decoded(key) for key in keys]
        if not raw:
            raise InvalidInput(f"a keyring needs at least one key; {_HOW}")
        aead = _aead()
        self._keys: Mapping[bytes, Any] = {_name(key): aead(key) for key in reversed(raw)}
        self._first = _name(raw[0])

    @classmethod
    def from_environment(cls, name: str = ENVIRONMENT) -> Keyring | None:
        """The keys in this variable, comma-separated, the one to seal with first; None when it is not set."""
        text = os.environ.get(name, "").strip()
        return cls(part for part in text.split(",") if part.strip()) if text else None

    def __repr__(self) -> str:
        return f"Keyring({len(self._keys)} key(s))"

    def __reduce__(self) -> str:
        raise TypeError("a keyring can't be pickled: keys stay where they are")

    def encrypt(self, plain: bytes) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return _FORMAT + self._first + nonce + bytes(self._keys[self._first].encrypt(nonce, plain, self._first))

    def decrypt(self, sealed: bytes) -> bytes:
        name, nonce = sealed[1 : 1 + _NAME_BYTES], sealed[1 + _NAME_BYTES : 1 + _NAME_BYTES + _NONCE_BYTES]
        if sealed[:1] != _FORMAT or len(nonce) < _NONCE_BYTES:
            raise StoreDamaged("a sealed row is not what this version of Hermes seals; restore ledger.db from a backup")
        key = self._keys.get(bytes(name))
        if key is None:
            raise StoreError(
                f"a row was sealed with another key than the {len(self._keys)} given; open the store with that key "
                f"as well (cipher=… or {ENVIRONMENT}=new,old)"
            )
        try:
            return bytes(key.decrypt(nonce, sealed[1 + _NAME_BYTES + _NONCE_BYTES :], name))
        except _invalid_tag() as error:
            raise StoreDamaged("a sealed row was altered; restore ledger.db from a backup") from error


def cipher_from(given: object) -> Cipher | None:
    """What `Hermes.open(cipher=…)` takes: a Cipher, a key, several (the first seals), a function that gives one of
    these (a key provider), or None for the environment's. InvalidInput on anything else."""
    if given is None:
        return Keyring.from_environment()
    if isinstance(given, (str, bytes)):
        return Keyring([given])
    if isinstance(given, Cipher):
        return given
    if isinstance(given, (list, tuple)):
        return Keyring(given)
    if callable(given):
        provided = given()
        if provided is None or callable(provided):
            raise InvalidInput("the key provider gave no key")
        return cipher_from(provided)
    raise InvalidInput(f"cipher must be a key, a list of keys, a Cipher or a function, not {type(given).__name__}")


def key_check(cipher: Cipher) -> str:
    return cipher.encrypt(KEY_CHECK.encode()).hex()


def _decoded(key: str | bytes) -> bytes:
    """32 bytes from bytes, base64 (either alphabet) or hexadecimal digits; a passphrase is refused."""
    if isinstance(key, bytes) and len(key) == KEY_BYTES:
        return key
    text = key.decode("ascii", "replace") if isinstance(key, bytes) else key if isinstance(key, str) else ""
    text = text.strip()
    if len(text) == 2 * KEY_BYTES:
        try:
            return bytes.fromhex(text)
        except ValueError:
            pass
    try:
        raw = base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != KEY_BYTES:
        raise InvalidInput(f"a key is {KEY_BYTES} random bytes in base64 or hexadecimal digits; {_HOW}")
    return raw


def _name(key: bytes) -> bytes:
    """Tells keys apart and says nothing of them."""
    return hashlib.blake2b(key, digest_size=_NAME_BYTES, person=b"hermes key name").digest()


def _aead() -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ModuleNotFoundError as error:
        raise InvalidInput("encryption needs the extra: pip install 'hermes-dualgate[crypto]'") from error
    return AESGCM


def _invalid_tag() -> type[Exception]:
    from cryptography.exceptions import InvalidTag

    return InvalidTag
