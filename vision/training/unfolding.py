"""Weights of an exported network, as training needs them to go on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# What the exporting wrappers put before the names of a network's own weights.
_PREFIXES = ("", "network.", "model.")


def unfolded(network: nn.Module, exported: Path, images: torch.Tensor) -> dict[str, torch.Tensor]:
    """Give `network` the weights of an exported one of the same shape, and return them.

    Exporting folds every normalisation (Ioffe & Szegedy 2015) into the convolution before it. Here
    it is taken out again: its statistics are those of the images, and its scale and shift undo
    them, so that the network answers as the exported one, and learns as one never folded.

    Parameters
    ----------
    images
        (n, 3, h, w) float32, a batch like those to be learnt from.

    Raises
    ------
    ValueError
        If the exported network has other layers.
    """
    graph = onnx.load(exported).graph
    arrays = {
        each.name: torch.from_numpy(numpy_helper.to_array(each).copy())
        for each in graph.initializer
    }
    own = network.state_dict()
    for name in own:
        kept = [arrays[prefix + name] for prefix in _PREFIXES if prefix + name in arrays]
        own[name] = kept[0] if kept else own[name]
    with torch.no_grad():
        pairs = _normalised(network.eval(), images)
    folded = [
        [arrays[name] for name in node.input[1:3]]
        for node in graph.node
        if node.op_type == "Conv" and node.input[1].startswith("onnx::")
    ]
    if [tuple(weight.shape) for weight, _ in folded] != [
        tuple(conv.weight.shape) for conv, _ in pairs
    ]:
        raise ValueError(f"{exported} has other layers than the network that is to go on from it")
    network.load_state_dict(own)
    with torch.no_grad():
        for (conv, norm), (weight, bias) in zip(pairs, folded, strict=True):
            conv.weight.copy_(weight)
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
            norm.weight.fill_(1)
            norm.bias.copy_(bias)
        hooks = [norm.register_forward_pre_hook(_take_statistics) for _, norm in pairs]
        network(images)
    for hook in hooks:
        hook.remove()
    weights: dict[str, torch.Tensor] = network.state_dict()
    return weights


def mean_of_exported(networks: Sequence[tuple[Path, float]], out: Path) -> None:
    """Write the weighted mean of several exported networks of one shape.

    What went on from an exported network has other statistics than that network was learnt with,
    so their checkpoints have no common mean; with normalisations folded in they have.

    Parameters
    ----------
    networks
        ONNX files and their weights, of any sum.

    Raises
    ------
    ValueError
        If one has other layers than the first.
    """
    (first, _), *_ = networks
    mean, total = onnx.load(first), sum(weight for _, weight in networks)
    parts = []
    for path, weight in networks:
        arrays = {
            each.name: numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer
        }
        parts.append((arrays, weight / total))
        own = {each.name: tuple(each.dims) for each in mean.graph.initializer}
        if {name: array.shape for name, array in arrays.items()} != own:
            raise ValueError(f"{path} has other layers than {first}: they have no mean")
    for each in mean.graph.initializer:
        if each.data_type == onnx.TensorProto.FLOAT:
            summed = sum(arrays[each.name] * np.float32(share) for arrays, share in parts)
            each.CopyFrom(numpy_helper.from_array(summed, each.name))
    onnx.save(mean, out)


def _normalised(
    network: nn.Module, images: torch.Tensor
) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Return every convolution with the normalisation after it, in the order of their use."""
    pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d]] = []
    last: dict[str, Any] = {}

    def after(conv: nn.Conv2d, _: object, output: torch.Tensor) -> None:
        last.update(conv=conv, output=output)

    def before(norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor]) -> None:
        if inputs[0] is last["output"]:
            pairs.append((last["conv"], norm))

    hooks = [
        module.register_forward_hook(after)
        if isinstance(module, nn.Conv2d)
        else module.register_forward_pre_hook(before)
        for module in network.modules()
        if isinstance(module, nn.Conv2d | nn.BatchNorm2d)
    ]
    network(images)
    for hook in hooks:
        hook.remove()
    return pairs


def _take_statistics(norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor]) -> None:
    variance, mean = torch.var_mean(inputs[0].float(), (0, 2, 3), correction=0)
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.add_(mean)
