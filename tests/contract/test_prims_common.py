"""What references of operators are written with: facts of dtypes, shapes and strides, wrappers."""

from __future__ import annotations

import importlib
import inspect
import itertools
from types import SimpleNamespace

import pytest
import torch

from .both_frameworks import BOTH, agree, ours, part, same

pytestmark = pytest.mark.oracle

DTYPES = (
    "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex32 complex64 "
    "complex128"
).split()
#: Names of the module in torch that are not its own: what it imports for itself.
NOT_ITS_OWN = {
    "TYPE_CHECKING",
    "deprecated",
    "typing",
    "warnings",
    "__annotations__",
    "__warningregistry__",
} | set(
    "AbstractContextManager Any Callable Enum NamedTuple Optional Sequence TypeAlias TypeGuard "
    "TypeVar Union cast nullcontext operator overload reduce torch".split()
)


def common(t):
    """The module, of framework *t*."""
    return part(t, "_prims_common")


def wrappers(t):
    """Its wrappers."""
    return part(t, "_prims_common.wrappers")


def test_all_names_are_there():
    missing = {n for n in dir(common(torch)) if not hasattr(common(ours), n)} - NOT_ITS_OWN
    assert missing == set()
    own = {n for n, v in vars(wrappers(torch)).items() if inspect.isfunction(v)}
    assert own - set(dir(wrappers(ours))) - {"overload"} == set()


def _outcomes(t, calls):
    """What each call of a function of the module gives, or raises."""
    told = []
    for name, args, options in calls:
        try:
            value = getattr(common(t), name)(*args(t), **options(t))
            told.append(_text(value))
        except Exception as error:
            told.append(f"{type(error).__name__}: {error}")
    return told


def _text(value):
    return (
        str(value).replace("mindtorch.aten.symbolic_numbers", "torch").replace("mindtorch", "torch")
    )


def _calls(name, *cases, **options):
    return [
        (name, lambda t, case=case: case(t), lambda t: {k: v(t) for k, v in options.items()})
        for case in cases
    ]


def _args(*given):
    return lambda t: given


NUMBERS = [True, 2, 2.5, 2j]


def _operands(t):
    """Operands of elementwise calls: numbers and tensors of no and of one dim."""
    made = list(NUMBERS)
    for name in ("bool", "uint8", "int32", "int64", "bfloat16", "float32", "complex64"):
        made += [t.zeros((), dtype=getattr(t, name)), t.zeros(2, dtype=getattr(t, name))]
    return made


@pytest.mark.parametrize(
    "kind", "DEFAULT NO_OPMATH INT_TO_FLOAT ALWAYS_BOOL COMPLEX_TO_FLOAT BOOL_TO_LONG".split()
)
def test_dtypes_of_elementwise_calls(kind):
    """All pairs of operands, and what is none."""

    def told(t):
        kinds = common(t).ELEMENTWISE_TYPE_PROMOTION_KIND
        found = []
        for pair in [
            *itertools.combinations(_operands(t), 2),
            (None, 2),
            (),
            ("a", 1),
            (t.ones(1),),
        ]:
            try:
                got = common(t).elementwise_dtypes(*pair, type_promotion_kind=kinds[kind])
                found.append(str(got))
            except ValueError as error:
                found.append(str(error))
        return found

    agree(told)


def test_facts_of_pairs_of_dtypes():
    """Higher dtypes, casts that are safe, reductions."""

    def told(t):
        c, found = common(t), []
        for a, b in itertools.product(DTYPES, DTYPES):
            a, b = getattr(t, a), getattr(t, b)
            found.append(
                (str(c.get_higher_dtype(a, b)), c.can_safe_cast_to(cast_to=a, cast_from=b))
            )
        for name, kind in itertools.product(DTYPES, c.REDUCTION_OUTPUT_TYPE_KIND):
            x = SimpleNamespace(dtype=getattr(t, name), device=t.device("cpu"))
            found.append(str(c.reduction_dtypes(x, kind)))
            found.append(str(c.reduction_dtypes(x, kind, t.float16)))
            found.append(str(c.get_acc_type(x.dtype, x.device)))
            found.append(str(c.dtype_to_type_ctor(x.dtype)(1.0)))
        return found

    agree(told)


