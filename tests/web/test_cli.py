from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner
from PIL import Image

from referee import ruleset_names
from tests.fakes import fake_reader
from vision.resources import ResourceError
from web.cli import cli

if TYPE_CHECKING:
    from click.testing import Result

    from vision.pipeline import TableReader

WRONG = "R3 R4 R5 | B7 K7 B7"


def run(*args: str | Path, table: str = WRONG, doubts: dict[str, str] | None = None) -> Result:
    reader = fake_reader(table, doubts)

    def load(_models_dir: Path | None) -> TableReader:
        return reader

    return CliRunner().invoke(cli, [str(arg) for arg in args], obj=load)


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "table.jpg"
    Image.new("RGB", (1000, 750), (120, 90, 60)).save(path)
    return path


def test_a_photo_that_may_not_be_read_does_not_stop_the_others(
    photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked, read_bytes = photo.with_name("locked.jpg"), Path.read_bytes
    locked.write_bytes(photo.read_bytes())

    def read(path: Path) -> bytes:
        if path == locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(os, "access", lambda path, *_: Path(path) != locked)
    monkeypatch.setattr(Path, "read_bytes", read)
    result = run("read", locked, photo)
    assert result.exit_code == 1
    assert f"{locked}: cannot be opened (Permission denied)" in result.stderr
    assert f"{photo}: 6 tiles" in result.stdout


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.jpg"
    path.write_bytes(b"no picture")
    return path


def test_a_table_is_told_set_by_set(photo: Path) -> None:
    result = run("read", photo)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{photo}: 6 tiles in 2 sets",
        "  ok     R3 R4 R5",
        "  wrong  B7 K7 B7",
        "         Blue 7 is in this group twice.",
        "  The table is not legal: 1 set wrong.",
    ]


def test_a_rack_is_listed_and_valued(photo: Path) -> None:
    told = run("read", "--as", "rack", photo, table="R7 J B3").stdout.splitlines()
    assert told == [f"{photo}: 3 tiles, 40 points", "  R7 B3 J"]


def test_a_rack_with_an_unsure_tile_asks_before_it_counts(photo: Path) -> None:
    doubts = {"R7": "Glare covers the number."}
    told = run("read", "--as", "rack", photo, table="R7 B3", doubts=doubts).stdout
    assert "10 points if that is right" in told
    assert "Glare covers the number." in told
    found = objects(run("read", "--as", "rack", "--json", photo, table="R7 B3", doubts=doubts))
    assert (found[0]["rack"], found[0]["value"], found[0]["unsure"]) == ("R7 B3", 10, [0])
    assert ["doubt" in tile for tile in found[0]["tiles"]] == [True, False]


def test_a_rack_counts_by_its_ruleset(photo: Path) -> None:
    found = objects(
        run("read", "--as", "rack", "--json", "--rules", "keadle", photo, table="R7 J")
    )
    standard = objects(run("read", "--as", "rack", "--json", photo, table="R7 J"))
    assert found[0]["value"] != standard[0]["value"] == 37


def test_an_unsure_tile_is_asked_about(photo: Path) -> None:
    result = run("read", photo, table="B7 K8 O7", doubts={"K8": "Glare covers the number."})
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == [
        "  look   B7 K8? O7",
        "         Black 8? Glare covers the number.",
        "  Can't tell yet: look at 1 set.",
    ]


def test_loose_tiles_are_told_together(photo: Path) -> None:
    result = run("read", photo, table="R3 | R4 R5 R6 | B7")
    assert result.stdout.splitlines()[1:] == [
        "  ok     R4 R5 R6",
        "  wrong  R3 | B7",
        "         Tiles that lie alone are no sets.",
        "  The table is not legal: 2 sets wrong.",
        "  If what lies alone is no tile, the table is legal.",
    ]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("R4 R5 R6 | B7", True),
        ("R4 R5 R6", False),
        ("R4 R5 R6 | B7 B8", False),
        ("R4 R5 R7 | B7", False),
        ("B7", False),
    ],
)
def test_what_lies_alone_beside_whole_sets_may_be_no_tile(
    photo: Path, table: str, told: bool
) -> None:
    assert ("If what lies alone is no tile" in run("read", photo, table=table).stdout) is told


