from __future__ import annotations

from referee import load_ruleset
from tests.fakes import blank, fake_reader
from vision.findings import Mark, SetFinding, find


def findings(table: str, doubts: dict[str, str] | None = None) -> tuple[SetFinding, ...]:
    return find(fake_reader(table, doubts).read(blank(), load_ruleset("standard")))


def test_a_legal_set_needs_no_words() -> None:
    assert findings("R3 R4 R5") == (SetFinding(Mark.VALID, "R3 R4 R5"),)


def test_a_wrong_set_says_why() -> None:
    (finding,) = findings("R3 R4 R6")
    assert (finding.mark, finding.hints) == (Mark.INVALID, ())
    assert finding.reasons == ("Red 5 is missing between Red 4 and Red 6.",)


def test_a_set_in_the_wrong_order_gets_advice() -> None:
    (finding,) = findings("R12 R13 J")
    assert (finding.mark, finding.reasons) == (Mark.VALID, ())
    assert finding.hints == ("Move the joker: lay the set as J R12 R13.",)


def test_an_unsure_tile_is_asked_about_once() -> None:
    (finding,) = findings("B7 K8 O9", {"K8": "Glare covers the number."})
    assert finding == SetFinding(Mark.UNSURE, "B7 K8? O9", ("Black 8? Glare covers the number.",))


def test_a_tile_that_lies_alone_is_loose() -> None:
    first, second = findings("R3 | J")
    assert first.loose
    assert second.loose
    assert first.reasons == ("Red 3 lies alone; a set needs three tiles.",)


def test_a_loose_tile_too_many_is_more_than_loose() -> None:
    assert not any(finding.loose for finding in findings("R3 | R3 | R3"))


def test_a_face_too_many_is_asked_about_and_held_against_nobody() -> None:
    first, second, third = findings("R3 R4 R5 | R3 B3 K3 | R3 O3 B3")
    assert {first.mark, second.mark, third.mark} == {Mark.UNSURE}
    assert first.reasons == second.reasons == third.reasons
    assert "3 Red 3s" in first.reasons[0]
    maybe, *_ = findings("R3 R4 R6 | R3 B3 K3 | R3 O3 B3")
    assert maybe.mark is Mark.UNSURE
    wrong, *_ = findings("R3 R4 R7 | R3 B3 K3 | R3 O3 B3")
    assert wrong.mark is Mark.INVALID