SHAPES = [
    (),
    (0,),
    (3,),
    (2, 3),
    (2, 1, 3),
    (2, 3, 4, 5),
    (1, 3, 1, 5),
    (2, 3, 4, 5, 6),
    (2, 0, 3, 1),
]


def _laid_out(t):
    """Tensors in many layouts."""
    for shape in SHAPES:
        x = t.zeros(shape)
        yield x
        if x.dim() > 1:
            yield x.transpose(0, 1)
            yield x.transpose(-1, -2)[..., ::2]
            yield x[:1].expand(4, *shape[1:]) if shape[0] else x
        if x.dim() == 4:
            yield x.contiguous(memory_format=t.channels_last)
            yield x.permute(2, 0, 3, 1)
        if x.dim() == 5:
            yield x.contiguous(memory_format=t.channels_last_3d)


QUESTIONS = (
    "is_contiguous is_contiguous_or_false is_channels_last_contiguous "
    "is_channels_last_contiguous_2d is_channels_last_contiguous_3d "
    "is_channels_last_contiguous_or_false is_channels_last_contiguous_or_false_2d "
    "is_channels_last_contiguous_or_false_3d is_non_overlapping_and_dense_or_false "
    "suggest_memory_format is_cpu_scalar_tensor compute_elementwise_output_strides "
    "compute_elementwise_output_logical_to_physical_perm"
).split()


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_about_one_tensor(name):
    agree(lambda t: [_text(getattr(common(t), name)(x)) for x in _laid_out(t)])


def test_questions_about_sizes_and_strides():
    """Of one layout, and of two of one shape."""

    def told(t):
        c, found = common(t), []
        all_of = list(_laid_out(t))
        for x in all_of:
            facts = (x.shape, x.stride())
            found.append(c.check_contiguous_sizes_strides(*facts))
            found.append(c.are_strides_like_channels_last_or_false(*facts))
            found.append(c._is_non_overlapping_and_dense_or_false(*facts))
            found.append(c.compute_required_storage_length(*facts, 2))
            copy = c.clone_preserve_strides(x)
            found.append((copy.shape == x.shape, copy.stride()))
            for form in (t.contiguous_format, t.channels_last, t.channels_last_3d):
                found.append(c.is_contiguous_for_memory_format(x, memory_format=form))
                found.append(c.is_contiguous_for_memory_format_or_false(x, memory_format=form))
        for x, y in itertools.product(all_of, all_of):
            if x.shape == y.shape:
                found.append(c.check_significant_strides(x, y, only_cuda=False))
                found.append(c.check_all_strides(x, y, only_cuda=False))
                found.append(c.check_all_strides(x, y))
                found.append(c.compute_elementwise_output_strides(x, y))
        return found

    agree(told)


ONE, TWO = (lambda t: t.ones(1)), (lambda t: t.ones(2))
META, LONG = (lambda t: t.ones(2, device="meta")), (lambda t: t.ones(2, dtype=t.long))
SCALAR = lambda t: t.ones(())  # noqa: E731  # a row of the table below
TENSORS = [ONE, TWO, META, LONG, SCALAR, lambda t: 2, lambda t: "a", lambda t: t.ones(2).conj()]


def _pairs():
    return [lambda t, p=p: [f(t) for f in p] for p in itertools.product(TENSORS, TENSORS)] + [
        lambda t: [], lambda t: [t.ones(3)], lambda t: ["a"]
    ]  # fmt: skip


