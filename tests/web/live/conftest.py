"""A live table with fakes all round."""

import pytest

from tests.web.live.rooms import Room


@pytest.fixture
def room() -> Room:
    return Room()
