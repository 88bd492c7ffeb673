"""``MaskedTensor``: operators, reductions, gradients, printing, errors and warnings."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from .helpers import assert_same_value, assert_torch_error, both

UNARY = (
    "abs absolute acos arccos acosh arccosh angle asin arcsin asinh arcsinh atan arctan atanh "
    "arctanh ceil conj_physical cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 fix floor "
    "frac lgamma log log10 log1p log2 logit i0 isnan nan_to_num neg negative positive rad2deg "
    "reciprocal round rsqrt sigmoid sign sgn signbit sin sinc sinh sqrt square tan tanh trunc"
).split()
BINARY = (
    "add atan2 arctan2 div divide floor_divide fmod logaddexp logaddexp2 mul multiply nextafter "
    "remainder sub subtract true_divide eq ne le ge greater greater_equal gt less_equal lt less "
    "maximum minimum fmax fmin not_equal"
).split()
REDUCTIONS = "sum mean amin amax argmin argmax prod all norm var std".split()
#: Values that a reduction's dimension takes, and its options.
ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    ((0,), {}),
    ((-1, True), {}),
    ((), {"dim": 1, "keepdim": True}),
    (((0, 1),), {}),
    ((5,), {}),
]


#: How the warnings begin that sparse layouts give once a process, wherever that is.
ONCE = "UserWarning: Sparse "


def parts(t: Any, dtype: str = "float32") -> tuple[Any, Any]:
    """Data and mask."""
    data = t.arange(12.0).reshape(3, 4).to(getattr(t, dtype))
    return data, (t.arange(12) % 3 != 0).reshape(3, 4)


def made(t: Any, dtype: str = "float32", plus: float = 0, grad: bool = False) -> Any:
    data, mask = parts(t, dtype)
    return t.masked.masked_tensor(data + plus if plus else data, mask, requires_grad=grad)


def told(value: Any, t: Any) -> Any:
    """*value* in terms that both frameworks share: of masked tensors the data and the mask."""
    if isinstance(value, t.masked.MaskedTensor):
        node = value.grad_fn and value.grad_fn.name()
        layout = str(value._masked_data.layout)
        data, mask = value._masked_data.detach().to_dense(), value._masked_mask.to_dense()
        kept = t.where(mask, data, t.zeros_like(data))
        return ["masked", kept, mask, value.requires_grad, node or "leaf", layout]
    if isinstance(value, (tuple, list)):
        return [told(v, t) for v in value]
    return "nothing" if value is None else value


def as_the_oracle_does(run: Callable[[Any], Any], **bounds: Any) -> None:
    """The same value and warnings, or the same error where the oracle raises one."""
    heard: dict[str, set[str]] = {}

    def hearing(t: Any) -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                return told(run(t), t)
            except TypeError as error:  # it may name a class
                raise TypeError(str(error).replace("'mindtorch.", "'torch.")) from error
            finally:
                texts = {f"{w.category.__name__}: {w.message}" for w in caught}
                heard[t.__name__] = {text for text in texts if ONCE not in text}

    ours, oracle = both(hearing)
    try:
        oracle()
    except Exception:
        assert_torch_error(ours, oracle)
    else:
        assert_same_value(ours, oracle, **bounds)
    assert heard["mindtorch"] == heard["torch"]


def in_layout(t: Any, layout: str, dtype: str = "float32", **kwargs: Any) -> Any:
    """Masked tensors of a sparse layout."""
    return getattr(made(t, dtype, **kwargs), {"coo": "to_sparse", "csr": "to_sparse_csr"}[layout])()


def gradients(run: Callable[..., Any], count: int = 1) -> Callable[[Any], Any]:
    """The gradients of the sum of what *run* makes of masked tensors."""

    def work(t: Any) -> Any:
        given = [made(t, "float64", i, grad=True) for i in range(count)]
        result = run(t, *given)
        (result.sum() if result.dim() else result).backward()
        return [result, *(x.grad for x in given)]

    return work


@pytest.mark.parametrize("name", UNARY)
def test_unary_operator_keeps_the_mask(name: str) -> None:
    as_the_oracle_does(lambda t: getattr(t, name)(made(t)), rtol=3e-6, atol=3e-6)
    as_the_oracle_does(lambda t: getattr(made(t, "int64"), name)(), rtol=3e-6, atol=3e-6)
    if name not in ("angle", "positive", "signbit", "isnan"):
        as_the_oracle_does(lambda t: getattr(made(t), name + "_")(), rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize("name", "exp sin sqrt square neg tanh sigmoid log".split())
def test_gradient_of_a_unary_operator(name: str) -> None:
    as_the_oracle_does(gradients(lambda t, x: getattr(t, name)(x)), rtol=1e-9)


@pytest.mark.parametrize("name", BINARY)
def test_binary_operator_wants_equal_masks(name: str) -> None:
    others: list[Callable[[Any], Any]] = [
        lambda t: made(t, plus=1),
        lambda t: parts(t)[0],
        lambda t: 2,
        lambda t: parts(t)[0][0],
        lambda t: t.masked.masked_tensor(parts(t)[0], ~parts(t)[1]),
        lambda t: t.masked.masked_tensor(parts(t)[0][0], parts(t)[1][0]),
    ]
    for other in others:
        as_the_oracle_does(lambda t, y=other: getattr(t, name)(made(t), y(t)), rtol=3e-6)
    as_the_oracle_does(lambda t: getattr(t, name)(parts(t)[0], made(t)), rtol=3e-6)
    as_the_oracle_does(lambda t: getattr(made(t), name + "_")(made(t, plus=1)), rtol=3e-6)


@pytest.mark.parametrize("name", "add sub mul div".split())
def test_gradient_of_a_binary_operator(name: str) -> None:
    as_the_oracle_does(gradients(lambda t, x, y: getattr(t, name)(x, y), 2), rtol=1e-9)

    def plain(t: Any, x: Any) -> Any:
        return getattr(t, name)(x, parts(t, "float64")[0] + 1)

    as_the_oracle_does(gradients(plain), rtol=1e-9)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduction_counts_what_the_mask_keeps(name: str) -> None:
    for args, kwargs in ARGUMENTS:
        for method in (True, False):

            def run(t: Any, a: Any = args, k: Any = kwargs, m: bool = method) -> Any:
                return getattr(made(t), name)(*a, **k) if m else getattr(t, name)(made(t), *a, **k)

            as_the_oracle_does(run, rtol=3e-6)
    for dtype in ("int64", "bool"):
        as_the_oracle_does(lambda t, d=dtype: getattr(made(t, d), name)(), rtol=3e-6)
    as_the_oracle_does(lambda t: getattr(made(t), name)(dim=0, dtype=t.float64), rtol=3e-6)

    def of_nothing(t: Any) -> Any:
        return getattr(t.masked.masked_tensor(parts(t)[0], t.zeros(3, 4).bool()), name)()

    as_the_oracle_does(of_nothing, rtol=3e-6)


@pytest.mark.parametrize("name", "sum mean amin amax prod norm var std".split())
def test_gradient_of_a_reduction(name: str) -> None:
    as_the_oracle_does(gradients(lambda t, x: getattr(x, name)()), rtol=1e-9, atol=1e-11)
    as_the_oracle_does(gradients(lambda t, x: getattr(t, name)(x, 1)), rtol=1e-9, atol=1e-11)


#: What moves elements, copies them, or asks about them.
PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "select": lambda t, x: (x[0], x[:, 1], x[0, 1], x.select(1, 2)),
    "slice": lambda t, x: (x[1:], x[:, ::2], x.narrow(0, 0, 1), x.chunk(2)),
    "transpose": lambda t, x: (x.t(), x.transpose(0, 1), x.T),
    "split": lambda t, x: x.split(2),
    "view": lambda t, x: (x.view(4, 3), x.reshape(-1), x.unsqueeze(0), x.flatten()),
    "expand": lambda t, x: x.expand(2, 3, 4),
    "cat": lambda t, x: (t.cat([x, x]), t.stack([x, x])),
    "index": lambda t, x: x[t.tensor([0, 2])],
    "unfold": lambda t, x: x.unfold(1, 2, 1),
    "contiguous": lambda t, x: (x.contiguous(), x.t().contiguous()),
    "copies": lambda t, x: (x.clone(), x.detach(), x.double(), x.long(), x.to(t.float64)),
    "ones": lambda t, x: t.ones_like(x),
    "softmax": lambda t, x: (x.softmax(0), x.softmax(1), t.nn.functional.softmax(x, -1)),
    "where": lambda t, x: t.where(parts(t)[1], x, x * 2),
    "where of a tensor": lambda t, x: t.where(parts(t)[1], x, parts(t)[0]),
    "where of a number": lambda t, x: t.where(parts(t)[1], x, 2),
    "item": lambda t, x: (x.sum().item(), bool(x.sum())),
    "item of many": lambda t, x: x.item(),
    "questions": lambda t, x: (
        tuple(x.shape), x.stride(), x.numel(), x.dim(), len(x), x.is_contiguous(),
        x.t().is_contiguous(), x.is_sparse, x.is_sparse_coo(), x.is_sparse_csr(), x.is_leaf,
        str(x.dtype), str(x.layout), str(x.device), t.masked.is_masked_tensor(x),
    ),
    "members": lambda t, x: (x.get_data(), x.get_mask(), x.to_tensor(-1.0)),
    "operators": lambda t, x: (x + 1, 1 + x, x * x, -x, x**2, 2 / (x + 1), x < 3, x == x, x < x),
    "clamp": lambda t, x: (x.clamp(1, 5), t.clamp(x, min=1), x.clip(1, 5)),
    "alpha": lambda t, x: x.add(x, alpha=2),
    "copy": lambda t, x: x.copy_(x * 2),
    "copy of another mask": lambda t, x: x.copy_(
        t.masked.masked_tensor(x.get_data(), ~x.get_mask())
    ),
    "same size": lambda t, x: x.is_same_size(x),
    "unary": lambda t, x: t.masked.MaskedTensor.unary(t.sin, *parts(t)),
    "reversed difference": lambda t, x: 1 - x,
    "product": lambda t, x: x @ x.t(),
    "relu": lambda t, x: t.relu(x),
    "sort": lambda t, x: x.sort(),
    "cumsum": lambda t, x: x.cumsum(0),
    "tensor arguments": lambda t, x: x.clamp(t.tensor(1.0)),
    "repeat": lambda t, x: x.repeat(2, 1),
    "functions of the namespace": lambda t, x: (
        t.masked.sum(x, 0), t.masked.mean(x, 1), t.masked.softmax(x, 0), t.masked.amax(x, 1)
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", PROGRAMS)
def test_program(case: str) -> None:
    as_the_oracle_does(lambda t: PROGRAMS[case](t, made(t)), rtol=3e-6)


@pytest.mark.parametrize(
    "case",
    "select transpose view expand cat index unfold contiguous copies where members softmax".split(),
)
def test_gradient_of_a_program(case: str) -> None:
    def first(t: Any, x: Any) -> Any:
        found = PROGRAMS[case](t, x)
        return found[0] if isinstance(found, tuple) else found

    as_the_oracle_does(gradients(first), rtol=1e-9, atol=1e-12)


def test_gradient_reaches_the_data() -> None:
    def run(t: Any) -> Any:
        data, mask = parts(t)
        data.requires_grad_()
        mt = t.masked.as_masked_tensor(data, mask)
        (mt * 2).sum().backward()
        return data.grad, mt.is_leaf, mt.grad_fn.name()

    as_the_oracle_does(run)


WRONG: dict[str, Callable[[Any, Any, Any], Any]] = {
    "no data": lambda t, d, m: t.masked.masked_tensor(1, m),
    "no mask": lambda t, d, m: t.masked.masked_tensor(d, 1),
    "a mask of numbers": lambda t, d, m: t.masked.masked_tensor(d, m.float()),
    "other dimensions": lambda t, d, m: t.masked.masked_tensor(d, m[0]),
    "other sizes": lambda t, d, m: t.masked.masked_tensor(d, m[:, :3]),
    "bfloat16": lambda t, d, m: t.masked.masked_tensor(d.to(t.bfloat16), m),
    "complex": lambda t, d, m: t.masked.masked_tensor(d.to(t.complex64), m),
    "masked data": lambda t, d, m: t.masked.masked_tensor(made(t), m),
    "a masked mask": lambda t, d, m: t.masked.masked_tensor(d, t.masked.masked_tensor(m, m)),
    "data that requires grad": lambda t, d, m: t.masked.masked_tensor(d.requires_grad_(), m),
}


@pytest.mark.parametrize("case", WRONG)
def test_construction(case: str) -> None:
    as_the_oracle_does(lambda t: WRONG[case](t, *parts(t)))


def test_printing() -> None:
    def run(t: Any) -> Any:
        data, mask = parts(t)
        shapes = [data, data.long(), data.bool(), data - 100]
        found = [t.masked.masked_tensor(d, mask) for d in shapes]
        found += [found[0][0], found[0].reshape(3, 2, 2), found[0][0, 0], found[0][0, 1]]
        return [repr(x) for x in found] + [str(found[0].sum())]

    as_the_oracle_does(run)


def test_lists_of_names() -> None:
    """Programs ask which operators there are."""
    for module, lists in (
        ("unary", "UNARY_NAMES INPLACE_UNARY_NAMES UNARY_NAMES_UNSUPPORTED"),
        ("binary", "BINARY_NAMES INPLACE_BINARY_NAMES"),
        ("reductions", "REDUCE_NAMES"),
    ):
        for name in lists.split():
            ours, oracle = [
                getattr(importlib.import_module(f"{t}.masked.maskedtensor.{module}"), name)
                for t in ("mindtorch", "torch")
            ]
            assert sorted(ours) == sorted(oracle)


SPARSE: dict[str, Callable[[Any, Any], Any]] = {
    "as it is": lambda t, x: (x, repr(x), str(x.layout), x.is_sparse_coo(), x.is_sparse_csr()),
    "to_dense": lambda t, x: x.to_dense(),
    "data": lambda t, x: (x.get_data().to_dense(), x.get_mask().to_dense()),
    "copies": lambda t, x: (x.clone(), x.detach(), x.double()),
    "with a number": lambda t, x: (x + 1, 2 * x, x > 3, x.eq(4), -x),
    "with itself": lambda t, x: (x + x, x - x * x, x / (x + 1), x == x),
    "with a strided one": lambda t, x: x + made(t),
    "after a strided one": lambda t, x: made(t) + x,
    "values": lambda t, x: x.values(),
    "is_contiguous": lambda t, x: x.is_contiguous(),
    "in place": lambda t, x: x.neg_(),
    **{name: lambda t, x, n=name: getattr(x, n)() for name in REDUCTIONS if name != "all"},
    **{f"{name} over a dim": lambda t, x, n=name: getattr(x, n)(0) for name in ("sum", "amax")},
}


@pytest.mark.parametrize("layout", ["coo", "csr"])
@pytest.mark.parametrize("case", SPARSE)
def test_sparse_layouts(layout: str, case: str) -> None:
    as_the_oracle_does(lambda t: SPARSE[case](t, in_layout(t, layout)), rtol=3e-6)


@pytest.mark.parametrize("layout", ["coo", "csr"])
@pytest.mark.parametrize("name", UNARY)
def test_unary_operator_of_a_sparse_layout(layout: str, name: str) -> None:
    as_the_oracle_does(lambda t: getattr(t, name)(in_layout(t, layout)), rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize("layout", ["coo", "csr"])
@pytest.mark.parametrize("name", BINARY)
def test_binary_operator_of_a_sparse_layout(layout: str, name: str) -> None:
    def run(t: Any) -> Any:
        return getattr(t, name)(in_layout(t, layout), in_layout(t, layout, plus=1))

    as_the_oracle_does(run, rtol=3e-6)


TO_AND_BACK: dict[str, Callable[[Any, Any], Any]] = {
    "sparse": lambda t, x: x.to_sparse(),
    "compressed": lambda t, x: x.to_sparse_csr(),
    "to and back": lambda t, x: x.to_sparse().to_dense(),
    "compressed and back": lambda t, x: (x.to_sparse_csr() * 2).to_dense(),
    "twice itself": lambda t, x: x.to_sparse() * x.to_sparse(),
    "sine": lambda t, x: x.to_sparse_csr().sin().to_dense(),
}


@pytest.mark.parametrize("case", TO_AND_BACK)
def test_gradient_through_a_sparse_layout(case: str) -> None:
    def run(t: Any) -> Any:
        x = made(t, "float64", grad=True)
        TO_AND_BACK[case](t, x).sum().backward()
        return x.grad

    as_the_oracle_does(run, rtol=1e-9)


PLACES: dict[str, Callable[[Any, Any, Any], tuple[Any, Any]]] = {
    "a strided mask": lambda t, d, m: (d.to_sparse(), m),
    "another layout": lambda t, d, m: (d.to_sparse(), m.to_sparse_csr()),
    "more data, coo": lambda t, d, m: ((d + 1).to_sparse(), m.to_sparse()),
    "more data, csr": lambda t, d, m: ((d + 1).to_sparse_csr(), m.to_sparse_csr()),
    "less data, coo": lambda t, d, m: ((d // 7).to_sparse(), m.to_sparse()),
    "less data, csr": lambda t, d, m: ((d // 7).to_sparse_csr(), m.to_sparse_csr()),
    "other places, coo": lambda t, d, m: (m.flip(0).float().to_sparse(), m.to_sparse()),
    "other places, csr": lambda t, d, m: (m.flip(0).float().to_sparse_csr(), m.to_sparse_csr()),
    "columns": lambda t, d, m: (d.to_sparse_csc(), m.to_sparse_csc()),
    "a mask of numbers": lambda t, d, m: (m.float().to_sparse(), m.int().to_sparse()),
}


@pytest.mark.parametrize("case", PLACES)
def test_sparse_data_and_mask_specify_the_same_places(case: str) -> None:
    as_the_oracle_does(lambda t: t.masked.masked_tensor(*PLACES[case](t, *parts(t))))


def test_only_matrices_have_compressed_rows() -> None:
    def run(t: Any) -> Any:
        return made(t).reshape(3, 2, 2).to_sparse_csr()

    as_the_oracle_does(run)
