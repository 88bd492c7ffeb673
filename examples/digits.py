"""Train a small convolutional classifier on the handwritten digits that scikit-learn ships.

Everything takes the framework as an argument: ``mindtorch`` or ``torch``, the code is the same.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

BATCH = 64
CLASSES = 10
LEARNING_RATE = 0.1
MOMENTUM = 0.9


class Split(NamedTuple):
    """Images (N, 1, 8, 8) as float32 in [0, 1], and labels (N,) as int64, on one device."""

    images: Any
    labels: Any


class Result(NamedTuple):
    """What a training run gave."""

    accuracy: float
    steps: int
    seconds: float
    losses: list[float]  # of the last batch of each epoch

    @property
    def step_ms(self) -> float:
        return 1e3 * self.seconds / max(1, self.steps)


def load(torch: ModuleType, device: str) -> tuple[Split, Split]:
    """Training (1437 images) and test part (360 images) on *device*; the same split always."""
    import numpy as np
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    images = (digits.images[order, None] / 16).astype(np.float32)
    labels = digits.target[order].astype(np.int64)
    cut = len(order) * 4 // 5

    def split(part: slice) -> Split:
        return Split(
            torch.from_numpy(images[part]).to(device), torch.from_numpy(labels[part]).to(device)
        )

    return split(slice(cut)), split(slice(cut, None))


def build(torch: ModuleType) -> Any:
    """Two convolutions with pooling (8x8 to 2x2) and a linear layer: 6,090 parameters."""
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 2 * 2, CLASSES),
    )


def deferred(torch: ModuleType) -> contextlib.AbstractContextManager[Any]:
    """A pipeline where the framework has one: ops are queued and run at the flush."""
    pipeline = getattr(torch, "pipeline", None)
    return contextlib.nullcontext() if pipeline is None else pipeline()


def train(
    torch: ModuleType,
    *,
    device: str,
    epochs: int,
    seed: int,
    progress: Callable[[int, int, float], None] = lambda epoch, step, loss: None,
) -> Result:
    """Train for *epochs* and measure on the test part.

    :param progress: called after every step with the epoch, the steps done so far and the last
        loss that was read; a loss is read once per epoch only, because reading waits.
    """
    train_part, test_part = load(torch, device)
    torch.manual_seed(seed)
    model = build(torch).to(device)
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=MOMENTUM)
    count = len(train_part.labels)
    losses: list[float] = []
    steps = 0
    start = time.perf_counter()
    for epoch in range(epochs):
        order = torch.randperm(count).to(device)
        for at in range(0, count - BATCH + 1, BATCH):
            batch = order[at : at + BATCH]
            with deferred(torch):
                optimizer.zero_grad()
                logits = model(train_part.images[batch])
                loss = criterion(logits, train_part.labels[batch])
                loss.backward()
                optimizer.step()
            steps += 1
            progress(epoch, steps, losses[-1] if losses else float("nan"))
        losses.append(loss.item())
    seconds = time.perf_counter() - start
    return Result(accuracy(torch, model, test_part), steps, seconds, losses)


def accuracy(torch: ModuleType, model: Any, part: Split) -> float:
    """Share of *part* that *model* labels rightly."""
    with torch.no_grad(), deferred(torch):
        hits = (model(part.images).argmax(1) == part.labels).sum()
    return hits.item() / len(part.labels)
