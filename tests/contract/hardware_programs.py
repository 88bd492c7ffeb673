"""Random programs of ops, run on the host and on an NPU: the same tensors, and nothing read.

``main`` is run over the recording accelerator, in a process of its own; see
``test_npu_hardware.py``. On the simulator the test suite calls :func:`differences` itself.
"""

from __future__ import annotations

import json
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mindtorch as torch

DTYPES = (
    *(torch.float32, torch.float32, torch.float64, torch.float16, torch.bfloat16),
    *(torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64),
)
Step = Callable[[random.Random, Any, str], Any]


def made(rng: random.Random, shape: tuple[int, ...], dtype: Any, device: str) -> Any:
    """A tensor of small numbers, of which the host knows."""
    count = 1
    for n in shape:
        count *= n
    host = torch.tensor([rng.randrange(-4, 5) for _ in range(count)]).reshape(shape)
    if dtype.is_complex:
        host = torch.complex(host.float(), host.flip(0).float())
    return host.to(dtype).to(device)


def like(rng: random.Random, x: Any) -> Any:
    """Another tensor that fits *x*, sometimes of another dtype."""
    dtype = rng.choice((x.dtype, x.dtype, *DTYPES))
    return made(rng, tuple(x.shape), dtype, str(x.device))


def _set(x: Any, index: Any, value: Any) -> Any:
    x[index] = value
    return x


def _positions(rng: random.Random, x: Any, n: int = 3) -> Any:
    return torch.tensor([rng.randrange(len(x)) for _ in range(n)], device=x.device)


def _resized_storage(x: Any, more: int) -> Any:
    storage = x.untyped_storage()
    storage.resize_(storage.nbytes() + more)
    return x


