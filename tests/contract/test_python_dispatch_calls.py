"""What a dispatch mode sees of everyday calls, and tensors that answer for their own shape."""

from __future__ import annotations

import importlib
import warnings
from contextlib import ExitStack, nullcontext
from itertools import product, zip_longest

import pytest

from .rows import report

#: Calls by subject: each is run under a mode of either framework, line by line.
CALLS = {
    "resize": "t.ones(2).resize_(4); t.ones(2).resize_as_(x)",
    "set": """
        t.ones(2).set_(x); t.ones(2).set_(); t.ones(2).set_(x.untyped_storage())
        t.ones(2).set_(x.untyped_storage(), 0, (2,), (1,))
    """,
    "detach": "w.detach(); (w * 2).detach_(); w.data; y = t.ones(2); y.data = t.zeros(2)",
    "requires_grad": "t.ones(2).requires_grad_(); w.grad; w.is_leaf; (w * 2).retain_grad()",
    "same": "x.is_set_to(x); x.is_same_size(x); t.equal(x, x); x.is_pinned()",
    "to": """
        x.to(t.float64); x.to("cpu"); x.double(); x.cpu(); x.to(x); x.type(t.int32)
        x.to(t.float64, copy=True); x.to(t.float32, copy=True)
    """,
    "item": "x[0, 0].item(); x.tolist(); bool(x[0, 0]); int(x[0, 0]); float(x[0, 0])",
    "print": "repr(x); repr(w); str(i); repr(t.empty(0)); repr(x[0, 0])",
    "subscripts": """
        x[0]; x[:, 1]; x[None]; x[..., 0]; x[i[:2] % 2]; x[x > 0]; x[[0, 1]]; x[0:1, None, ::1]
    """,
    "assignments": """
        y = t.ones(3, 3); y[0] = 1; y[0, 0] = 2.0; y[:, 1] = t.zeros(3); y[y > 0] = 0
        y[...] = 3; y[t.tensor([0, 1])] = t.ones(3); y[[0, 1]] = 4
    """,
    "copy": """
        t.ones(2).copy_(t.zeros(2)); t.ones(2).copy_(t.zeros(2, dtype=t.int64)); t.ones(2).fill_(1)
        t.ones(2).zero_(); x.clone()
    """,
    "factories": """
        t.ones(2); t.zeros(2); t.empty(2); t.full((2,), 1); t.rand(2); t.randn(2); t.arange(3)
        t.linspace(0, 1, 3); t.eye(2); t.randperm(3); t.empty_strided((2,), (1,))
        t.tril_indices(2, 2); t.randint(3, (2,)); t.tensor([1, 2]); t.as_tensor(x)
    """,
    "like": """
        t.ones_like(x); t.empty_like(x); t.rand_like(x); t.full_like(x, 2); x.new_zeros(2)
        x.new_tensor([1.0]); x.new_full((2,), 1); x.new_empty_strided((2,), (1,))
    """,
    "numpy": "x.numpy(); x.__array__()",
    "views": """
        x.view(4); x.reshape(4); x.t(); x.T; x.transpose(0, 1); x.permute(1, 0); x.unsqueeze(0)
        x.squeeze(); x.expand(3, 2, 2); x.flatten(); x.as_strided((2,), (1,))
        x.chunk(2); x.split(1); x.unbind(); x.narrow(0, 0, 1); x.diagonal(); x.t().contiguous()
    """,
    "in place": """
        y = t.ones(2, 2); y.add_(1); y.mul_(y); y.t_(); y.unsqueeze_(0); y.squeeze_(); y += 1
        y.clamp_(0, 1); y.copy_(x); y.sub_(1).div_(2)
    """,
    "out": """
        t.add(x, x, out=t.empty(2, 2)); t.sum(x, 0, out=t.empty(2)); t.mm(x, x, out=t.empty(0))
        t.max(x, 0, out=(t.empty(2), t.empty(2, dtype=t.int64)))
    """,
    "backward": """
        (w * w).sum().backward(); t.nn.functional.linear(w, w, w[0]).relu().sum().backward()
        t.autograd.grad((w * w).sum(), w, create_graph=True)
    """,
    "random": "t.ones(2).uniform_(); t.ones(2).normal_(); t.bernoulli(x); t.dropout(x, 0.5, True)",
    "lists": "t.ops.aten.split.Tensor(x, 1); t.ops.aten.unbind.int(x); list(x)",
    "numbers": "t.ones(2) + 1.5; t.add(x, 1, alpha=2); t.mul(2, x); t.rsub(x, 1); 2**x; 1 - x",
    "inference": "y = t.ones(2)\nwith t.inference_mode():\n    y.view(2); t.ones(2).add_(1)",
    "questions": "x.dtype; x.shape; x.stride(); x.numel(); x.is_contiguous(); x.device; x._version",
}


