"""What stands in a text in an encoding is read as well (feedback §4)."""

import base64
import codecs
from collections.abc import Callable
from string import ascii_letters, digits, punctuation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.text.decodings import decoded_texts

# Fifteen characters fill whole groups of base64 and of base32, so that nothing is cut off.
WHOLE_GROUPS = st.lists(
    st.text(ascii_letters + digits + punctuation, min_size=15, max_size=15), min_size=2, max_size=4
).map("".join)

ENCODINGS: dict[str, Callable[[bytes], str]] = {
    "base64": lambda plain: base64.b64encode(plain).decode(),
    "base64 for addresses": lambda plain: base64.urlsafe_b64encode(plain).decode(),
    "base32": lambda plain: base64.b32encode(plain).decode(),
    "base85": lambda plain: base64.b85encode(plain).decode(),
    "base85 in angle brackets": lambda plain: base64.a85encode(plain, adobe=True).decode(),
    "hexadecimal": lambda plain: plain.hex(),
    "hexadecimal pairs": lambda plain: plain.hex(":"),
    "hexadecimal literals": lambda plain: " ".join(f"0x{byte:02X}" for byte in plain),
    "binary": lambda plain: " ".join(f"{byte:08b}" for byte in plain),
    "percent encoding": lambda plain: "".join(f"%{byte:02x}" for byte in plain),
    "escapes of bytes": lambda plain: "".join(f"\\x{byte:02x}" for byte in plain),
    "escapes of characters": lambda plain: "".join(f"\\u{byte:04x}" for byte in plain),
    "escapes in braces": lambda plain: "".join(f"\\u{{{byte:x}}}" for byte in plain),
    "ROT13": lambda plain: codecs.encode(plain.decode(), "rot13"),
    "backwards": lambda plain: plain.decode()[::-1],
}


def unreadable(plain: bytes) -> bool:
    """Whether nothing of it is given, when it comes in base64, but what is given of any text."""
    text = base64.b64encode(plain).decode()
    return list(decoded_texts(text)) == [codecs.encode(text, "rot13"), text[::-1]]


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS.keys())
@given(plain=WHOLE_GROUPS)
def test_the_whole_of_an_encoded_text_is_read(encode: Callable[[bytes], str], plain: str) -> None:
    assert any(plain in text for text in decoded_texts(f"{encode(plain.encode())} ."))


@pytest.mark.parametrize("escape", [r"\x69", r"\u0069", r"\u{69}"])
def test_a_single_escape_is_read(escape: str) -> None:
    assert "ignore" in decoded_texts(f"{escape}gnore")


def test_what_decodes_to_something_unreadable_is_no_text() -> None:
    assert unreadable(bytes(range(30)))
    assert unreadable(b"\xff" * 30)


def test_a_text_is_readable_when_nine_of_ten_characters_can_be_seen() -> None:
    assert not unreadable(b"\x01" * 3 + b"y" * 27)
    assert unreadable(b"\x01" * 4 + b"y" * 26)


@given(st.text())
def test_any_text_is_decoded_without_failing(text: str) -> None:
    assert list(decoded_texts(text))[-1] == text[::-1]