def _gradient(rng: random.Random, x: Any) -> Any:
    leaf = x.detach().clone().requires_grad_()
    y = (leaf * like(rng, leaf)[:1]).t()
    out = y[: len(y) // 2 + 1].abs().float().cumsum(0)
    out.sum().backward()
    return leaf.grad


def _trained(x: Any) -> Any:
    p = x.detach().float().clone().requires_grad_()
    optimizer = torch.optim.Adam([p], lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        (p * p).sum().backward()
        optimizer.step()
    return p.detach()


def _on_a_stream(x: Any, device: str) -> Any:
    if device == "cpu":
        return (x * 2)[:1]
    here, side = torch.npu.current_stream(), torch.npu.Stream()
    side.wait_stream(here)
    with torch.npu.stream(side):
        y = (x * 2)[:1]
    here.wait_stream(side)
    return y


def _there_and_back(x: Any, device: str) -> Any:
    if device == "cpu":
        return torch.empty_like(x).copy_(x)
    there = x.to("npu:1", non_blocking=True)
    return torch.empty_like(x).copy_(there)


#: What a program does next with a matrix; what comes back is a new tensor of it.
STEPS: tuple[Step, ...] = (
    lambda r, x, d: x + like(r, x),
    lambda r, x, d: x * r.choice((2, 0.5, True)),
    lambda r, x, d: x.add_(like(r, x)),
    lambda r, x, d: x.mul_(3),
    lambda r, x, d: torch.mul(x, like(r, x), out=x.new_empty(r.choice(((0,), x.shape)))),
    lambda r, x, d: torch.add(x, x, out=x.new_zeros(x.shape[::-1]).t()),
    lambda r, x, d: x.t(),
    lambda r, x, d: x[1:, ::2],
    lambda r, x, d: x.reshape(-1, len(x)),
    lambda r, x, d: x[:1].expand(3, x.shape[1]),
    lambda r, x, d: x.conj(),
    lambda r, x, d: x.conj().imag,
    lambda r, x, d: x.to(torch.int32).view(torch.uint8),
    lambda r, x, d: x[_positions(r, x)],
    lambda r, x, d: x[_positions(r, x), 0, None],
    lambda r, x, d: _set(x, (_positions(r, x), 0), 1),
    lambda r, x, d: _set(x, 0, like(r, x)[-1]),
    lambda r, x, d: _set(x, like(r, x) == 1, 2),
    lambda r, x, d: x.index_put((_positions(r, x),), x[:1] * 0 + 1, accumulate=True),
    lambda r, x, d: torch.cat([x, like(r, x)], 1),
    lambda r, x, d: torch.where(like(r, x) == 1, x, like(r, x)),
    lambda r, x, d: x.sort(1, stable=True)[1],
    lambda r, x, d: x.max(1, keepdim=True)[0],
    lambda r, x, d: x.split(1, 1)[-1],
    lambda r, x, d: x.to(r.choice(DTYPES)),
    lambda r, x, d: x.copy_(like(r, x)),
    lambda r, x, d: x.copy_(made(r, tuple(x.shape), r.choice(DTYPES), "cpu")),
    lambda r, x, d: x.sum(0, keepdim=True),
    lambda r, x, d: x.float().softmax(1),
    lambda r, x, d: (x.float() @ x.float().t()).to(x.dtype),
    lambda r, x, d: x.clone().fill_(2),
    lambda r, x, d: x.clone().resize_(len(x) + 1, x.shape[1])[: len(x)],
    lambda r, x, d: _resized_storage(x.clone(), 64),
    lambda r, x, d: x.flip(1).roll(1, 0),
    lambda r, x, d: x.scatter(0, x.new_zeros(1, x.shape[1], dtype=torch.int64), like(r, x)),
    lambda r, x, d: x.masked_fill(like(r, x) == 0, 1),
    lambda r, x, d: _gradient(r, x),
    lambda r, x, d: _trained(x),
    lambda r, x, d: _on_a_stream(x, d),
    lambda r, x, d: _there_and_back(x, d),
)


def run(seed: int, device: str, steps: int = 8) -> list[Any]:
    """The tensors of a program, and the names of the errors that it met."""
    rng = random.Random(seed)
    found = [made(rng, (3, 4), rng.choice(DTYPES), device)]
    for _ in range(steps):
        inner = random.Random(rng.random())  # a step that fails draws as many numbers as another
        x = inner.choice([t for t in found if isinstance(t, torch.Tensor)])
        step = inner.choice(STEPS)
        try:
            result = step(inner, x, device)
        except (RuntimeError, TypeError, IndexError, ValueError, NotImplementedError) as error:
            result = type(error).__name__
        if isinstance(result, torch.Tensor) and (result.dim() != 2 or 0 in result.shape):
            continue
        found.append(result)
    return found


def told(t: Any) -> Any:
    """What is seen of a tensor but its numbers."""
    if not isinstance(t, torch.Tensor):
        return t
    strides = [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1]
    return str((t.dtype, tuple(t.shape), strides, t.storage_offset(), t.is_conj(), t.is_neg()))


def apart(host: Any, there: Any) -> bool:
    """Whether numbers differ by more than a kernel's rounding."""
    if not isinstance(host, torch.Tensor):
        return False
    coarse = host.dtype in (torch.float16, torch.bfloat16)
    return not torch.allclose(
        there.cpu().resolve_conj().to(torch.complex128),
        host.resolve_conj().to(torch.complex128),
        rtol=0.05 if coarse else 1e-4,
        atol=0.05 if coarse else 1e-4,
        equal_nan=True,
    )


def differences(seeds: range, counter: Any = None) -> tuple[list[str], int]:
    """What differs on the NPU, and how many tensors were compared.

    *counter* lists what was read while the programs ran.
    """
    wrong, compared = [], 0
    for seed in seeds:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            here = run(seed, "cpu")
            before = 0 if counter is None else len(counter)
            there = run(seed, "npu")
            if counter is not None and len(counter) != before:
                wrong.append(f"{seed} reads: {counter[before:]}")
        if list(map(told, here)) != list(map(told, there)):
            wrong.append(f"{seed}: {list(map(told, here))} {list(map(told, there))}")
            continue
        for number, (host, device) in enumerate(zip(here, there, strict=True)):
            compared += isinstance(host, torch.Tensor)
            if apart(host, device):
                wrong.append(f"{seed}.{number}: {host} {device}")
            elif isinstance(device, torch.Tensor) and device.device.type == "cpu":
                wrong.append(f"{seed}.{number} left the device")
    return wrong, compared


@contextmanager
def counted_reads(theirs: Any) -> Iterator[list[str]]:
    """The names of torch's methods that were called to bring numbers to the host."""
    seen: list[str] = []

    def noting(name: str, method: Any) -> Any:
        def call(self: Any, *args: Any, **named: Any) -> Any:
            seen.append(name)
            return method(self, *args, **named)

        return call

    before = {name: getattr(theirs.Tensor, name) for name in ("cpu", "numpy", "item", "tolist")}
    for name, method in before.items():
        setattr(theirs.Tensor, name, noting(name, method))
    try:
        yield seen
    finally:
        for name, method in before.items():
            setattr(theirs.Tensor, name, method)


#: So many that each step is met a few times.
SEEDS = range(40)


def main(seeds: range = SEEDS) -> None:
    """Say what differs, as JSON; that the counter counts; and that a pickle arrives."""
    import torch as theirs

    with counted_reads(theirs) as seen:
        wrong, compared = differences(seeds, seen)
        del seen[:]
        x = torch.ones(2, 2, device="npu")
        again = pickle.loads(pickle.dumps(x))
        pickled = [str(again.device), bool(seen), again.add_(1).tolist(), x.tolist()]
    print(json.dumps({"wrong": wrong, "compared": compared, "pickled": pickled}))


if __name__ == "__main__":
    main()
