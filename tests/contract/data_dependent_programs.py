"""Programs whose sizes and numbers depend on data, and what they are called with."""

from __future__ import annotations


def programs(t):
    """By what is particular to it: a function of tensors, and its arguments."""
    F = t.nn.functional
    shapes = t.fx.experimental.symbolic_shapes
    mixed, counts = t.tensor([1.0, -1.0, 2.0]), t.tensor([1, 0, 2])
    table, two, three = t.tensor([[1.0, 2.0], [-3.0, 4.0]]), t.tensor(2), t.tensor(3)

    def checked(a, b):
        n = a.item()
        t._check(n >= 2)
        t._check(n <= 5)
        return b.new_zeros(n * 2, n + 1) + n

    def asserted(a):
        n = a.item()
        assert n > 1
        return t.zeros(n)

    def sizes_of_two(a, b):
        n, m = a.item(), b.item()
        t._check(n == m)
        return t.zeros(n, m) + t.ones(m)

    def listed(a):
        x, y, z = a.tolist()
        t._check(x >= 0)
        return t.zeros(x + y * 0, 2), z

    def narrowed(a, b):
        n = a.item()
        t._check(n >= 0)
        t._check(n <= b.shape[0])
        return b.narrow(0, 0, n), b[n:]

    def is_a_number(a, b):
        n = a.item()
        t._check(n * 2 == b.shape[0])
        return b.view(n, 2)

    def computed(a):
        n = a.item()
        t._check(n >= 1)
        smaller = t.sym_min(n, 4), t.sym_not(n > 3)
        return t.zeros(t.sym_max(n, 3)), *smaller, t.sym_float(n) * 2

    def guessed(a):
        n = a.nonzero().shape[0]
        found = shapes.guard_or_false(n == 0), shapes.guard_or_true(n == 0)
        return a + int(found[0]) + 10 * int(found[1]) + 100 * int(n >= 0)

    def branched(a, b):
        return t.cond(a.item() > 3, lambda b: b + 1, lambda b: b - 1, (b,))

    def alike(a):
        x = a[a > 0]
        return t.empty_like(x).shape[0], t.zeros_like(x), x.new_ones(x.shape)

    def of_parts(a):
        x = a[a > 0]
        return x[:2], x.sum(), F.pad(x, (1, 2)), x.cumsum(0), t.stack([x, x + 1])

    def changed(a):
        b = a.clone()
        b[b > 0] = 0
        return b

    return {
        "number as size": (lambda a: t.ones(a.item(), 3), (two,)),
        "checked": (checked, (three, mixed)),
        "asserted": (asserted, (three,)),
        "two numbers that are equal": (sizes_of_two, (two, two)),
        "list": (listed, (counts,)),
        "narrow": (narrowed, (two, mixed)),
        "slice": (lambda a, b: b[: a.item()], (two, mixed)),
        "index": (lambda a, b: b[a.item()], (two, mixed)),
        "index that is a tensor": (lambda a: a[a.argmax()], (mixed,)),
        "number that is known": (is_a_number, (two, t.ones(4))),
        "computed": (computed, (t.tensor(5),)),
        "guessed": (guessed, (counts,)),
        "branch": (branched, (t.tensor(5), mixed)),
        "float": (lambda a, b: b * a.item(), (t.tensor(1.5), mixed)),
        "truth": (lambda a: t.ones(3) * a.any().item(), (counts,)),
        "quotient": (lambda a: t.ones(a.item() // 2), (t.tensor(5),)),
        "number twice": (lambda a: (a.item() + a.item(), t.ones(a.item())), (two,)),
        "range": (lambda a: t.arange(a.item()), (three,)),
        "expand": (lambda a, b: b.expand(a.item(), 3), (two, mixed)),
        "nonzero": (lambda a: a.nonzero().squeeze(1) + 1, (counts,)),
        "where": (lambda a: t.where(a > 0), (mixed,)),
        "mask": (lambda a: a[a > 0] * 2, (mixed,)),
        "masks of two": (lambda a: a[a > 0] + a[a > 0], (mixed,)),
        "masked_select": (lambda a: t.masked_select(a, a > 0).mean(), (mixed,)),
        "masked rows": (lambda a, b: a[a[:, 0] > 0] @ b, (table, t.ones(2, 4))),
        "unique": (lambda a: t.unique(a, return_counts=True), (counts,)),
        "unique along": (lambda a: t.unique(a, dim=0), (table,)),
        "unique_consecutive": (lambda a: t.unique_consecutive(a), (counts,)),
        "repeat_interleave": (lambda a, b: t.repeat_interleave(b, a), (counts, mixed)),
        "bincount": (lambda a: t.bincount(a), (counts,)),
        "joined": (lambda a, b: t.cat([a[a > 0], b]), (mixed, mixed)),
        "reshaped": (lambda a: a[a > 0].reshape(1, -1), (mixed,)),
        "softmax": (lambda a: t.softmax(a[a > 0], 0), (mixed,)),
        "embedding": (lambda a, b: F.embedding(a[a > 0], b), (counts, t.ones(4, 2))),
        "sizes as results": (lambda a: (a[a > 0].numel(), a[a > 0].size()), (mixed,)),
        "alike": (alike, (mixed,)),
        "parts": (of_parts, (t.tensor([1.0, 2.0, 3.0]),)),
        "masked assignment": (changed, (mixed,)),
        "int of a number": (lambda a: int(a) + 1, (three,)),
        "decision": (lambda a, b: b + 1 if a.item() > 3 else b, (three, mixed)),
        "decision on a size": (lambda a: a if a.nonzero().shape[0] > 2 else a + 1, (mixed,)),
    }