def test_a_picture_without_tiles_says_so(photo: Path) -> None:
    result = run("read", photo, table="")
    assert (result.exit_code, result.stdout) == (0, f"{photo}: no tiles found\n")


def test_json_keeps_the_order_and_survives_a_bad_file(photo: Path, broken: Path) -> None:
    result = run("read", "--json", photo, broken, "missing.jpg", photo)
    assert result.exit_code == 1
    answers = objects(result)
    assert [answer["photo"] for answer in answers] == [
        *(str(photo), str(broken), "missing.jpg", str(photo))
    ]
    assert [list(answer)[2] for answer in answers] == ["width", "error", "error", "width"]
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"{broken}: not a picture")
    assert lines[1] == "missing.jpg: no such file; check the name"
    assert len(lines) == 2


def test_without_json_errors_go_to_stderr_only(photo: Path, broken: Path) -> None:
    result = run("read", broken, photo)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{photo}: 6 tiles")
    assert result.stderr.count("\n") == 1


def test_a_name_with_a_line_break_still_gives_one_line() -> None:
    assert run("read", "two\nlines.jpg").stderr.count("\n") == 1


@pytest.mark.parametrize("args", [["read"], ["read", "--rules", "none", "a.jpg"], ["raed"]])
def test_wrong_usage_is_exit_2(args: list[str]) -> None:
    assert run(*args).exit_code == 2


def test_rules_are_chosen_by_name(photo: Path) -> None:
    table = "R12 R13 R1"
    standard, keadle = (
        objects(run("read", "--json", "--rules", name, photo, table=table))[0]["verdict"]["ok"]
        for name in ("standard", "keadle")
    )
    assert (standard, keadle) == (False, True)


def test_annotated_pictures_of_same_names_stay_apart(photo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "TABLE.png"
    other.parent.mkdir()
    Image.new("RGB", (500, 500)).save(other)
    result = run("read", photo, other, photo, "--annotated", tmp_path / "new" / "out")
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "new" / "out").iterdir()) == [
        "TABLE-2.annotated.jpg",
        "table-3.annotated.jpg",
        "table.annotated.jpg",
    ]


def test_the_photo_is_never_replaced(photo: Path) -> None:
    before = photo.read_bytes()
    assert run("read", photo, "--annotated", photo.parent).exit_code == 0
    assert photo.read_bytes() == before


def test_an_annotated_folder_that_is_a_file_is_wrong_usage(photo: Path) -> None:
    result = run("read", photo, "--annotated", photo)
    assert result.exit_code == 2
    assert f"cannot make the folder {photo}" in result.stderr


def test_an_annotated_picture_that_cannot_be_written_is_one_line(
    photo: Path, tmp_path: Path
) -> None:
    (tmp_path / "out" / "table.annotated.jpg").mkdir(parents=True)
    result = run("read", photo, "--annotated", tmp_path / "out")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{photo}: cannot write {tmp_path / 'out'}")
    assert result.stderr.count("\n") == 1


def test_missing_networks_are_one_line(photo: Path) -> None:
    def load(_models_dir: Path | None) -> TableReader:
        raise ResourceError("the models folder is missing")

    result = CliRunner().invoke(cli, ["read", str(photo)], obj=load)
    assert (result.exit_code, result.stderr) == (1, "Error: the models folder is missing\n")


def label_file(photo: Path, face: str) -> Path:
    quad = [[50, 40], [110, 40], [110, 130], [50, 130]]
    entry = {
        "photo": photo.name, "split": "dev", "width": 1000, "height": 750,
        "tiles": [{"tile": face, "quad": quad}],
    }  # fmt: skip
    path = photo.parent / "labels.json"
    path.write_text(json.dumps([entry]), "utf-8")
    return path


