"""What follows from a row, checked by calling it: no torch is asked, and no check knows an op.

Each check takes a row of an elementwise op and calls it with the row's samples. They compare the
row's forms, dtypes, devices and modes with its kernel and with one another, and its gradients with
differences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Check = Callable[[Any], None]
CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """One thing that follows from a row."""
    CHECKS[function.__name__] = function
    return function


# -- what a row's calls are ------------------------------------------------------------------------


def calls(row: Any, dtype: str = "float64", *, grad: bool = False) -> Iterator[tuple[Any, ...]]:
    """The arguments of the row's samples, defaults filled in."""
    import mindtorch
    from mindtorch.call.arguments import full_arguments

    from tests.samples import Maker, find

    generator = find(row.samples)
    assert generator is not None, f"there is no generator {row.samples!r}"
    for call in generator(Maker(mindtorch, dtype, grad=grad)):
        yield full_arguments(overload_of(row), call.args, call.kwargs)


def overload_of(row: Any, kind: str = "functional") -> Any:
    """The row's overload of one kind."""
    from mindtorch.call.dispatch_entry import OVERLOADS

    found = next((o for o in OVERLOADS.values() if o.row is row and o.kind == kind), None)
    assert found is not None, f"{row} makes no {kind} overload"
    return found


def tensors(args: Any) -> list[Any]:
    """The tensors among arguments or results."""
    import mindtorch

    found = args if isinstance(args, (tuple, list)) else (args,)
    return [t for t in found if isinstance(t, mindtorch.Tensor)]


