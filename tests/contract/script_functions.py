"""Functions that can be scripts, of either framework, each with arguments."""

import math


def functions(t):
    """Functions, each with arguments; a tensor is a list of sizes in a tuple ``("t", …)``."""
    nn, Tensor, F = t.nn, t.Tensor, t.nn.functional

    def straight(x, y):
        z = x + y
        unused = x * 2  # noqa: F841  # the compiler drops it
        return z * w(z)

    def w(z):
        return z.sum() / 2

    def branch(x, y):
        z = x + y
        if z.sum() > 0:
            z = z * 2
            k = 1
        else:
            k = 2
        return z * k

    def early(x, y: Tensor | None = None, k: int = 2, s: str = "a"):
        if y is None:
            return x
        z = y + x
        while bool(z.sum() < 10):
            z += 1
        return F.relu(z)[0, 1:, ..., None].view(-1, 3)

    def loop(x, n: int):
        out = []
        for i in range(n):
            x = x + i
            if i > 3:
                break
            out.append(x)
        return t.stack(out), out

    def nested(x, n: int):
        s = 0.0
        for i in range(n):
            if i == 2:
                continue
            for j in range(2, n, 2):
                s += j * 0.5
                if s > 10:
                    return x
        return x * s

    def containers(x):
        a, b = x.chunk(2)
        d = {"a": a}
        d["b"] = b
        pair = (a, b)
        assert a.dim() == 1, "bad"
        q = [i * 2 for i in [1, 2, 3]]
        if len(q) > 2 and q[0] == 1 or q[1] in q:
            q.append(7)
        return f"{3} {4}", d, pair[0] if True else pair[1], not q[0] > 1, q

    def in_place(x):
        y = x.clone()
        y[0] = 1.0
        y[1:] += 2
        y.mul_(2)
        return y.T * y.shape[0] / 3**2

    def walks(x: list[int], d: dict[str, Tensor]) -> int | None:
        total = 0
        for k in d:
            if k == "z":
                return None
        for a, (_, v) in zip(x, d.items()):
            total += a * int(v.sum())
        for i, e in enumerate(x):
            x[i] = e + 1
        del d["a"]
        return x[-1] + total

    def numbers(x, n: int, f: float):
        return (2 + x, 2 - x, f * x, 2 / x, x // n, x % 2, n > x, -x, n // 2, f**2, n % 3)

    def indices(x):
        return x[:2], x[:, 0], x[1:2, ::3], x[None], x[-1], x[[0, 1]], x[x > 0]

    def texts(values: list[int], s: str):
        return values[:2], values[1:], s[1:], s[0], values + values, f"{s}-{values[0]}", s.upper()

    def refined(x, y: int | None):
        if y is not None and y > 2:
            x = x + y
        if isinstance(y, int):
            x = x + y
        z: dict[str, list[int]] = {}
        z["a"] = [1]
        best = x.max(dim=0)
        u, v = x.topk(2)
        return z, best.values, u, x.shape, x.dtype, x.ndim

    def quiet(x):
        with t.no_grad():
            y = x * 2
        return y + x

    def chosen(x, y: Tensor | None = None):
        return x if y is None else y + x

    def commented(x, n):
        # type: (Tensor, int) -> Tensor
        """Types in a comment."""
        for _ in range(n):
            x = x.relu() - 0.5
        return x

    def either(x: int | str) -> int:
        if isinstance(x, int):
            return x + 1
        return len(x)

    def guarded(x):
        if x.size(0) == 0:
            raise ValueError("empty: " + str(x.size(0)))
        return math.sqrt(2.0) + x

    def scripted(x):
        if t.jit.is_scripting():
            return x + 1
        return x.numpy()

    def made(x):
        a = t.zeros(2, 3, dtype=t.float64) + t.ones([2, 3])
        b = t.tensor([1.0, 2.0])
        c = t.cat([x, x], dim=1)
        return a, b, c.to(t.float64), t.arange(3), t.full((2,), 1.5)

    def annotated(x):
        items = t.jit.annotate(list[Tensor], [])
        items.append(x)
        best: Tensor | None = None
        for item in items:
            best = item
        assert best is not None
        return best

    def forked(x):
        future = t.jit._fork(w, x)
        return t.jit._wait(future) + 1

    def mapped(x):
        d = {"a": x, "b": x}
        return {k: v + 1 for k, v in d.items()}, [v + 1 for v in x], list(d.keys()), len(d)

    def library(x):
        x = F.softmax(F.gelu(x), dim=-1)
        x = F.dropout(x, 0.0, training=False)
        x = F.layer_norm(x, [x.size(-1)])
        return F.linear(x, t.ones(2, x.size(-1))), F.pad(x, [1, 1]), F.normalize(x)

    x, y = ("t", 3, 4), ("t", 3, 4)
    del nn
    return [
        (straight, (x, y)), (branch, (x, y)), (early, (x,)), (early, (x, y)), (loop, (x, 3)),
        (loop, (x, 7)), (nested, (x, 3)), (nested, (x, 8)), (containers, (("t", 4),)),
        (in_place, (x,)), (walks, ([1, 2], {"a": ("t", 2), "b": ("t", 2)})),
        (numbers, (x, 7, 1.5)), (indices, (x,)), (texts, ([1, 2, 3], "abc")), (refined, (x, 3)),
        (refined, (x, None)), (quiet, (x,)), (chosen, (x,)), (chosen, (x, y)),
        (commented, (x, 2)), (either, (3,)), (either, ("abc",)), (guarded, (x,)),
        (scripted, (x,)), (made, (x,)), (annotated, (x,)), (forked, (x,)), (mapped, (x,)),
        (library, (x,)),
    ]  # fmt: skip