def test_evaluate_prints_and_writes(photo: Path) -> None:
    csv_path = photo.parent / "result.csv"
    labels = label_file(photo, "R7")
    args = ("evaluate", labels, "--split", "dev", "--csv", csv_path, "--verbose")
    result = run(*args, table="R3")
    assert result.exit_code == 0, result.output
    assert "table.jpg: R7 at (80, 85) read as R3 (0.990, sure)" in result.stdout
    header, *rows = csv_path.read_text("utf-8").splitlines()
    assert header.startswith("group,photos,tiles,recall,precision,number,colour,joint,tile_f1")
    assert rows[-1].startswith("all,1,1,1.00000,1.00000,0.00000,1.00000,0.00000,0.00000")


def test_evaluate_reads_racks_whose_tiles_make_no_sets(photo: Path) -> None:
    result = run("evaluate", label_file(photo, "R7"), "--as", "rack", table="R7")
    assert result.exit_code == 0, result.output
    assert re.search(r"^all +1 +1 ", result.stdout, re.MULTILINE)


def test_evaluate_refuses_labels_of_a_picture_of_another_size(photo: Path) -> None:
    labels = label_file(photo, "R7")
    labels.write_text(labels.read_text("utf-8").replace('"width": 1000', '"width": 500'), "utf-8")
    result = run("evaluate", labels)
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "has 1000 x 750 pixels, its labels 500 x 750" in result.stderr


def test_evaluate_reads_photos_as_other_light_would_show_them(photo: Path) -> None:
    result = run("evaluate", label_file(photo, "R7"), "--altered", table="R7")
    assert result.exit_code == 0, result.output
    for name in ("as it is", "candles", "from lower", "all"):
        assert re.search(rf"^{name} +\d", result.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--suite", "plain", "--altered"], "--altered wants LABELS.json"),
        (["--suite", "plain", "--split", "dev"], "--split wants LABELS.json"),
        (["--suite", "plain", "--as", "rack"], "--as wants LABELS.json"),
        (["labels.json", "--csv", "no/folder.csv"], "cannot write no/folder.csv"),
        (["labels.json", "--taught"], "--taught wants --suite NAME"),
        (["labels.json", "--tables", "60"], "--tables wants --suite NAME"),
        (["labels.json", "--failures", "here"], "--failures wants --suite NAME"),
    ],
)
def test_evaluate_refuses_what_it_would_not_heed(args: list[str], said: str) -> None:
    result = run("evaluate", *args)
    assert result.exit_code == 2
    assert said in result.stderr


def test_evaluate_names_what_is_missing(photo: Path) -> None:
    labels = label_file(photo, "R7")
    photo.unlink()
    for args in (("evaluate", labels), ("evaluate", photo), ("evaluate", labels, "--split", "x")):
        result = run(*args)
        assert result.exit_code == 1
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [["bench"], ["bench", "pictures"]])
def test_bench_prints_the_stages(photo: Path, command: list[str]) -> None:
    result = run(*command, "--runs", "1", photo)
    assert result.exit_code == 0, result.output
    assert "medians of 1 run" in result.stdout
    assert "1000x750" in result.stdout


def test_bench_names_the_photo_that_it_cannot_read() -> None:
    refused = run("bench", "missing.jpg")
    assert refused.exit_code == 1
    assert refused.output == "Error: missing.jpg: no such file; check the name\n"


def test_the_rulesets_are_listed() -> None:
    shown = run("rules", "list").stdout
    assert {*ruleset_names(), "american", "international"} <= {*shown.split()}
    assert "not publicly complete" in shown
    assert run("rules").stdout == shown


def test_a_ruleset_is_shown_with_every_parameter() -> None:
    shown = run("rules", "show", "mcgraw").stdout
    assert "\n# tiles; default 14; rules reference 5.3, 6.2\ndeal = 28\n" in shown
    assert run("rules", "show", "american").exit_code == 2


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "sunday.toml"
    path.write_text('extends = "standard"\nwrap = true\n', "utf-8")
    return path