CALLS = [
    *_calls("check_same_device", *_pairs(), allow_cpu_scalar_tensors=lambda t: True),
    *_calls("check_same_device", *_pairs(), allow_cpu_scalar_tensors=lambda t: False),
    *_calls("check_same_shape", *_pairs(), allow_cpu_scalar_tensors=lambda t: True),
    *_calls("check_same_shape", *_pairs(), allow_cpu_scalar_tensors=lambda t: False),
    *_calls("extract_shape", *_pairs(), allow_cpu_scalar_tensors=lambda t: True),
    *_calls("extract_shape", *_pairs(), allow_cpu_scalar_tensors=lambda t: False),
    *_calls("check_same_dtype", *_pairs()),
    *_calls("compare_tensor_meta", *_pairs()),
    *_calls("compare_tensor_meta", *_pairs(), check_strides=lambda t: True),
    *_calls(
        "compare_tensor_meta",
        lambda t: (t.ones(2, 2), t.ones(2, 2).t()),
        lambda t: (t.ones(4)[1:3], t.ones(2)),
        lambda t: (t.ones(2), t.ones(2)._neg_view()),
        lambda t: (t.ones(2, dtype=t.cfloat), t.ones(2, dtype=t.cfloat).conj()),
        check_strides=lambda t: True,
    ),
    *_calls("compute_elementwise_output_strides", lambda t: ()),
    *_calls("compute_elementwise_output_logical_to_physical_perm", lambda t: ()),
    *_calls(
        "compute_elementwise_output_logical_to_physical_perm",
        lambda t: (t.ones(2, 2), t.ones(2, 2).t()),
        ambiguity_check=lambda t: True,
    ),
    *_calls("validate_memory_format", lambda t: (t.channels_last,), _args(3)),
    *_calls("is_contiguous_for_memory_format", lambda t: (t.ones(1),),
            memory_format=lambda t: t.preserve_format),
    *_calls("validate_dim_length", _args(0), _args(-1), _args(-1.5), _args(2.0)),
    *_calls("validate_shape", _args(()), _args((1, -1)), _args(3)),
    *_calls("validate_strides", _args(()), _args((1, -1)), _args(3)),
    *_calls("validate_idx", _args(0, 0), _args(2, 2), _args(2, 1), _args(2, "a"), _args("a", 2)),
    *_calls("validate_dimension_indices", _args(2, (0, 1)), _args(2, (0, 2))),
    *_calls("validate_exclusive_idx", _args(2, 0), _args(2, 2), _args(2, 3), _args(2, "a")),
    *_calls("canonicalize_dim", _args(2, -1), _args(2, 2), _args(0, -1), _args(-1, 0),
            _args(0, 0, False), _args(2, -3)),
    *_calls("canonicalize_dims", _args(2, (-1, 0)), _args(2, -1), _args(2, (2,))),
    *_calls("canonicalize_device", _args("cpu"), _args(0), lambda t: (t.device("meta"),)),
    *_calls("extract_dims_from_varargs", _args(()), _args((1, 2)), _args(((1, 2),)),
            _args(((1, 2), 3))),
    *_calls("extract_shape_from_varargs", _args(()), _args((1, 2)), _args(((1, 2),)),
            _args(((1, -2),)), _args((1, "a"))),
    *_calls("infer_size_shapes", _args((2, 1), (3,)), _args((2,), (3,)), _args((), (0,)),
            _args((0,), (1,)), _args((0,), (2,))),
    *_calls("infer_size", _args((2, -1), 6), _args((-1, -1), 6), _args((4, -1), 6),
            _args((0, -1), 0), _args((0, -1), 3), _args((2, 3), 5), _args((-2, 3), 6),
            _args((), 1), _args([3, 2], 6)),
    *_calls("is_same_shape", _args((2,), [2]), _args((2,), (2, 1))),
    *_calls("same_shape", _args((2,), [2]), _args((2,), (2, 1)), _args((2,), (3,))),
    *_calls("is_expandable_to", _args((1, 2), (3, 2)), _args((2, 2), (3, 2)), _args((1,), ())),
    *_calls("check_fp_or_complex", lambda t: (t.int64, "f"), lambda t: (t.float16, "f"),
            lambda t: (t.float16, "f", False), lambda t: (t.complex64, "f", False)),
    *_calls("check_is_matrix", lambda t: (t.ones(2), "f"), lambda t: (t.ones(2), "f", "B"),
            lambda t: (t.ones(2, 2), "f")),
    *_calls("check_pin_memory", _args(True), _args(False)),
    *_calls("check_layout", lambda t: (t.strided,), lambda t: (t.sparse_coo,)),
    *_calls("get_higher_type", *(_args(a, b) for a in (bool, int, float, complex, str)
                                 for b in (bool, int, float, complex))),
    *_calls("is_weakly_lesser_type", *(_args(a, b) for a in (bool, int, float, complex, str)
                                       for b in (bool, int, float, complex))),
    *_calls("get_higher_dtype", _args(None, None), _args(1, None), _args(None, 2.0), _args("a", 1),
            _args(1, "a"), lambda t: (t.ones(1), t.int8), lambda t: (t.float16, t.bfloat16),
            lambda t: (t.uint16, t.uint16), lambda t: (t.uint16, t.uint32)),
    *_calls("dtype_to_type", _args("a"), lambda t: (t.quint8,)),
    *_calls("dtype_to_type_ctor", _args("a"), lambda t: (t.quint8,)),
    *(call for name in ("boolean", "integer", "low_precision", "float", "complex")
      for call in _calls(f"is_{name}_dtype", _args(None), lambda t: (t.float16,))),
    *_calls("type_to_dtype", _args(bool), _args(int), _args(complex), _args(str), _args("a"),
            lambda t: (t.SymInt,), lambda t: (t.SymFloat,), lambda t: (t.SymBool,)),
    *_calls("_maybe_get_pytype", lambda t: (t.SymInt,), lambda t: (t.SymBool,),
            lambda t: (t.SymFloat,), _args(str)),
    *_calls("number_type", _args(True), _args(2), _args("a")),
    *_calls("can_safe_cast_to", cast_to=lambda t: t.quint8, cast_from=lambda t: t.quint8),
    *_calls("make_contiguous_strides_for", *(_args(s) for s in SHAPES), _args((-1,)),
            _args((2, 3), False), _args((2,), False), _args((2, 0, 3), False)),
    *_calls("make_channels_last_1d_strides_for", _args((2, 3, 4)), _args((2, 3))),
    *_calls("make_channels_last_2d_strides_for", _args((2, 3, 4, 0)), _args((2, 3))),
    *_calls("make_channels_last_3d_strides_for", _args((2, 3, 4, 5, 6)), _args((2, 3))),
    *_calls("make_channels_last_strides_for", *(_args(s) for s in SHAPES)),
    *_calls("compute_reduction_output_shape", _args((2, 3), (0,)), _args((2, 3), (2,)),
            _args((2, 3), ())),
    *_calls("reduction_dims", _args((2, 3), None), _args((2, 3), (-1,)), _args((2, 3), (0, -2)),
            _args((2, 3), (5,))),
    *_calls("validate_no_repeating_dims", _args((1, 2)), _args((1, 1))),
    *_calls("set_correction", _args(), _args(True), _args(False), _args(None, 2), _args(True, 2),
            _args(None, "a"), _args(None, 0.5)),
    *_calls("check_in_bounds_for_storage", lambda t: (t.ones(4).storage(), (2, 2), (2, 1), 0),
            lambda t: (t.ones(4).storage(), (2, 2), (2, 1), 1)),
    *_calls("check", _args(True, str), _args(False, lambda: "so"),
            _args(False, lambda: "so", ValueError)),
    *_calls("mask_tensor", lambda t: (t.tensor([True, False]), t.tensor([2, 3])),
            lambda t: (t.tensor([True, False]), t.tensor([True, True]))),
    *_calls("get_aten_op", lambda t: (_of_references(t), "det"), _args(len, "len")),
    *_calls("alert_not_deterministic", _args("f")),
    *_calls("is_valid_permutation", _args(2, (1, 0)), _args(2, (1, 1)), _args(2, 3)),
    *_calls("apply_perm", _args("abc", (2, 0, 1))),
    *_calls("invert_perm", _args((2, 0, 1))),
]  # fmt: skip


