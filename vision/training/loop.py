"""The training loop that all networks share: schedule, averaging, checkpoints that resume."""

from __future__ import annotations

import copy
import math
import os
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import onnx
import torch
from onnx import numpy_helper
from torch.optim.swa_utils import get_ema_multi_avg_fn
from torch.utils.data import DataLoader, Dataset

from vision.training.set_transformer import exported_weights
from vision.training.unfolding import unfolded, weights_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

CHECKPOINT_EVERY = 200
AHEAD = 4  # batches that each process has ready
# What a processor has that reckons in bfloat16; others are ten times slower with it.
BFLOAT16 = ("amx_bf16", "avx512_bf16")

Network = TypeVar("Network", bound=torch.nn.Module)
Batch = TypeVar("Batch")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Steps, warm-up steps, peak learning rate (cosine to 1 %), weight decay, averaging."""

    steps: int
    warm_up: int
    rate: float
    weight_decay: float
    average: float = 0.999
    clip: float = 10.0

    def rate_at(self, step: int) -> float:
        """Return the learning rate of a step.

        >>> round(Schedule(100, 10, 1.0, 0.0).rate_at(99), 3)
        0.01
        """
        if step < self.warm_up:
            return self.rate * (step + 1) / self.warm_up
        done = (step - self.warm_up) / max(self.steps - self.warm_up, 1)
        return self.rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done)))


def begin_with(model: torch.nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """Give a model those weights of another run that fit it; new parts stay as they are."""
    own = model.state_dict()
    model.load_state_dict(
        {
            name: weights[name]
            if name in weights and weights[name].shape == value.shape
            else value
            for name, value in own.items()
        }
    )


def load_average(checkpoint: Path) -> dict[str, torch.Tensor]:
    """Return the averaged weights of a run."""
    weights: dict[str, torch.Tensor] = torch.load(
        checkpoint, map_location="cpu", weights_only=True
    )["average"]
    return weights


def weights_to_start_with(
    model: torch.nn.Module, start: Path, first: Callable[[], torch.Tensor] | None
) -> dict[str, torch.Tensor]:
    """Return the averaged weights of a checkpoint, or those of an exported network."""
    if start.suffix != ".onnx":
        return load_average(start)
    if first is None:
        return exported_weights(start)
    return unfolded(copy.deepcopy(model), start, first())


def mean_of(runs: Sequence[tuple[Path, float]], out: Path) -> dict[str, torch.Tensor]:
    """Write the weighted mean of several runs' averages as a checkpoint, and return it.

    Runs that began with the same weights lie in one valley, and their mean generalises better
    than each alone (Wortsman et al. 2022, "Model soups").

    Parameters
    ----------
    runs
        Checkpoints and their weights, of any sum.
    """
    mean = _mean([(load_average(checkpoint), weight) for checkpoint, weight in runs])
    torch.save({"average": mean}, out)
    return mean


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
    models = [onnx.load(path) for path, _ in networks]
    # Folded layers have numbers for names, and another export counts otherwise: order tells.
    weights = [_in_order_of_use(model.graph) for model in models]
    shapes = [[value.shape for value in each.values()] for each in weights]
    for (path, _), own in zip(networks, shapes, strict=True):
        if own != shapes[0]:
            raise ValueError(f"{path} has other layers than {networks[0][0]}: they have no mean")
    parts = [
        (dict(zip(weights[0], each.values(), strict=True)), weight)
        for each, (_, weight) in zip(weights, networks, strict=True)
    ]
    mean = _mean(parts)
    for each in models[0].graph.initializer:
        if each.name in mean:
            each.CopyFrom(numpy_helper.from_array(mean[each.name].numpy(), each.name))
    onnx.save(models[0], out)


def _in_order_of_use(graph: onnx.GraphProto) -> dict[str, torch.Tensor]:
    """Return a network's weights by name, as its nodes take them."""
    weights = weights_in(graph)
    used = (name for node in graph.node for name in node.input if name in weights)
    return {name: weights[name] for name in used}


def _mean(parts: Sequence[tuple[dict[str, torch.Tensor], float]]) -> dict[str, torch.Tensor]:
    """Return the weighted mean of several networks' weights; counts are those of the first."""
    total = sum(weight for _, weight in parts)
    return {
        name: sum(weights[name] * (weight / total) for weights, weight in parts)
        if value.dtype.is_floating_point
        else value
        for name, value in parts[0][0].items()
    }


