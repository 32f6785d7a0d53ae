"""A ZIP file's members are read as far as they may go."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest
from hypothesis import strategies as st

from web.zips import MemberTooLargeError, read_member


def archive(**members: bytes) -> zipfile.ZipFile:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return zipfile.ZipFile(file)


DAMAGE = {
    "place": st.floats(0, 1, exclude_max=True),
    "gone": st.integers(0, 20),
    "instead": st.binary(max_size=2),
}


def damaged(data: bytes, place: float, gone: int, instead: bytes) -> bytes:
    """A file of which some bytes are missing, or others."""
    at = int(len(data) * place)
    return data[:at] + instead + data[at + gone :]


def test_a_member_is_read_up_to_its_limit() -> None:
    with archive(one=b"x" * 10, none=b"") as made:
        assert read_member(made, "one", 10) == b"x" * 10
        assert read_member(made, "none", 0) == b""


@pytest.mark.parametrize("claimed", [None, 5])
def test_a_larger_one_is_refused_whatever_size_it_gives(claimed: int | None) -> None:
    with archive(one=b"x" * 1_000_000) as made:
        if claimed is not None:
            made.getinfo("one").file_size = claimed
        with pytest.raises((MemberTooLargeError, zipfile.BadZipFile)) as refused:
            read_member(made, "one", 100)
    if claimed is None:
        assert str(refused.value) == "one is larger than 100 bytes"


def test_one_that_is_not_there_is_a_missing_key() -> None:
    with archive() as made, pytest.raises(KeyError):
        read_member(made, "one", 100)
