"""Programs besides chains: views in place, threads over one leaf, errors, numbers, files."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from .chains import a_chain
from .steps import Rng
from .world import Difference, World

Program = Callable[[World, Rng], None]

PROGRAMS: dict[str, Program] = {"a_chain": a_chain}
#: Those that only make sense on the host, eagerly.
HOST: set[str] = set()


def program(run: Program) -> Program:
    PROGRAMS[run.__name__] = run
    return run


def host_program(run: Program) -> Program:
    HOST.add(run.__name__)
    return program(run)


def _windows(rng: Rng, v: Any, index: Any) -> tuple[Any, Any]:
    """A random view of *v*, and the places of its elements."""
    for _ in range(rng.integers(1, 4)):
        kind, dim = int(rng.integers(0, 4)), int(rng.integers(0, 2))
        size = index.shape[dim]
        if kind == 0 and size > 1:
            start = int(rng.integers(0, size - 1))
            v = v.narrow(dim, start, size - start)
            index = index.take(range(start, size), dim)
        elif kind == 1:
            v, index = v.t(), index.T
        elif kind == 2 and size > 1:
            v, index = (v[::2], index[::2]) if dim == 0 else (v[:, ::2], index[:, ::2])
        elif kind == 3:
            v, index = v.unsqueeze(0).squeeze(0), index
    return v, index


@program
def views_in_place(w: World, rng: Rng) -> None:
    """What is changed through overlapping views is linear in two leaves: each row is followed."""
    shape = (int(rng.integers(1, 5)), int(rng.integers(1, 5)))
    n = shape[0] * shape[1]
    of_x, of_u, rest = np.eye(n), np.zeros((n, n)), np.zeros(n)
    a, b = (rng.integers(-3, 4, shape).astype(float) for _ in range(2))
    with w.running():
        x, u = w.tensor(a, requires_grad=True), w.tensor(b, requires_grad=True)
        y = x * 1
        for _ in range(rng.integers(1, 7)):
            v, index = _windows(rng, y, np.arange(n).reshape(shape))
            at = index.reshape(-1)
            kind = int(rng.integers(0, 5))
            if kind == 0:
                c = float(rng.choice([-1, 2]))
                v.mul_(c)
                of_x[at], of_u[at], rest[at] = of_x[at] * c, of_u[at] * c, rest[at] * c
            elif kind == 1:
                v.add_(3)
                rest[at] += 3
            elif kind == 2:
                v.zero_()
                of_x[at], of_u[at], rest[at] = 0, 0, 0
            elif kind == 3:
                other, places = u, np.arange(n).reshape(shape)
                # The same window of the other leaf.
                flat = w.t.tensor(at.tolist(), device=w.device)
                v.add_(other.reshape(-1)[flat].reshape(index.shape))
                of_u[at, places.reshape(-1)[at]] += 1
            else:
                v.copy_(v.clone() * 2)
                of_x[at], of_u[at], rest[at] = of_x[at] * 2, of_u[at] * 2, rest[at] * 2
        seed = rng.integers(-2, 3, n).astype(float)
        y.backward(w.tensor(seed.reshape(shape)))
        value = of_x @ a.reshape(-1) + of_u @ b.reshape(-1) + rest
        w.same("value", y, value.reshape(shape))
        w.same("gradient of the base", x.grad, (of_x.T @ seed).reshape(shape))
        wanted = (of_u.T @ seed).reshape(shape)
        got = u.grad if u.grad is not None else w.tensor(np.zeros(shape))
        w.same("gradient of what was added", got, wanted)


@program
def second_order(w: World, rng: Rng) -> None:
    """Derivatives of a power, by derivatives of derivatives."""
    a = rng.integers(-3, 4, 5).astype(float)
    with w.running():
        x = w.tensor(a, requires_grad=True)
        y = (x * x * x * x).sum()
        (first,) = w.t.autograd.grad(y, x, create_graph=True)
        (second,) = w.t.autograd.grad(first.sum(), x, create_graph=True)
        second.sum().backward()
        w.same("first", first, 4 * a**3)
        w.same("second", second, 12 * a**2)
        w.same("third", x.grad, 24 * a)


def _together(bodies: list[Callable[[], None]]) -> None:
    """Run *bodies* in threads of their own; raises what one of them raised."""
    failures: list[BaseException] = []

    def guarded(body: Callable[[], None]) -> None:
        try:
            body()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        try:
            raise failures[0]
        finally:
            failures.clear()


@host_program
def one_leaf_of_many_threads(w: World, rng: Rng) -> None:
    """Every thread's gradient arrives; and the hook sees every one of them."""
    a = rng.integers(-3, 4, (2, 3)).astype(float)
    factors = [float(f) for f in rng.integers(1, 9, 3)]
    x = w.tensor(a, requires_grad=True)
    calls: list[int] = []
    x.register_hook(lambda g: calls.append(1))

    def body(factor: float) -> Callable[[], None]:
        def run() -> None:
            for _ in range(4):
                (x * factor).sum().backward()

        return run

    _together([body(f) for f in factors])
    w.same("gradient", x.grad, np.full((2, 3), 4 * sum(factors)))
    w.same("calls", len(calls), 12)


