"""A delivery is believed only when it was signed with a secret of its connection."""

import hmac
from collections.abc import Callable
from hashlib import sha1

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from autoswe.rules.intake.signature import SignatureVerdict, sign, verify

bodies = st.binary(max_size=200)
secrets = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)


def test_the_example_in_githubs_documentation_is_valid() -> None:
    """GitHub: "Validating webhook deliveries", section "Testing the webhook payload validation"."""
    secret = " ".join(("It's", "a", "Secret", "to", "Everybody"))
    header = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert verify(header, b"Hello, World!", [secret]) is SignatureVerdict.VALID
    assert sign(b"Hello, World!", secret) == header


@given(bodies, st.lists(secrets, min_size=1, max_size=4), st.data())
def test_during_a_rotation_each_of_the_secrets_is_good(body: bytes, known: list[str], data: st.DataObject) -> None:
    assert verify(sign(body, data.draw(st.sampled_from(known))), body, known) is SignatureVerdict.VALID


@given(bodies, bodies, secrets)
def test_a_signature_is_good_for_its_own_body_only(body: bytes, other: bytes, secret: str) -> None:
    assume(body != other)
    assert verify(sign(body, secret), other, [secret]) is SignatureVerdict.WRONG


@given(bodies, secrets, st.lists(secrets, max_size=3))
def test_a_signature_by_a_secret_that_is_not_known_is_wrong(body: bytes, secret: str, known: list[str]) -> None:
    assume(secret.rstrip("\0") not in {one.rstrip("\0") for one in known})  # HMAC pads a key with zero bytes
    assert verify(sign(body, secret), body, known) is SignatureVerdict.WRONG


@given(bodies, secrets, st.integers(0, 255))
def test_a_signature_with_one_bit_changed_is_wrong(body: bytes, secret: str, bit: int) -> None:
    digest = bytearray.fromhex(sign(body, secret).removeprefix("sha256="))
    digest[bit // 8] ^= 1 << bit % 8
    assert verify(f"sha256={digest.hex()}", body, [secret]) is SignatureVerdict.WRONG


@given(bodies, secrets)
def test_without_a_header_the_signature_is_missing(body: bytes, secret: str) -> None:
    assert verify(None, body, [secret]) is SignatureVerdict.MISSING


@given(st.text(max_size=80), bodies)
def test_whatever_is_not_a_sha256_signature_is_malformed_or_wrong_and_never_raises(header: str, body: bytes) -> None:
    assert verify(header, body, ["secret"]) in {SignatureVerdict.MALFORMED, SignatureVerdict.WRONG}


@pytest.mark.parametrize("spoil", [
    lambda good: good[:0],
    lambda good: good.removeprefix("sha256="),
    lambda good: good[:-1],
    lambda good: f"{good}0",
    lambda good: f"{good}\n",
    lambda good: f" {good}",
    lambda good: f"{good},{good}",
    lambda good: good.replace("sha256", "SHA256"),
    lambda good: good.replace("sha256", "sha1"),
    lambda good: f"{good[:3]}1={hmac.digest(b'secret', b'body', sha1).hex()}",
    lambda good: good[:-1] + "g",
    lambda good: good[:-1] + "\uff11",
])  # fmt: skip
def test_only_sha256_and_64_hexadecimal_digits_are_a_signature(spoil: Callable[[str], str]) -> None:
    assert verify(spoil(sign(b"body", "secret")), b"body", ["secret"]) is SignatureVerdict.MALFORMED


def test_every_secret_is_compared_even_after_one_has_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []
    original = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(other)
        return original(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert verify(sign(b"body", "first"), b"body", ["first", "second", "third"]) is SignatureVerdict.VALID
    assert len(set(compared)) == 3
