"""Going on from an exported network."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

torch = pytest.importorskip("torch", reason="training has an environment of its own")

import onnx  # noqa: E402 - as torch
from onnxruntime import InferenceSession  # noqa: E402 - as above
from torch import Tensor, nn  # noqa: E402 - torch may be missing

from vision.training.corners import CROP, CornerFinder, export  # noqa: E402 - as above
from vision.training.loop import mean_of_exported  # noqa: E402 - as above
from vision.training.reader import Reader, Residual, export_reader  # noqa: E402 - as above
from vision.training.unfolding import unfolded, weights_in  # noqa: E402 - as above

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


def test_layers_that_it_lacked_change_nothing_at_first(tmp_path: Path, images: Tensor) -> None:
    before = _trained(Reader())
    before.body = nn.Sequential(*(m for m in before.body if not isinstance(m, Residual)))
    export_reader(before, tmp_path / "reader.onnx")
    after = Reader()
    after.load_state_dict(unfolded(Reader(), tmp_path / "reader.onnx", images))
    for expected, answer in zip(before.look(images), after.eval().look(images), strict=True):
        torch.testing.assert_close(answer, expected, rtol=1e-3, atol=1e-4)
    with torch.enable_grad():
        after(images)[0].sum().backward()
    learning = [each.added[-1].weight.grad for each in after.body if isinstance(each, Residual)]
    assert learning
    assert all(gradient.abs().max() > 0 for gradient in learning)


def test_other_layers_are_refused_by_name(tmp_path: Path, images: Tensor) -> None:
    export(_trained(CornerFinder()), CROP, ["corners"], tmp_path / "corners.onnx")
    with pytest.raises(ValueError, match=r"corners\.onnx has other layers"):
        unfolded(Reader(), tmp_path / "corners.onnx", images)


def test_networks_that_fold_differently_have_a_mean(tmp_path: Path, images: Tensor) -> None:
    """The same function, folded from other statistics, counts as the same."""
    before = _trained(Reader())
    export_reader(before, tmp_path / "before.onnx")
    after = Reader()
    after.load_state_dict(unfolded(Reader(), tmp_path / "before.onnx", images))
    export_reader(after, tmp_path / "after.onnx")
    runs = [(tmp_path / "before.onnx", 1.0), (tmp_path / "after.onnx", 3.0)]
    mean_of_exported(runs, tmp_path / "mean.onnx")
    answers = InferenceSession(tmp_path / "mean.onnx").run(None, {"crops": images.numpy()})
    for expected, answer in zip(before.look(images), answers, strict=True):
        torch.testing.assert_close(torch.from_numpy(answer), expected, rtol=1e-3, atol=1e-4)


def test_the_mean_of_exported_networks_weighs_them(tmp_path: Path) -> None:
    for name, bias in (("a", 1.0), ("b", 5.0)):
        network = Reader().eval()
        network.ink.bias.data.fill_(bias)
        export_reader(network, tmp_path / f"{name}.onnx")
    runs = [(tmp_path / "a.onnx", 3.0), (tmp_path / "b.onnx", 1.0)]
    mean_of_exported(runs, tmp_path / "mean.onnx")
    biases = weights_in(onnx.load(tmp_path / "mean.onnx").graph)
    assert biases["network.ink.bias"].tolist() == [2.0] * 4


def test_networks_of_other_layers_have_no_mean(tmp_path: Path) -> None:
    export_reader(Reader(), tmp_path / "reader.onnx")
    export(CornerFinder(), CROP, ["corners"], tmp_path / "corners.onnx")
    runs = [(tmp_path / "reader.onnx", 1.0), (tmp_path / "corners.onnx", 1.0)]
    with pytest.raises(ValueError, match=r"corners\.onnx has other layers"):
        mean_of_exported(runs, tmp_path / "mean.onnx")


def test_layers_that_another_export_has_numbered_otherwise_have_a_mean(
    tmp_path: Path, images: Tensor
) -> None:
    before = _trained(Reader())
    export_reader(before, tmp_path / "before.onnx")
    model = onnx.load(tmp_path / "before.onnx")
    # Every number is one that the other export has given to another layer, or to none.
    own = {each.name: f"{each.name}0" for each in model.graph.initializer if "::" in each.name}
    own |= dict(pairwise(own))
    for each in model.graph.initializer:
        each.name = own.get(each.name, each.name)
    for node in model.graph.node:
        renamed = [own.get(name, name) for name in node.input]
        node.ClearField("input")
        node.input.extend(renamed)
    onnx.save(model, tmp_path / "after.onnx")
    runs = [(tmp_path / "before.onnx", 1.0), (tmp_path / "after.onnx", 1.0)]
    mean_of_exported(runs, tmp_path / "mean.onnx")
    answers = InferenceSession(tmp_path / "mean.onnx").run(None, {"crops": images.numpy()})
    for expected, answer in zip(before.look(images), answers, strict=True):
        torch.testing.assert_close(torch.from_numpy(answer), expected, rtol=1e-3, atol=1e-4)