@pytest.mark.parametrize("name", sorted({name for name, _, _ in CALLS}))
def test_what_a_function_gives_and_refuses(name):
    same(lambda t: _outcomes(t, [call for call in CALLS if call[0] == name]))


def test_an_operation_that_is_not_deterministic_is_refused_or_warned_of():
    def told(t, **options):
        t.use_deterministic_algorithms(True, **options)
        try:
            common(t).alert_not_deterministic("sorting")
        finally:
            t.use_deterministic_algorithms(False)

    same(lambda t: told(t))
    same(lambda t: told(t, warn_only=True))


def test_the_state_of_cuda_is_refused_where_there_is_none():
    same(lambda t: common(t).CUDARngStateHelper.get_torch_state_as_tuple())


def test_functions_that_modes_let_pass():
    """They do not count as operators."""
    agree(
        lambda t: [
            f in common(t).torch_function_passthrough
            for f in (
                t.device,
                t.Tensor.dim,
                t.Tensor.shape.__get__,
                t.sym_int,
                t.add,
                t.Tensor.add,
            )
        ]
    )


# -- wrappers ------------------------------------------------------------------------------------


def _add(t, **options):
    """A reference with ``out=``, whose arguments are promoted."""
    w, c = wrappers(t), common(t)

    @w.out_wrapper(**options)
    @w.elementwise_type_promotion_wrapper(
        type_promoting_args=("a", "b"),
        type_promotion_kind=c.ELEMENTWISE_TYPE_PROMOTION_KIND.INT_TO_FLOAT,
    )
    def add(a, b, *, dtype=None):
        """Add."""
        return t.mul(t.add(a, b), 2)

    return add