def seen(name, code):
    """What a mode saw of *code*."""
    t = importlib.import_module(name)
    modes = importlib.import_module(f"{name}.utils._python_dispatch")
    lines = []

    def shown(value):
        if isinstance(value, t.Tensor):
            return f"T{tuple(value.shape)}"
        if isinstance(value, (list, tuple)):
            return f"{type(value).__name__}[{', '.join(map(shown, value))}]"
        if isinstance(value, dict):
            return f"{{{', '.join(f'{k}: {shown(v)}' for k, v in sorted(value.items()))}}}"
        return "storage" if "Storage" in type(value).__name__ else str(value)

    class Mode(modes.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            names = [kind.__name__ for kind in types]
            lines.append(f"{func} {names} {shown(args)} {shown(kwargs or {})} -> {shown(result)}")
            return result

    scope = {
        "t": t,
        "x": t.ones(2, 2),
        "w": t.ones(2, 2, requires_grad=True),
        "i": t.arange(4),
    }
    t.manual_seed(0)
    for line in [code] if "with" in code else [p for p in code.replace("\n", ";").split(";")]:
        with warnings.catch_warnings(), Mode():
            warnings.simplefilter("ignore")
            exec(line.strip(), scope)
    return lines


@pytest.mark.parametrize("subject", CALLS)
def test_a_mode_sees_the_oracles_operators_of_everyday_calls(subject):
    """Operators, classes, arguments as written, results."""
    want = seen("torch", CALLS[subject])
    got = [line.replace("mindtorch", "torch") for line in seen("mindtorch", CALLS[subject])]
    report([f"ours {g}, torch {w}" for g, w in zip_longest(got, want) if g != w])


POLICIES = (
    {"dispatch_sizes_strides_policy": "strides"},
    {"dispatch_sizes_strides_policy": "sizes"},
    {"dispatch_device": True},
    {"dispatch_layout": True},
)
QUESTIONS = (
    "x.dim()", "x.ndim", "x.ndimension()", "x.numel()", "x.nelement()", "x.size()", "x.size(0)",
    "x.size(5)", "x.shape", "x.stride()", "x.stride(1)", "x.is_contiguous()", "len(x)",
    "x.is_contiguous(memory_format=t.channels_last)", "x.storage_offset()", "x.device", "x.layout",
    "x.is_cpu", "x.is_cuda", "x.is_meta", "x.get_device()", "x.element_size()", "x.itemsize",
    "x.dtype",
)  # fmt: skip


def answers(name, policy, wrapper):
    """What is asked of a class, and what comes of its answers: its own, none, a refusal."""
    t = importlib.import_module(name)
    asked, lines = [], []
    answer = {
        "dim": 2, "numel": 6, "sym_numel": 6, "sym_size": (2, 3), "sym_stride": (3, 1),
        "is_contiguous": True, "sym_storage_offset": 0, "device": t.device("cpu"),
        "layout": t.strided,
    }  # fmt: skip

    class Asked(t.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args, kwargs=None):
            asked.append((str(func), len(args), kwargs))
            if how == "none":
                return None
            own = func.__name__.partition(".")[0]
            return NotImplemented if how == "refusal" else answer.get(own)

    data = t.ones(2, 3)
    if wrapper:
        x = t.Tensor._make_wrapper_subclass(Asked, data.size(), dtype=data.dtype, **policy)
    else:
        x = t.Tensor._make_subclass(Asked, data, False, **policy)
    for question in QUESTIONS:
        for how in ("answer", "none", "refusal"):
            asked.clear()
            try:
                result = str(eval(question, {"x": x, "t": t}))
            except Exception as error:
                result = f"{type(error).__name__}: {error}".partition("\n")[0]
            lines.append((question, how, list(asked), result.replace("mindtorch", "torch")))
    return lines


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("wrapper", [True, False], ids=["wrapper", "subclass"])
def test_a_class_answers_for_its_tensors_as_the_oracles(policy, wrapper):
    """Which operator is asked, and what comes of the answer."""
    pairs = zip(
        answers("mindtorch", policy, wrapper), answers("torch", policy, wrapper), strict=True
    )
    report([f"ours {ours}, torch {want}" for ours, want in pairs if ours != want])


@pytest.mark.parametrize("policy", [{"dispatch_sizes_strides_policy": p} for p in ("bad", 1)])
def test_a_policy_that_is_none_is_refused(policy):
    """torch's type and text."""
    texts = []
    for name in ("torch", "mindtorch"):
        t = importlib.import_module(name)
        cls = type("C", (t.Tensor,), {"__torch_dispatch__": classmethod(lambda *a, **k: None)})
        with pytest.raises((TypeError, ValueError)) as raised:
            t.Tensor._make_wrapper_subclass(cls, (2,), **policy)
        texts.append((raised.type, str(raised.value)))
    assert texts[0] == texts[1]


def handed(t, how):
    """What a mode and a class see of arithmetic with numbers, by a kind of tensor."""
    seen = []

    class Class(t.Tensor):
        @staticmethod
        def __new__(cls, inner, policy):
            place = inner.size(), inner.stride(), None, None, inner.dtype, inner.layout
            made = cls._make_wrapper_subclass(cls, *place, inner.device, False, False, policy)
            made.inner = inner
            return made

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            seen.append(f"class {func}")
            inner = [a.inner if isinstance(a, cls) else a for a in args]
            out = func(*inner, **(kwargs or {}))
            return cls(out, how) if isinstance(out, t.Tensor) else out

    class Mode(importlib.import_module(f"{t.__name__}.utils._python_dispatch").TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(f"mode {func}")
            return func(*args, **(kwargs or {}))

    x = t.ones(4, 3)
    if how in ("conj", "neg"):
        z = t.ones(4, 3, dtype=t.complex64).conj()
        x = z if how == "conj" else z.imag
    elif how != "plain":
        x = Class(x, how)
    for mode in (True, False):
        with Mode() if mode else nullcontext():
            x * 2, 2 * x, x + 1, t.sub(x, 1), x / 2, x == 1, x.mul(2.0), x.view(12), x.shape
    asked = t.ops.aten
    if isinstance(x, Class):
        answer = asked.sym_size.default(x), asked.stride.default(x), asked.is_contiguous.default(x)
        seen.append(str([*map(list, answer[:2]), answer[2]]))
    questions = ("size", "stride", "contiguous", "dim", "numel")  # how often is nobody's business
    return [
        line.replace("mindtorch", "torch")
        for line in seen
        if line[0] == "[" or not any(word in line for word in questions)
    ]


@pytest.mark.parametrize("how", ["plain", None, "sizes", "strides", "conj", "neg"])
def test_numbers_go_to_the_overloads_for_tensors(how):
    """Whatever lies between a program and the key that hands over, also where a class is asked."""
    torch, ours = map(importlib.import_module, ("torch", "mindtorch"))
    report(
        [
            f"ours {g}, torch {w}"
            for g, w in zip_longest(handed(ours, how), handed(torch, how))
            if g != w
        ]
    )


def higher(t, modes):
    """What modes make of ``torch.cond``'s operator, by whether they say that they take such."""
    seen = []
    base = importlib.import_module(f"{t.__name__}.utils._python_dispatch").TorchDispatchMode

    def mode(kind):
        class Mode(base):
            supports_higher_order_operators = kind != "plain"

            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                seen.append((str(func), types if func.__name__ == "cond" else "", len(args)))
                return NotImplemented if kind == "declines" else func(*args, **(kwargs or {}))

            def __repr__(self):
                return kind

        return Mode()

    cond = t.ops.higher_order.cond
    x, yes = t.ones(2), t.tensor(True)
    with ExitStack() as stack:
        for kind in modes:
            stack.enter_context(mode(kind))
        try:
            seen.append(cond(yes, lambda x: (x.sin(),), lambda x: (x.cos(),), (x,)))
        except Exception as error:
            seen.append(f"{type(error).__name__}: {error}")
    return str(seen).replace("mindtorch", "torch")


def test_modes_are_handed_operators_that_take_functions():
    """Those that say so; others refuse them."""
    importlib.import_module("torch._higher_order_ops.cond")
    torch, ours = map(importlib.import_module, ("torch", "mindtorch"))
    importlib.import_module("mindtorch._higher_order_ops.cond")
    kinds = ("takes", "plain", "declines")
    for modes in [*zip(kinds), *product(kinds, repeat=2)]:
        assert higher(ours, modes) == higher(torch, modes), modes


def facts(t):
    """Tensors that are handed on as they are, and of which kind tensors are."""
    x = t.ones(2)
    like = t._C._dispatch_isTensorSubclassLike
    yield t.ops.aten.lift(x) is x
    cls = type("C", (t.Tensor,), {"__torch_dispatch__": classmethod(lambda *a, **k: None)})
    kinds = (x, x.to_sparse(), x.to("meta"), t.nn.Parameter(x), x.to(t.complex64).conj())
    yield from map(like, (*kinds, x.as_subclass(cls), t._efficientzerotensor(2)))
    inside = []
    t.func.vmap(lambda v: (inside.append(like(v)), v)[1])(x)
    t.func.functionalize(lambda v: (inside.append(like(v)), v)[1])(x)
    yield inside
    with t.library._scoped_library(f"sums_{t.__name__}", "DEF") as made:
        made.define("total(SymInt a, SymInt b) -> SymInt")
        made.impl("total", lambda a, b: a + b, "CompositeExplicitAutograd")
        total = getattr(t.ops, f"sums_{t.__name__}").total
        shapes = importlib.import_module(f"{t.__name__}.fx.experimental.symbolic_shapes")
        fakes = importlib.import_module(f"{t.__name__}._subclasses.fake_tensor")
        mode = fakes.FakeTensorMode(shape_env=shapes.ShapeEnv())
        sizes = mode.from_tensor(t.ones(2, 3)).shape
        yield from (str(total(*sizes)).count("s"), type(total(*sizes)).__name__, total(2, True))


def test_tensors_and_sizes_are_handed_on_as_they_are():
    """``lift`` gives its argument, kernels give the sizes of traces."""
    torch, ours = map(importlib.import_module, ("torch", "mindtorch"))
    assert list(facts(ours)) == list(facts(torch))
