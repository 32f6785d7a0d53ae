"""The network that looks at all tiles of a picture at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner
from onnxruntime import InferenceSession

torch = pytest.importorskip("torch", reason="training has an environment of its own")

from vision.training.commands.landing import mean  # noqa: E402 - as above
from vision.training.corners import CROP, CornerFinder, export  # noqa: E402 - torch may be missing
from vision.training.loop import begin_with, weights_to_start_with  # noqa: E402 - as above
from vision.training.set_transformer import (  # noqa: E402 - as above
    UNLIKE,
    SetTransformer,
    export_set_network,
    exported_weights,
    mean_of_answers,
)

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

# Of the exporter itself; the layers are as many for any picture.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:Iterating over")
FIGURES = 6


@pytest.fixture
def seen() -> Tensor:
    return torch.from_numpy(np.random.default_rng(2).normal(0, 1, (50, FIGURES)).astype("f4"))


@pytest.fixture
def network(seen: Tensor) -> SetTransformer:
    torch.manual_seed(1)
    made = SetTransformer(FIGURES, 1, seen.numpy())
    torch.nn.init.normal_(made.leave.weight)
    made.eval()
    return made


def test_what_is_absent_changes_nothing(network: SetTransformer, seen: Tensor) -> None:
    told = seen[None, :8].clone()
    absent = torch.zeros(1, 8)
    absent[:, 5:] = UNLIKE
    before = network(told, absent)[:, :5]
    told[:, 5:] = 9
    torch.testing.assert_close(network(told, absent)[:, :5], before)
    torch.testing.assert_close(network(told[:, :5], absent[:, :5]), before)


def test_an_exported_one_goes_on_as_it_was(
    network: SetTransformer, seen: Tensor, tmp_path: Path
) -> None:
    exported = tmp_path / "palette.onnx"
    export_set_network(network, exported, "clues", "added")
    after = SetTransformer(FIGURES, 1, 3 * seen.numpy() + 1).eval()
    begin_with(after, weights_to_start_with(after, exported, None))
    told, absent = seen[None, :8], torch.zeros(1, 8)
    torch.testing.assert_close(after(told, absent), network(told, absent))


def test_another_network_is_refused(tmp_path: Path) -> None:
    export(CornerFinder(), CROP, ["corners"], tmp_path / "corners.onnx")
    with pytest.raises(ValueError, match="no set transformer"):
        exported_weights(tmp_path / "corners.onnx")


def test_several_answer_as_their_mean(
    network: SetTransformer, seen: Tensor, tmp_path: Path
) -> None:
    other = SetTransformer(FIGURES, 1, seen.numpy()).eval()
    torch.nn.init.normal_(other.leave.weight)
    told, absent = seen[None, :8], torch.zeros(1, 8)
    for name, one in (("first", network), ("second", other)):
        export_set_network(one, tmp_path / f"{name}.onnx", "clues", "added")
    runs = [(tmp_path / "first.onnx", 1.0), (tmp_path / "second.onnx", 3.0)]
    mean_of_answers(runs, tmp_path / "mean.onnx")
    (answer,) = InferenceSession(tmp_path / "mean.onnx").run(None, {"clues": told[0].numpy()})
    with torch.no_grad():
        wanted = (network(told, absent) + 3 * other(told, absent)) / 4
    np.testing.assert_allclose(answer, wanted[0], rtol=1e-4, atol=1e-5)


def test_those_that_answer_something_else_have_no_mean(
    network: SetTransformer, tmp_path: Path
) -> None:
    export_set_network(network, tmp_path / "palette.onnx", "clues", "added")
    export_set_network(network, tmp_path / "verifier.onnx", "evidence", "tile")
    runs = [(tmp_path / "palette.onnx", 1.0), (tmp_path / "verifier.onnx", 1.0)]
    with pytest.raises(ValueError, match=r"verifier.onnx answers something else"):
        mean_of_answers(runs, tmp_path / "mean.onnx")


def test_only_exported_palettes_have_a_mean(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").touch()
    runs = ["--of", str(tmp_path / "checkpoint.pt"), "1"] * 2
    result = CliRunner().invoke(mean, ["palette", *runs, "--out", str(tmp_path / "mean")])
    assert result.exit_code == 2
    assert "Give exported networks: a palette's weights have no mean." in result.output
    assert not (tmp_path / "mean").exists()
