"""The six recorded games with all real parts: networks, watcher, referee, live table and store."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from referee import parse_table
from referee.events import Drew, Played, RoundEnded
from tests.web.live.recorded_games import beginning, happened, same, show
from vision.loading import load_table_reader
from vision.recordings import bundled_recordings, load_recording
from web.live.comparing import part_key
from web.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.events import Event
    from tests.web.live.recorded_games import Said, Showing
    from vision.pipeline import TableReader
    from vision.recordings import Recording
    from web.store import Recorded, Store

GAMES = bundled_recordings()
# What the losers hold when somebody is out; the films do not show their racks.
LEFT = {
    "crazy": {"Dan": "K13"},
    "keadle": {"Eve": "", "Finn": "R1 R2 R3 R4 R5 R6 R7 R8 R9", "Gina": "B1 B2 B3 B4 B5 B6"},
    "standard": {"Bob": "J R2 R3"},
}
SCORES = {
    "crazy": {"Cleo": 13, "Dan": -13},
    "keadle": {"Eve": 0, "Finn": 15 + 8 * 5, "Gina": 15 + 5 * 5},
    "standard": {"Ann": 35, "Bob": -35},
}


@dataclass(frozen=True)
class Film:
    """A film, what was said of it, and what the store has of it when it is opened again."""

    name: str
    recording: Recording
    showing: Showing
    store: Store

    @property
    def kept(self) -> tuple[Recorded, ...]:
        return self.store.current(1)

    def said(self, *kinds: str) -> list[Said]:
        return [said for said in self.showing.said if said.still.kind in kinds]


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return load_table_reader()


@pytest.fixture(scope="module", params=sorted(GAMES))
def film(
    request: pytest.FixtureRequest, reader: TableReader, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Film]:
    path = GAMES[request.param]
    recording = load_recording(path)
    url = f"sqlite:///{tmp_path_factory.mktemp(request.param) / 'matches.sqlite'}"
    with open_store(url) as store:
        showing = show(
            recording, path.parent / recording.video, reader, store, LEFT.get(request.param)
        )
    with open_store(url) as store:
        yield Film(request.param, recording, showing, store)


def test_every_turn_is_proposed_as_what_it_is(film: Film) -> None:
    turns = film.said("turn")
    assert [said.still for said in film.showing.said] == list(film.recording.stills)
    assert [said.word for said in turns] == [
        "legal" if said.still.legal else "illegal" for said in turns
    ]
    assert [said for said in turns if not said.exact] == []
    assert [said.codes for said in turns] == [list(said.still.codes) for said in turns]


def test_every_turn_is_its_players(film: Film) -> None:
    turns = [said for said in film.said("turn") if said.proposal]
    assert [said.proposal["player"] for said in turns if said.proposal] == [
        said.still.player for said in turns
    ]


def test_only_illegal_turns_are_not_taken(film: Film) -> None:
    for said in film.said("turn"):
        assert said.refusal.startswith("" if said.still.legal else "This turn is not legal: ")
        assert bool(said.refusal) is not said.still.legal


def test_nothing_is_said_where_nobody_plays(film: Film) -> None:
    quiet = film.said("start", "rest", "bump", "lamp", "draw")
    assert [said.still.scene for said in quiet if said.spoke] == []
    # While tiles are put back, what was said before still stands.
    restored = film.said("restore")
    assert [said.still.scene for said in restored if said.proposal] == []


def test_table_and_record_never_disagree(film: Film) -> None:
    assert [said.desync for said in film.showing.said if said.desync] == []


def test_the_last_table_is_the_films(film: Film) -> None:
    played = [one.event for one in film.kept if isinstance(one.event, Played)]
    shown = film.showing.last["match"]["table"]
    for table in (shown, played[-1].table):
        assert _parts(table) == _parts(film.recording.stills[-1].table)


def test_the_store_has_what_happened_once_and_in_order(film: Film) -> None:
    expected: list[Event] = [*beginning(film.recording), *(e for _, e in happened(film.recording))]
    if film.name in LEFT:
        expected.append(RoundEnded(LEFT[film.name]))
    events = [one.event for one in film.kept]
    assert [type(event) for event in events] == [type(event) for event in expected]
    for event, wanted in zip(events, expected, strict=True):
        if isinstance(event, Played) and isinstance(wanted, Played):
            assert same(event.table, wanted.table)
        else:
            assert event == wanted
    assert len(film.store.records(1)) == len(expected)


def test_every_turn_has_its_picture(film: Film) -> None:
    begun = len(beginning(film.recording))
    turns = [one for one in film.kept[begun:] if isinstance(one.event, Played)]
    pictures = [film.store.evidence(one.evidence_id or 0) for one in turns]
    assert [(picture or b"")[:3] for picture in pictures] == [b"\xff\xd8\xff"] * len(turns)


def test_racks_and_scores_are_right(film: Film) -> None:
    racks = Counter(film.recording.stills[-1].racks)
    drawn = [name for name, event in happened(film.recording) if isinstance(event, Drew)]
    unseen = Counter(drawn) - Counter(said.still.player for said in film.said("draw"))
    players: list[dict[str, Any]] = film.showing.last["match"]["players"]
    for player in players:
        assert player["rack"] == racks[player["name"]] + unseen[player["name"]]
    scores = SCORES.get(film.name, dict.fromkeys(racks, 0))
    assert {player["name"]: player["score"] for player in players} == scores


def _parts(table: str) -> list[Any]:
    """Return the sets in an order of their own; each reads the same from either side."""
    return sorted(part_key(part) for part in parse_table(table).parts)