def moved(args: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The arguments with every tensor changed."""
    import mindtorch

    return tuple([change(a) if isinstance(a, mindtorch.Tensor) else a for a in args])


def public(row: Any) -> Any:
    """The function that users call."""
    import mindtorch

    return getattr(mindtorch, row.base)


def same(found: Any, expected: Any) -> None:
    """Equal shapes, dtypes, and numbers to the last bit; NaN equals itself."""
    assert len(tensors(found)) == len(tensors(expected))
    for a, b in zip(tensors(found), tensors(expected), strict=True):
        assert (a.dtype, a.shape, a.stride()) == (b.dtype, b.shape, b.stride())
        assert bool(((a == b) | (a.isnan() & b.isnan())).all()), f"{a} is not {b}"


def near(found: Any, expected: Any, tolerance: float) -> None:
    """Equal numbers but for rounding."""
    for a, b in zip(tensors(found), tensors(expected), strict=True):
        assert a.shape == b.shape
        assert bool(a.double().isclose(b.double(), tolerance, tolerance, equal_nan=True).all())


def raised(function: Callable[[], Any], kind: type[Exception]) -> str:
    """The text of the error that a call raises."""
    try:
        function()
    except kind as error:
        return str(error)
    raise AssertionError(f"no {kind.__name__}")


# -- the checks ------------------------------------------------------------------------------------


@check
def forms_give_the_same(row: Any) -> None:
    """The function, the method and the overload."""
    import mindtorch

    packet = getattr(mindtorch.ops.aten, row.base)
    for args in calls(row):
        expected = public(row)(*args)
        same(getattr(args[0], row.base)(*args[1:]), expected)
        same(getattr(packet, row.overload or "default")(*args), expected)


@check
def eager_is_what_the_kernel_computes(row: Any) -> None:
    """In double precision; in single precision it is as near as that is."""
    import numpy as np

    for args, narrow in zip(calls(row), calls(row, "float32"), strict=True):
        arrays = np.broadcast_arrays(*[t.numpy() for t in tensors(args)])
        expected = row.kernel(*arrays)
        found = public(row)(*args)
        assert np.allclose(found.numpy(), expected, 1e-14, 1e-14, equal_nan=True)
        single = public(row)(*narrow)
        assert single.dtype is narrow[0].dtype
        near(single, public(row)(*moved(narrow, lambda t: t.double())), 1e-5)


@check
def dtypes_are_promoted(row: Any) -> None:
    """Integers by the row's rule, half types as they are, and each is refused or computed."""
    import mindtorch as t

    for name in ("float16", "bfloat16", "float32", "float64"):
        for args in calls(row, name):
            assert public(row)(*args).dtype is getattr(t, name)
    for name in ("int64", "bool"):
        for args in calls(row, name):
            expected = {"float": t.float32, "bool": t.bool}.get(row.promote, args[0].dtype)
            assert public(row)(*args).dtype is expected
    for args in calls(row):
        if all(x.dim() for x in tensors(args)) and len(tensors(args)) > 1:
            mixed = (args[0].float(), *moved(args[1:], lambda x: x.double()))
            assert public(row)(*mixed).dtype is t.float64


@check
def narrow_dtypes_are_refused(row: Any) -> None:
    """In the name of the kernel that the row's meta has."""
    import mindtorch as t
    from mindtorch.call.elementwise_meta import RULES

    rule = RULES[row.meta]
    for dtype in (t.float8_e4m3fn, t.float8_e5m2):
        args = moved(next(calls(row, "float32")), lambda x, dtype=dtype: x.to(dtype))
        text = raised(lambda args=args: public(row)(*args), NotImplementedError)
        assert text.startswith(f'"{rule.kernel}" not implemented for')


@check
def scalar_expression_is_the_kernel(row: Any) -> None:
    """Element by element."""
    import numpy as np
    from mindtorch.call.scalar_text import expression
    from scipy import special

    code = compile(expression(row), row.name, "eval")
    known = {**vars(special), **vars(np)}
    for args in calls(row):
        names = overload_of(row).names
        arrays = np.broadcast_arrays(*[t.numpy() for t in tensors(args)])
        expected = public(row)(*args).numpy()
        for place in np.ndindex(expected.shape):
            scope = dict(zip(names, args, strict=True))
            scope.update(zip(names, [a[place] for a in arrays], strict=False))
            with np.errstate(all="ignore"):
                said = eval(code, dict(known), scope)
            assert np.isclose(said, expected[place], 1e-12, 1e-14, equal_nan=True)


@check
def in_place_writes_its_target(row: Any) -> None:
    """The same numbers, in the memory that was there, counted as a change."""
    for args in calls(row):
        expected = public(row)(*args)
        if expected.shape != args[0].shape:
            continue
        target = args[0].clone()
        where, version = target.data_ptr(), target._version
        assert getattr(target, row.base + "_")(*args[1:]) is target
        assert (target.data_ptr(), target._version) == (where, version + 1)
        near(target, expected, 0.0)


@check
def in_place_refuses(row: Any) -> None:
    """A leaf that requires grad, and a dtype that cannot hold the result."""
    import mindtorch as t

    args = next(calls(row))
    method = row.base + "_"
    leaf = args[0].clone().requires_grad_()
    text = raised(lambda: getattr(leaf, method)(*args[1:]), RuntimeError)
    assert "a leaf Variable that requires grad" in text
    whole = args[0].long()
    text = raised(lambda: getattr(whole, method)(*args[1:]), RuntimeError)
    assert text.endswith("can't be cast to the desired output type Long"), text
    assert whole.dtype is t.int64


@check
def out_is_written(row: Any) -> None:
    """Resized where it has no elements, strides kept where it fits."""
    for args in calls(row):
        expected = public(row)(*args)
        for into in (expected.new_empty(0), expected.new_empty(expected.shape)):
            assert public(row)(*args, out=into) is into
            near(into, expected, 0.0)
        wide = expected.new_empty((*expected.shape, 2))[..., 0]
        strides = wide.stride()
        public(row)(*args, out=wide)
        near(wide, expected, 0.0)
        assert wide.stride() == strides


@check
def out_refuses(row: Any) -> None:
    """Gradients, and a dtype that cannot hold the result."""
    args = next(calls(row))
    into = args[0].new_empty(0)
    leaves = moved(args, lambda t: t.clone().requires_grad_())
    text = raised(lambda: public(row)(*leaves, out=into), RuntimeError)
    assert "don't support automatic differentiation" in text and row.base in text
    text = raised(lambda: public(row)(*args, out=into.long()), RuntimeError)
    assert "can't be cast to the desired output type Long" in text


@check
def gradient_is_the_slope(row: Any) -> None:
    """Against differences, in double precision, in reverse and forward mode, and batched."""
    import mindtorch as t

    for args in calls(row, grad=True):
        inputs = moved(args, lambda x: x.detach().requires_grad_())
        assert t.autograd.gradcheck(
            public(row), inputs, check_forward_ad=True, check_batched_grad=True
        )


@check
def gradient_has_a_gradient(row: Any) -> None:
    """Against differences of the gradient."""
    import mindtorch as t

    for args in calls(row, grad=True):
        inputs = moved(args, lambda x: x.detach().requires_grad_())
        assert t.autograd.gradgradcheck(public(row), inputs)


@check
def graph_has_a_node(row: Any) -> None:
    """Named by the op; where nothing requires grad there is none."""
    import mindtorch as t

    args = next(calls(row))
    leaves = moved(args, lambda x: x.clone().requires_grad_())
    name = "".join(w.capitalize() for w in row.base.strip("_").split("_"))
    node = public(row)(*leaves).grad_fn
    assert type(node).__name__.startswith(f"{name}Backward"), type(node).__name__
    assert public(row)(*args).grad_fn is None
    with t.no_grad():
        assert public(row)(*leaves).grad_fn is None


@check
def forward_mode_is_the_slope(row: Any) -> None:
    """The tangent of the result, against a difference."""
    import mindtorch as t

    for args in calls(row):
        inputs = tuple(tensors(args))
        changes = tuple([t.cos(x * 3 + 1) for x in inputs])

        def function(*given: Any, args: tuple[Any, ...] = args) -> Any:
            rest = iter(given)
            return public(row)(*moved(args, lambda _: next(rest)))

        step = 1e-6
        ahead = function(*[x + step * c for x, c in zip(inputs, changes, strict=True)])
        behind = function(*[x - step * c for x, c in zip(inputs, changes, strict=True)])
        found = t.func.jvp(function, inputs, changes)[1]
        near(found, (ahead - behind) / (2 * step), 1e-6)


@check
def vmap_is_a_loop(row: Any) -> None:
    """A batch of one operand, or of all."""
    import mindtorch as t

    for args in calls(row):
        many = len(tensors(args))
        for chosen in [*({i} for i in range(many)), set(range(many))]:
            batches = [t.stack((x, x * 0.5, -x)) for x in tensors(args)]
            given = [b if i in chosen else x for i, (b, x) in enumerate(_pairs(batches, args))]
            dims = tuple([0 if i in chosen else None for i in range(many)])
            found = t.vmap(public(row), in_dims=dims)(*given)
            loop = [
                public(row)(*[g[n] if i in chosen else g for i, g in enumerate(given)])
                for n in range(3)
            ]
            near(found, t.stack(loop), 0.0)


def _pairs(batches: list[Any], args: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    return zip(batches, tensors(args), strict=True)


@check
def gradient_goes_through_vmap(row: Any) -> None:
    """Per-sample gradients are those of the samples."""
    import mindtorch as t

    for args in calls(row):
        if len({x.shape for x in tensors(args)}) != 1 or not args[0].dim():
            continue
        inputs = tuple(tensors(args))
        slope = t.func.grad(lambda *x: public(row)(*x).sum())
        near(t.vmap(slope)(*inputs), t.stack([slope(*x) for x in zip(*inputs)]), 1e-12)


@check
def meta_computes_nothing(row: Any) -> None:
    """Shape, dtype and strides are those of the result."""
    for args in calls(row):
        expected = public(row)(*args)
        found = public(row)(*moved(args, lambda t: t.to("meta")))
        facts = (expected.shape, expected.dtype, expected.stride())
        assert found.is_meta and (found.shape, found.dtype, found.stride()) == facts


@check
def npu_computes_the_same(row: Any) -> None:
    """Numbers, gradients, in place and out=."""
    import mindtorch as t

    for args in calls(row):
        there = moved(args, lambda x: x.npu())
        expected, found = public(row)(*args), public(row)(*there)
        assert found.device.type == "npu"
        near(found.cpu(), expected, 0.0)
        into = found.new_empty(0)
        public(row)(*there, out=into)
        near(into.cpu(), expected, 0.0)
        leaves = moved(args, lambda x: x.clone().requires_grad_())
        away = moved(args, lambda x: x.npu().requires_grad_())
        slopes = t.autograd.grad(public(row)(*leaves).sum(), tensors(leaves))
        others = t.autograd.grad(public(row)(*away).sum(), tensors(away))
        for a, b in zip(others, slopes, strict=True):
            near(a.cpu(), b, 0.0)


@check
def devices_are_not_mixed(row: Any) -> None:
    """Two devices in one call are refused."""
    args = next(calls(row))
    if len(tensors(args)) > 1:
        mixed = (args[0].npu(), *args[1:])
        assert "to be on the same device" in raised(lambda: public(row)(*mixed), RuntimeError)


@check
def pipeline_computes_later(row: Any) -> None:
    """The same bits, in place and through a gradient as well."""
    import mindtorch as t

    for args in calls(row):
        expected = public(row)(*args)
        leaves = moved(args, lambda x: x.clone().requires_grad_())
        slopes = t.autograd.grad(public(row)(*leaves).sum(), tensors(leaves))
        with t.pipeline():
            later = public(row)(*args)
            twice = later.clone()
            others = t.autograd.grad(public(row)(*leaves).sum(), tensors(leaves))
        near(later, expected, 0.0)
        near(twice, expected, 0.0)
        near(others, slopes, 0.0)


@check
def functionalization_knows_the_forms(row: Any) -> None:
    """The in-place form becomes the functional one, and the numbers stay."""
    import mindtorch as t

    for args in calls(row):
        if public(row)(*args).shape != args[0].shape:
            continue

        def change(*given: Any) -> Any:
            return getattr(given[0].clone(), row.base + "_")(*given[1:])

        near(t.func.functionalize(change)(*args), change(*args), 0.0)


@check
def layouts_are_elementwise(row: Any) -> None:
    """A transposed operand gives a transposed result, an expanded one a dense one."""
    import mindtorch as t

    x = t.arange(12.0).reshape(3, 4)
    others = [x.t() for _ in tensors(next(calls(row)))]
    if row.promote is not None:
        assert public(row)(*others).stride() == x.t().stride()
        near(public(row)(*others), public(row)(*[o.contiguous() for o in others]), 0.0)


@check
def errors_are_torchs(row: Any) -> None:
    """Shapes, types of arguments, numbers of arguments, dtypes."""
    import mindtorch as t

    args, name = next(calls(row)), row.base
    if len(tensors(args)) > 1:
        text = raised(lambda: public(row)(t.ones(2), t.ones(3), *args[2:]), RuntimeError)
        assert text.startswith("The size of tensor a (2) must match the size of tensor b (3)")
    text = raised(lambda: public(row)("x", *args[1:]), TypeError)
    assert text.startswith(f"{name}(): argument 'input' (position 1) must be Tensor, not str")
    text = raised(lambda: public(row)(), TypeError)
    assert text.startswith(f"{name}() missing")
    text = raised(lambda: public(row)(*args, wrong=1), TypeError)
    assert text.startswith(f"{name}() got an unexpected keyword argument 'wrong'")
    wrong = moved(args, lambda x: x.to(t.complex64))
    text = raised(lambda: public(row)(*wrong), NotImplementedError)
    assert re.fullmatch(r'"\w+" not implemented for \'ComplexFloat\'', text)


@check
def stub_says_the_signature(row: Any) -> None:
    """Of the function and of the method, as type checkers read it."""
    from tests.stubs.hints import definitions
    from tests.stubs.rows import functions, methods

    function = public(row)
    text = "\n".join(definitions(row.base, functions()[id(function)]))
    assert f"def {row.base}(" in text and "input: Tensor" in text and "-> Tensor: ..." in text
    assert "out: Tensor | None = ..." in text or "out: Tensor | None = None" in text, text
    for name in (row.base, row.base + "_"):
        text = "\n".join(definitions(name, methods()[name]))
        back = "Self" if name.endswith("_") else "Tensor"
        assert f"def {name}(self, " in text and f"-> {back}: ..." in text, text
