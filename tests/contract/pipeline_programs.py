"""Programs over ``(torch, make)`` that a pipeline may defer: *make* gives their operands."""

from __future__ import annotations

#: Operands that are computed while they are recorded, and that are queued.
SMALL, LARGE = 3, 5000


def ramp(torch, n, device="cpu", **options):
    """Numbers that rise by sevenths."""
    t = torch.arange(n, dtype=torch.float32) / 7 - 1
    return t.to(device).requires_grad_(options.get("requires_grad", False))


def pointwise(torch, make):
    a = make()
    return (a + a * 2).relu() - a / 3


def broadcasting(torch, make):
    a = make()
    return a[:3].reshape(3, 1) * a[:3] + 1


def reductions(torch, make):
    a = make()
    return (a * 2).amax(0), (a + 1).argmin(), a.abs().max()


def promotion(torch, make):
    a = make()
    return a.long() + 1, a.double() * a, (a > 0) & (a < 1), a.to(torch.int32) * 2.5


def in_place(torch, make):
    a = make()
    b = a + 1
    c = b * 2
    b.add_(5)
    d = b * 2
    b.mul_(a)
    return b, c, d


def in_place_on_materialised(torch, make):
    a = make()
    alias = a[1:]
    before = alias + 0
    a.add_(1)
    return a, alias, alias + 0, before


def write_through_view(torch, make):
    b = make() + 1
    v = b[::2]
    v.zero_()
    v[0] = 7
    b[1] += 3
    return b, v, b * 2


def views_of_pending(torch, make):
    b = (make() * 2)[:3]
    return b.view(3, 1), b.expand(2, 3), b.unsqueeze(0).transpose(0, 1), b[1], b.flip(0)


def out_argument(torch, make):
    a = make()
    target = torch.empty_like(a)
    torch.add(a, 1, out=target)
    first = target * 2
    torch.mul(a, 3, out=target)
    return first, target


def copies(torch, make):
    a = make()
    b = torch.zeros_like(a)
    b.copy_(a)
    a.fill_(9)
    c = a.clone()
    a.zero_()
    return a, b, c


def data_dependent(torch, make):
    a = make() + 0.5
    a.mul_(2)
    return a.nonzero(), a[a > 0.3], torch.masked_select(a, a < 0)


def lists(torch, make):
    a = make()
    x, y = a[:3] + 1, a[:3] * 2
    parts = torch.cat([x, y]).split(2)
    return torch.stack([x, y]), parts, torch.where(x > 1, x, y)


def composite(torch, make):
    a = make()[:3]
    return torch.nn.functional.cross_entropy((a * a).reshape(1, 3), torch.tensor([1]).to(a.device))


def python_numbers(torch, make):
    a = make() + 1
    b = a * 2
    total = float(b[1]) + int(a[0] > 5) + b.tolist()[2]
    return total, bool((a + 1)[0] > 0), len(b), b.shape[0], (b - b).sum().item()


def gradients(torch, make):
    a, b = make(requires_grad=True), make(requires_grad=True)
    ((a * b + a).relu() * 2 - b).pow(2).sum().backward()
    return a.grad, b.grad


def gradients_with_in_place(torch, make):
    a = make(requires_grad=True)
    b = a * 2
    b[1:].mul_(3)
    b.add_(a)
    b.sum().backward()
    return a.grad


def second_order(torch, make):
    a = make(requires_grad=True)
    (g,) = torch.autograd.grad((a**3).sum(), a, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), a)
    return g, h


def hooks(torch, make):
    a = make(requires_grad=True)
    b = a * 2
    seen = []
    b.register_hook(lambda g: seen.append(g[0].item()) or g * 10)
    a.register_hook(lambda g: g + 1)
    b.sum().backward()
    return a.grad, seen


def without_grad(torch, make):
    a = make(requires_grad=True)
    with torch.no_grad():
        b = a * 2
        a.add_(1)
    c = a * 2
    return b, c, b.requires_grad, c.requires_grad, c.detach()


def facts_while_pending(torch, make):
    a = make(requires_grad=True)
    b = a + 1
    c = b[1:]
    d = (a.detach() * 2).add_(1)
    return (
        (b.requires_grad, b.is_leaf, b.grad_fn.name(), c.grad_fn.name(), c._base is b),
        (d._version, b._version, d.requires_grad, d.grad_fn is None),
        (b.dtype, b.stride(), c.storage_offset(), c.is_contiguous(), b.numel()),
    )


PROGRAMS = [
    pointwise,
    broadcasting,
    reductions,
    promotion,
    in_place,
    in_place_on_materialised,
    write_through_view,
    views_of_pending,
    out_argument,
    copies,
    data_dependent,
    lists,
    composite,
    python_numbers,
    gradients,
    gradients_with_in_place,
    second_order,
    hooks,
    without_grad,
    facts_while_pending,
]
