"""Weights of an exported network, as training needs them to go on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import onnx
import torch
from onnx import numpy_helper
from torch import nn

if TYPE_CHECKING:
    from pathlib import Path

# What the exporting wrappers put before the names of a network's own weights.
_PREFIXES = ("", "network.", "model.")


def weights_in(graph: onnx.GraphProto) -> dict[str, torch.Tensor]:
    """Return an exported network's weights by name."""
    return {
        each.name: torch.from_numpy(numpy_helper.to_array(each).copy())
        for each in graph.initializer
    }


def unfolded(network: nn.Module, exported: Path, images: torch.Tensor) -> dict[str, torch.Tensor]:
    """Give `network` the weights of an exported one, and return them.

    Exporting folds every normalisation (Ioffe & Szegedy 2015) into the convolution before it. Here
    it is taken out again: its statistics are those of the images, and its scale and shift undo
    them, so that the network answers as the exported one, and learns as one never folded. Layers
    that the exported one lacks stay as they are.

    Parameters
    ----------
    images
        (n, 3, h, w) float32, a batch like those to be learnt from.

    Raises
    ------
    ValueError
        If the exported network has layers that this one lacks.
    """
    graph = onnx.load(exported).graph
    arrays = weights_in(graph)
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
    pairs = _in_turn(pairs, [weight.shape for weight, _ in folded])
    if len(pairs) != len(folded):
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


def _in_turn(
    pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d]], shapes: list[torch.Size]
) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Return the first pairs with these shapes, one after another; fewer if some are not had."""
    remaining = iter(pairs)
    found = (
        next((pair for pair in remaining if pair[0].weight.shape == shape), None)
        for shape in shapes
    )
    return [pair for pair in found if pair is not None]


def _take_statistics(norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor]) -> None:
    variance, mean = torch.var_mean(inputs[0].float(), (0, 2, 3), correction=0)
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.add_(mean)