def _pair(t, *names, **options):
    @wrappers(t).out_wrapper(*names, **options)
    def pair(x):
        return x + 1, x.argmax()

    return pair


def _like(t):
    @wrappers(t).out_wrapper()
    def made(n: int, *, dtype=None, device=None):
        return t.full((n,), 3.0, dtype=dtype, device=device)

    return made


def _told_whether_out(t):
    @wrappers(t).out_wrapper(pass_is_out=True)
    def f(x, is_out=False, **more):
        return x + is_out

    return f


def _returning(t, value, *names):
    @wrappers(t).out_wrapper(*names)
    def f(x):
        return value

    return f


def _signature(fn):
    return str(inspect.signature(fn)).replace("mindtorch", "torch")


def _whole(t, x):
    return x, x.stride(), str(x.device)


PROGRAMS = {
    "numbers are promoted": lambda t: _add(t)(t.tensor([1, 2]), 2),
    "half precision": lambda t: _add(t)(t.tensor([1, 2], dtype=t.half), t.tensor(2.0)),
    "a dtype that is asked for": lambda t: _add(t)(t.tensor([1, 2]), 2, dtype=t.float64),
    "out of the right shape": lambda t: _add(t)(t.ones(2), 2, out=t.zeros(2)),
    "out is what comes back": lambda t: (lambda o: _add(t)(t.ones(2), 2, out=o) is o)(t.zeros(2)),
    "out without elements": lambda t: _add(t)(t.ones(2, 3), 2, out=t.zeros(0)),
    "out of another shape": lambda t: _add(t)(t.ones(2, 3), 2, out=t.zeros(4)),
    "out of a wider dtype": lambda t: _add(t)(t.ones(2), 2, out=t.zeros(2, dtype=t.double)),
    "out of a lesser dtype": lambda t: _add(t)(t.ones(2), 2, out=t.zeros(2, dtype=t.int64)),
    "out of not the exact dtype": lambda t: _add(t, exact_dtype=True)(
        t.ones(2), 2, out=t.zeros(2, dtype=t.double)
    ),
    "out on another device": lambda t: _add(t)(t.ones(2), 2, out=t.zeros(2, device="meta")),
    "out that is no tensor": lambda t: _add(t)(t.ones(2), 2, out=3),
    "out with the layout kept": lambda t: _whole(
        t,
        _add(t, preserve_memory_format=True)(
            t.ones(1, 2, 3, 2).contiguous(memory_format=t.channels_last), 1, out=t.zeros(0)
        ),
    ),
    "out with the layout lost": lambda t: _whole(
        t,
        _add(t)(t.ones(1, 2, 3, 2).contiguous(memory_format=t.channels_last), 1, out=t.zeros(0)),
    ),
    "several results": lambda t: _pair(t, "values", "indices")(t.ones(2)),
    "several results by name": lambda t: repr(
        type(_pair(t, "values", "indices")(t.ones(2)))._fields
    ),
    "several outs": lambda t: _pair(t, "values", "indices")(
        t.ones(2), out=(t.zeros(0), t.zeros((), dtype=t.long))
    ),
    "a list of outs": lambda t: _pair(t, "values", "indices")(
        t.ones(2), out=[t.zeros(0), t.zeros((), dtype=t.long)]
    ),
    "too few outs": lambda t: _pair(t, "values", "indices")(t.ones(2), out=(t.zeros(0),)),
    "an out of a wrong device among several": lambda t: _pair(t, "values", "indices")(
        t.ones(2), out=(t.zeros(0), t.zeros((), dtype=t.long, device="meta"))
    ),
    "as many results as are named": lambda t: _returning(t, (t.ones(1),), "a", "b")(t.ones(1)),
    "a result that is no tensor": lambda t: _returning(t, 3)(t.ones(1)),
    "a result that is not there": lambda t: (
        _returning(t, NotImplemented)(t.ones(1)) is NotImplemented
    ),
    "a factory": lambda t: _like(t)(2),
    "a factory with out": lambda t: _like(t)(2, out=t.zeros(0, dtype=t.float64)),
    "a factory with out and a dtype": lambda t: _like(t)(
        2, out=t.zeros(2, dtype=t.float64), dtype=t.float32
    ),
    "whether there is an out": lambda t: (
        _told_whether_out(t)(t.zeros(1)),
        _told_whether_out(t)(t.zeros(1), out=t.zeros(1)),
    ),
    "a signature": lambda t: [_signature(_add(t)), _signature(_told_whether_out(t))],
    "annotations": lambda t: [
        sorted(f.__annotations__)
        for f in (_add(t), _pair(t, "a", "b"), _returning(t, t.ones(1), "values"))
    ],
    "the name of a single out": lambda t: _returning(t, t.ones(1), "values").__annotations__[
        common(t).CustomOutParamAnnotation
    ],
    "the mark of a wrapper": lambda t: _add(t)._torch_decompositions_out_wrapper.replace(
        "mindtorch", "torch"
    ),
    "without its wrapper": lambda t: _signature(wrappers(t)._maybe_remove_out_wrapper(_add(t))),
    "a function without a wrapper": lambda t: wrappers(t)._maybe_remove_out_wrapper(len) is len,
    "what must not be annotated so": lambda t: wrappers(t).out_wrapper()(_annotated),
    "too many arguments": lambda t: _add(t)(1, 2, 3),
    "an argument left out": lambda t: _add(t)(t.ones(1)),
    "conversions": lambda t: [
        wrappers(t)._maybe_convert_to_dtype(x, t.float32)
        for x in (t.tensor([1]), 2, True, [1, t.tensor(2)], None)
    ],
    "no conversion": lambda t: wrappers(t)._maybe_convert_to_dtype({1}, t.float32),
    "the tensor itself": lambda t: (
        lambda x: wrappers(t)._maybe_convert_to_dtype(x, t.float32) is x
    )(t.ones(1)),
    "numbers of a type": lambda t: [
        wrappers(t)._maybe_convert_to_type(x, y) for x, y in ((True, int), (2, float), (2, complex))
    ],
    "numbers of a lesser type": lambda t: wrappers(t)._maybe_convert_to_type(2.5, int),
    "no numbers": lambda t: wrappers(t)._maybe_convert_to_type("a", int),
    "another size": lambda t: [
        wrappers(t)._maybe_resize_out(t.zeros(n), (2, 2)) for n in (0, 4)
    ] and [wrappers(t)._maybe_resize_out(t.zeros(0), (2, 2)).shape == (2, 2)],
    "copies": lambda t: wrappers(t)._safe_copy_out(copy_from=t.ones(2), copy_to=t.zeros(2)),
    "a number to elsewhere": lambda t: str(
        wrappers(t)._safe_copy_out(copy_from=t.ones(()), copy_to=t.zeros(2, device="meta")).device
    ),
    "copies that lose": lambda t: wrappers(t)._safe_copy_out(
        copy_from=t.ones(2), copy_to=t.zeros(2, dtype=t.bool)
    ),
    "copies of not the exact dtype": lambda t: wrappers(t)._safe_copy_out(
        copy_from=t.ones(2), copy_to=t.zeros(2, dtype=t.double), exact_dtype=True
    ),
    "devices of copies": lambda t: wrappers(t).check_copy_devices(
        copy_from=t.ones(1), copy_to=t.ones(1, device="meta")
    ),
    "scalars of the host": lambda t: [
        wrappers(t).is_cpu_scalar(x) for x in (t.ones(()), t.ones(1), t.ones((), device="meta"))
    ],
    "functions of a number": lambda t: wrappers(t).elementwise_unary_scalar_wrapper(
        lambda x: t.mul(x, 2)
    )(2),
    "functions of a number of tensors": lambda t: wrappers(t).elementwise_unary_scalar_wrapper(
        lambda x: t.neg(x)
    )(t.ones(1)),
    "functions of a number that give none": lambda t: wrappers(t).elementwise_unary_scalar_wrapper(
        lambda x: 3
    )(2),
    "no backward": lambda t: wrappers(t).backwards_not_supported(_pair_sum)(
        t.ones(2, requires_grad=True), b=t.ones(2)
    ).sum().backward(),
    "no backward is asked for": lambda t: wrappers(t).backwards_not_supported(_pair_sum)(
        t.ones(2), b=t.ones(2)
    ),
    "types in annotations": lambda t: [
        wrappers(t)._annotation_has_type(typ=int, annotation=a) for a in (int, list[int], str)
    ],
}  # fmt: skip


def _annotated(x) -> int:
    return x


_annotated.__annotations__ = {"return": int}


def _of_references(t):
    """A function of ``torch._refs.linalg``."""

    def det(x):
        return x

    det.__module__ = "torch._refs.linalg"
    return det


def _pair_sum(a, b):
    return a + b


@pytest.mark.parametrize("name", PROGRAMS)
def test_wrappers(name):
    if name == "conversions":  # of lists: as text, for torch gives a tuple
        same(lambda t: str(PROGRAMS[name](t)))
    else:
        same(PROGRAMS[name])


def test_modules_say_that_they_live_in_one_place():
    """Pickles and documentation name the module, not its parts."""
    for t in BOTH:
        module = common(t)
        assert importlib.import_module(module.__name__) is module
        for name in ("elementwise_dtypes", "is_contiguous", "check_same_shape", "RETURN_TYPE"):
            assert getattr(module, name).__module__ == module.__name__, name


def test_another_executor_is_refused():
    def told(t):
        part(t, "_prims.executor").make_traced(lambda x: x + 1)(t.ones(1), executor="nvfuser")

    same(told)
