"""Going on from an exported network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

torch = pytest.importorskip("torch", reason="training has an environment of its own")

from torch import Tensor, nn  # noqa: E402 - torch may be missing

from vision.training.corners import CROP, CornerFinder, export  # noqa: E402 - as above
from vision.training.reader import Reader, export_reader  # noqa: E402 - as above
from vision.training.unfolding import unfolded  # noqa: E402 - as above

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the exporter itself


def _trained(network: nn.Module) -> nn.Module:
    """Give a network's normalisations something to fold."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2)
            module.weight.data.uniform_(0.5, 2)
            module.bias.data.normal_()
    return network.eval()


@pytest.fixture
def images() -> Iterator[Tensor]:
    torch.manual_seed(3)
    with torch.no_grad():
        yield torch.rand(8, 3, 96, 64)


def test_an_exported_network_goes_on_as_it_was(tmp_path: Path, images: Tensor) -> None:
    before = _trained(Reader())
    export_reader(before, tmp_path / "reader.onnx")
    after = Reader()
    after.load_state_dict(unfolded(Reader(), tmp_path / "reader.onnx", images))
    for expected, answer in zip(before.look(images), after.eval().look(images), strict=True):
        torch.testing.assert_close(answer, expected, rtol=1e-3, atol=1e-4)


def test_it_has_the_statistics_of_the_pictures(tmp_path: Path, images: Tensor) -> None:
    export_reader(_trained(Reader()), tmp_path / "reader.onnx")
    network = Reader()
    network.load_state_dict(unfolded(Reader(), tmp_path / "reader.onnx", images))
    asked = network.eval().body(images)
    learning = network.train().body(images)  # normalises by the batch, not by what is stored
    torch.testing.assert_close(learning, asked, rtol=1e-2, atol=1e-3)


def test_other_layers_are_refused_by_name(tmp_path: Path, images: Tensor) -> None:
    export(_trained(CornerFinder()), CROP, ["corners"], tmp_path / "corners.onnx")
    with pytest.raises(ValueError, match=r"corners\.onnx has other layers"):
        unfolded(Reader(), tmp_path / "corners.onnx", images)
