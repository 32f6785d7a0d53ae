"""A set transformer (Lee et al. 2019): looks at all tiles of a picture at once, in no order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import torch
from onnx import compose, helper, numpy_helper
from torch import nn

from vision.training.unfolding import weights_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.training.typeface import Typeface
    from vision.types import Floats

WIDTH, HEADS, LAYERS = 64, 4, 2
MOST = 6.0  # spreads: what lies further off is known no better
UNLIKE = -1e4  # attention to what is no tile


class _Layer(nn.Module):
    """Attention among the tiles of a picture, then a layer on each."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.ask, self.tell = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.each = nn.Sequential(
            nn.Linear(WIDTH, 2 * WIDTH), nn.SiLU(), nn.Linear(2 * WIDTH, WIDTH)
        )

    def forward(self, tiles: torch.Tensor, absent: torch.Tensor) -> torch.Tensor:
        """Map (b, n, `WIDTH`) to the same; `absent` (b, n) is added to the attention."""
        batch, count, _ = tiles.shape
        asked = self.ask(self.before(tiles)).reshape(batch, count, 3, HEADS, WIDTH // HEADS)
        query, key, value = asked.permute(2, 0, 3, 1, 4)
        alike = query @ key.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + absent[:, None, None]
        told = (alike.softmax(-1) @ value).transpose(1, 2).reshape(batch, count, WIDTH)
        tiles = tiles + self.tell(told)
        changed: torch.Tensor = tiles + self.each(self.between(tiles))
        return changed


def filled(sets: Sequence[NDArray[Any]], most: int, value: float = 0) -> torch.Tensor:
    """Return arrays of up to `most` rows each as one, filled up with a value, (b, most, ...)."""
    batch = np.full((len(sets), most, *sets[0].shape[1:]), value, sets[0].dtype)
    for row, each in zip(batch, sets, strict=True):
        row[: len(each)] = each
    return torch.from_numpy(batch)


def absence(sets: Sequence[NDArray[Any]], most: int) -> torch.Tensor:
    """Return where such arrays have no rows, (b, most), as `SetTransformer` wants it."""
    return filled([np.zeros(len(each), np.float32) for each in sets], most, UNLIKE)


class SetTransformer(nn.Module):
    """(b, n, `given`) of n tiles to (b, n, `wanted`), nought at first.

    Parameters
    ----------
    given, wanted
        How many figures go in and come out for each tile.
    seen
        (m, `given`) of the pictures to train on, by which what goes in is scaled.
    forget
        Share of what goes in that is left out at random in training.
    """

    def __init__(self, given: int, wanted: int, seen: Floats, *, forget: float = 0) -> None:
        super().__init__()
        self.given = given
        self.middle: torch.Tensor
        self.spread: torch.Tensor
        self.register_buffer("middle", torch.from_numpy(seen.mean(0)))
        self.register_buffer("spread", torch.from_numpy(seen.std(0) + 0.05))
        self.forget = nn.Dropout(forget)
        self.enter = nn.Linear(given, WIDTH)
        self.layers = nn.ModuleList(_Layer() for _ in range(LAYERS))
        self.leave = nn.Linear(WIDTH, wanted)
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def forward(self, told: torch.Tensor, absent: torch.Tensor) -> torch.Tensor:
        """Return what it makes of each; `absent` (b, n) is `UNLIKE` where no tile is, else 0."""
        known = ((told - self.middle) / self.spread).clamp(-MOST, MOST)
        tiles = self.enter(self.forget(known))
        for layer in self.layers:
            tiles = layer(tiles, absent)
        left: torch.Tensor = self.leave(tiles)
        return left


class _Deployed(nn.Module):
    """The tiles of one picture: (n, given) to (n, wanted)."""

    def __init__(self, network: SetTransformer | Typeface) -> None:
        super().__init__()
        self.network = network

    def forward(self, told: torch.Tensor) -> torch.Tensor:
        left: torch.Tensor = self.network(told[None], torch.zeros_like(told[None, :, 0]))[0]
        return left


def export_set_network(
    network: SetTransformer | Typeface, path: Path, given: str, wanted: str
) -> None:
    """Write a network as ONNX, for any number of tiles; `given` and `wanted` are names."""
    torch.onnx.export(
        _Deployed(network.float().cpu().eval()),
        (torch.zeros(5, network.given),),
        str(path),
        input_names=[given],
        output_names=[wanted],
        dynamic_axes={given: {0: "n"}, wanted: {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


def exported_weights(path: Path) -> dict[str, torch.Tensor]:
    """Return the weights of a network that `export_set_network` wrote, to go on from there.

    Raises
    ------
    ValueError
        If it is no such network.
    """
    graph = onnx.load(path).graph
    arrays = weights_in(graph)
    weights = {
        name.removeprefix("network."): array
        for name, array in arrays.items()
        if name.startswith("network.")
    }
    # What multiplies has lost its name, and lies on its side.
    products = [
        arrays[node.input[1]].T.contiguous()
        for node in graph.node
        if node.op_type == "MatMul" and node.input[1] in arrays
    ]
    each_layer = ("ask", "tell", "each.0", "each.2")
    layers = [f"layers.{layer}.{name}" for layer in range(LAYERS) for name in each_layer]
    names = ["enter", *layers, "leave"]
    if len(products) != len(names):
        raise ValueError(f"{path} is no set transformer that was exported here")
    return weights | {f"{name}.weight": each for name, each in zip(names, products, strict=True)}


def mean_of_answers(networks: Sequence[tuple[Path, float]], out: Path) -> None:
    """Write one network that answers what several exported ones do in the mean.

    Those that began with other weights each have no mean themselves, but what one has learnt by
    heart the others have not, so that together they are right more often, and sure more seldom
    of what is wrong (Lakshminarayanan et al. 2017, "Deep ensembles").

    Parameters
    ----------
    networks
        ONNX files and their weights, of any sum.

    Raises
    ------
    ValueError
        If they are not asked and do not answer the same.
    """
    first = onnx.load(networks[0][0])
    (given,), (wanted,) = first.graph.input, first.graph.output
    total = sum(weight for _, weight in networks)
    nodes, weights, parts = [], [], []
    for number, (path, weight) in enumerate(networks):
        network = onnx.load(path)
        if [*network.graph.input, *network.graph.output] != [given, wanted]:
            raise ValueError(f"{path} answers something else than {networks[0][0]}")
        graph = compose.add_prefix(network, f"{number}.", rename_inputs=False).graph
        share, part = f"{number}.share", f"{number}.part"
        weights += [
            *graph.initializer,
            numpy_helper.from_array(np.array(weight / total, np.float32), share),
        ]
        nodes += [*graph.node, helper.make_node("Mul", [graph.output[0].name, share], [part])]
        parts.append(part)
    nodes.append(helper.make_node("Sum", parts, [wanted.name]))
    graph = helper.make_graph(nodes, "mean", [given], [wanted], weights)
    mean = helper.make_model(graph, opset_imports=first.opset_import, ir_version=first.ir_version)
    onnx.checker.check_model(mean)
    onnx.save(mean, out)