class _Made(Dataset[Batch]):
    """The batches of a run, each made when it is asked for."""

    def __init__(self, make: Callable[[int], Batch]) -> None:
        self.make = make

    def __getitem__(self, step: int) -> Batch:
        return self.make(step)


def other_processors() -> int:
    """Return how many processors this process may use beside the one that it runs on.

    0 where the system does not tell or can't copy a process that holds its pictures.
    """
    return len(os.sched_getaffinity(0)) - 1 if hasattr(os, "sched_getaffinity") else 0


class Trainer(Generic[Network]):
    """Optimiser, averaged weights and checkpoints around a model.

    On a GPU the forward pass runs in bfloat16, which halves a step, and on a CPU that has the
    instructions.

    Parameters
    ----------
    start
        A checkpoint or an exported network whose weights to begin with.
    first
        Gives the images of a first batch, which an exported network is unfolded with; a set
        transformer, into which nothing is folded, needs none.
    """

    def __init__(
        self,
        model: Network,
        schedule: Schedule,
        checkpoint: Path,
        seed: int,
        start: Path | None = None,
        first: Callable[[], torch.Tensor] | None = None,
    ) -> None:
        if start is not None:  # another run's averaged weights instead of random ones
            begin_with(model, weights_to_start_with(model, start, first))
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model: Network = model.to(self.device, memory_format=torch.channels_last).train()
        self.average: Network = copy.deepcopy(self.model).eval()
        self.schedule = schedule
        self.checkpoint = checkpoint
        self.seed = seed
        decay: list[torch.nn.Parameter] = []
        plain: list[torch.nn.Parameter] = []
        for parameter in self.model.parameters():
            if parameter.requires_grad:
                (decay if parameter.ndim > 1 else plain).append(parameter)
        groups = [
            {"params": decay, "weight_decay": schedule.weight_decay},
            {"params": plain, "weight_decay": 0.0},
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=schedule.rate)
        self.step = 0
        if checkpoint.exists():
            self._resume()

    def _resume(self) -> None:
        state = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        if state["seed"] != self.seed or state["steps"] != self.schedule.steps:
            raise ValueError(
                f"{self.checkpoint} belongs to a run with seed {state['seed']} and "
                f"{state['steps']} steps; give the same ones, or remove it to start afresh"
            )
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step = state["step"]

    def _save(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "steps": self.schedule.steps,
            "seed": self.seed,
        }
        partial = self.checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self.checkpoint)

    def steps(self) -> Iterator[int]:
        """Yield the step numbers still to do; save a checkpoint now and then."""
        while self.step < self.schedule.steps:
            for group in self.optimiser.param_groups:
                group["lr"] = self.schedule.rate_at(self.step)
            yield self.step
            self.step += 1
            if self.step % CHECKPOINT_EVERY == 0 or self.step == self.schedule.steps:
                self._save()

    def batches(
        self, make: Callable[[int], Batch], workers: int | None = None
    ) -> Iterator[tuple[int, Batch]]:
        """Yield the step numbers still to do, each with the batch that `make` gives for it.

        Other processors make batches ahead, by default all that there are; they are the same
        and come in the same order with any number of `workers`.
        """
        workers = other_processors() if workers is None else workers
        loader = DataLoader(
            _Made(make),
            batch_size=None,
            sampler=range(self.step, self.schedule.steps),
            num_workers=workers,
            prefetch_factor=AHEAD if workers else None,
            multiprocessing_context="fork" if workers else None,
            pin_memory=self.device.type == "cuda",
        )
        return zip(self.steps(), loader, strict=False)

    def mixed_precision(self) -> AbstractContextManager[Any]:
        """Return the context for the forward pass."""
        has = torch.cpu.get_capabilities()
        if self.device.type == "cpu" and not any(has.get(name) for name in BFLOAT16):
            return nullcontext()
        context: AbstractContextManager[Any] = torch.autocast(self.device.type, torch.bfloat16)
        return context

    def update(self, loss: torch.Tensor) -> None:
        """Take one optimiser step and move the average along."""
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.schedule.clip)
        self.optimiser.step()
        # A short memory at first, so that the average leaves the random start behind.
        keep = self.schedule.average * (1 - math.exp(-(self.step + 1) / 200))
        live = self.model.state_dict()
        moved, towards = [], []
        for name, value in self.average.state_dict().items():
            if value.dtype.is_floating_point:
                moved.append(value)
                towards.append(live[name])
            else:
                value.copy_(live[name])
        get_ema_multi_avg_fn(keep)(moved, towards, 0)

    def averaged(self) -> Network:
        """Return the averaged model, in evaluation mode."""
        self.average.eval()
        return self.average