@host_program
def a_graph_made_elsewhere(w: World, rng: Rng) -> None:
    """Built in one thread, walked and freed in another; modes stay with their thread."""
    a = rng.integers(-3, 4, 4).astype(float)
    depth = int(rng.integers(1, 300))
    found: list[Any] = []
    made: list[Any] = []

    def build() -> None:
        x = w.tensor(a, requires_grad=True)
        y = x
        for _ in range(depth):
            y = y + x
        made.append((x, y))

    def walk() -> None:
        x, y = made.pop()
        with w.t.no_grad():
            found.append((w.t.is_grad_enabled(), y * 2))
        y.sum().backward()
        found.append((w.t.is_grad_enabled(), x.grad))

    with w.t.no_grad():
        _together([build])
    with w.t.no_grad():
        _together([walk])
        w.same("mode here", w.t.is_grad_enabled(), False)
    w.same("value", found[0][1], 2 * (depth + 1) * a)
    w.same("gradient", found[1][1], np.full(4, depth + 1.0))
    w.same("modes", [m for m, _ in found], [False, True])


@host_program
def an_error_in_the_middle(w: World, rng: Rng) -> None:
    """A hook raises: its text arrives, no leaf has changed, and the next backward is right."""
    a = rng.integers(1, 4, 3).astype(float)
    x = w.tensor(a, requires_grad=True)
    armed = [True]

    def hook(g: Any) -> None:
        if armed[0]:
            raise ValueError("not now")

    y = x * 2
    y.register_hook(hook)
    z = (y * y).sum()
    text = ""
    try:
        z.backward(retain_graph=True)
    except ValueError as error:
        text = str(error)
    w.same("an error's text", text == "not now" and x.grad is None, True)
    armed[0] = False
    z.backward()
    w.same("gradient", x.grad, 8 * a)
    try:
        z.backward()
    except RuntimeError as error:
        text = str(error)
    w.same("a second time", text.startswith("Trying to backward through the graph a second"), True)


@host_program
def backward_in_backward(w: World, rng: Rng) -> None:
    """A Function runs a graph of its own when it is walked."""
    a = rng.integers(-3, 4, 4).astype(float)

    class Inner(w.t.autograd.Function):
        @staticmethod
        def forward(ctx: Any, v: Any) -> Any:
            with w.t.enable_grad():
                ctx.leaf = v.detach().requires_grad_()
                ctx.result = (ctx.leaf**2).sum()
            return ctx.result.detach()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            ctx.result.backward(g)
            return ctx.leaf.grad

    x = w.tensor(a, requires_grad=True)
    (Inner.apply(x * 3) * 5).backward()
    w.same("gradient", x.grad, 90 * a)


@host_program
def a_stream_of_ones_own(w: World, rng: Rng) -> None:
    """Numbers of a generator are those of the engine that torch took."""
    seed, n = int(rng.integers(0, 2**31)), int(rng.integers(1, 50))
    engine = np.random.RandomState(seed)
    draws = engine.randint(0, 2**32, 2 * n, np.uint64) & 0xFFFFFF
    g = w.t.Generator().manual_seed(seed)
    half = w.t.rand(n, generator=g)
    state = g.get_state()
    rest = w.t.rand(n, generator=g)
    g.set_state(state)
    again = w.t.rand(n, generator=g)
    w.same("first", half, draws[:n].astype(np.float32) * np.float32(2.0**-24))
    w.same("rest", rest, draws[n:].astype(np.float32) * np.float32(2.0**-24))
    w.same("again", again, rest.numpy())


@host_program
def there_and_back_in_a_file(w: World, rng: Rng) -> None:
    """Views stay views of one storage, in a file as in a copy."""
    import copy

    a = rng.integers(-3, 4, (3, 4)).astype(float)
    base = w.tensor(a)
    model = w.t.nn.Linear(3, 2)
    file = io.BytesIO()
    w.t.save({"base": base, "part": base[1:, ::2], "model": model.state_dict()}, file)
    file.seek(0)
    for back in (w.t.load(file), copy.deepcopy({"base": base, "part": base[1:, ::2]})):
        back["part"].add_(10)
        wanted = a.copy()
        wanted[1:, ::2] += 10
        w.same("what was loaded", back["base"], wanted)
        if "model" in back:
            weight = model.weight.detach().numpy()
            if not np.array_equal(back["model"]["weight"].numpy(), weight):
                raise Difference("a weight has changed in the file")
    w.same("what was saved", base, a)


@host_program
def memory_of_many_names(w: World, rng: Rng) -> None:
    """One storage under several tensors: resized, replaced, read through numpy."""
    n = int(rng.integers(2, 9))
    a = rng.integers(-3, 4, n).astype(float)
    base = w.tensor(a)
    other = w.t.empty(0, dtype=w.t.float64).set_(base.untyped_storage(), 1, (n - 1,), (1,))
    other.add_(1)
    array = base.numpy()
    array[0] = 9
    a[1:] += 1
    a[0] = 9
    w.same("what all see", base, a)
    strided = base.as_strided((n // 2,), (2,), 0)
    w.same("every second", strided, a[: n // 2 * 2 : 2])
    del array, strided
    fresh = w.tensor(a)
    fresh.resize_(n + 3)
    w.same("the front of what has grown", fresh[:n].clone(), a)
    fresh.untyped_storage().resize_(0)
    w.same("nothing left", fresh.untyped_storage().nbytes(), 0)


@program
def on_many_views_at_once(w: World, rng: Rng) -> None:
    """Parts of one split, each through its own way, put together again."""
    a = rng.integers(-3, 4, (6, 2)).astype(float)
    sizes = [1, 2, 3]
    with w.running():
        x = w.tensor(a, requires_grad=True)
        parts = [p * (i + 1) for i, p in enumerate((x * 1).split(sizes))]
        y = w.t.cat(parts[::-1]).sum()
        y.backward()
        wanted = np.repeat([1.0, 2.0, 3.0], sizes)[:, None] * np.ones(2)
        w.same("gradient", x.grad, wanted)