def test_a_house_ruleset_is_checked(house: Path) -> None:
    result = run("rules", "check", house)
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [f"{house}: right; 'sunday' extends standard", "wrap = true (standard: false)"],
    )
    house.write_text('extends = "standard"\nwarp = true\n', "utf-8")
    wrong = run("rules", "check", house)
    assert (wrong.exit_code, wrong.stderr) == (
        1,
        f"Error: {house}: unknown parameter 'warp'; did you mean 'wrap'?\n",
    )
    assert run("rules", "check", house.parent / "none.toml").exit_code == 1


def test_a_house_ruleset_judges_photos(photo: Path, house: Path) -> None:
    (answer,) = objects(run("read", "--json", "--rules", house, photo, table="R12 R13 R1"))
    assert answer["verdict"]["ok"] is True
    house.write_text("deal = [", "utf-8")
    result = run("read", "--rules", house, photo)
    assert result.exit_code == 2
    assert f"{house}: not TOML" in result.stderr


def test_a_request_names_no_files(house: Path) -> None:
    request = json.dumps({"kind": "set", "set": "R12 R13 R1", "ruleset": str(house)})
    result = CliRunner().invoke(cli, ["judge", "--jsonl"], input=request)
    assert objects(result)[0]["error"]["type"] == "RulesetError"


def test_judge_says_that_nothing_can_be_asked_where_its_input_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("web.referee_commands.sys", SimpleNamespace(stdin=None))
    result = CliRunner().invoke(cli, ["judge", "--jsonl"])
    assert result.exit_code == 1
    assert result.stderr == "Error: nothing can be asked: standard input is closed\n"


def test_judge_answers_line_by_line() -> None:
    requests = b'{"id": 1, "kind": "set", "set": "R4 J R6"}\n\xff\n{"id": 2, "kind": "set"}\n'
    result = CliRunner().invoke(cli, ["judge", "--jsonl"], input=requests)
    assert result.exit_code == 0
    first, second, third = objects(result)
    assert (first["id"], first["valid"], first["points"]) == (1, True, [15])
    assert "error" in second
    assert (third["id"], "error" in third) == (2, True)


def test_each_answer_comes_before_the_next_request() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "from web.cli import main; main()", "judge", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as judge:
        assert judge.stdin is not None
        assert judge.stdout is not None
        for number in range(2):
            judge.stdin.write(b'{"id": %d, "kind": "set", "set": "R4 R5 R6"}\n' % number)
            judge.stdin.flush()
            assert json.loads(judge.stdout.readline())["id"] == number


def test_every_command_is_listed_and_there() -> None:
    listed = run("--help").stdout.partition("Commands:")[2]
    ctx = click.Context(cli)
    for name in cli.list_commands(ctx):
        command = cli.get_command(ctx, name)
        assert command is not None
        assert command.name == name
        assert re.search(rf"^  {name} +\w.*\.$", listed, re.MULTILINE), name
    assert "..." not in listed


def test_the_referee_answers_without_the_networks_libraries() -> None:
    """Each of them takes longer to import than the referee needs for an answer."""
    program = (
        "import sys; from web.cli import cli; cli(['rules'], standalone_mode=False); "
        "heavy = {'numpy', 'cv2', 'sqlalchemy', 'flask', 'scipy'} & {*sys.modules}; "
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_version_is_told() -> None:
    assert run("--version").stdout.startswith("cli 0.")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from web.cli import main; main()", "rules", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"PYTHONWARNINGS": "ignore"},
        )
    assert done.returncode == 1
    assert done.stderr == "meldwatch: cannot write the answer: No space left on device\n"


def test_a_terminal_without_its_characters_ends_nothing(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "standard"\ntitle = "Zażółć"\n', encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", "from web.cli import main; main()", "rules", "show", str(house)],
        capture_output=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONIOENCODING": "cp1252"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'title = "Za?\xf3??"' in done.stdout


def test_a_file_that_may_not_be_looked_at_is_named(tmp_path: Path) -> None:
    closed = f"raise PermissionError(13, 'Permission denied', {str(tmp_path)!r})"
    program = f"from web import cli; cli.cli = lambda **_: exec({closed!r}); cli.main()"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert (done.returncode, done.stderr) == (1, f"meldwatch: {tmp_path}: Permission denied\n")
