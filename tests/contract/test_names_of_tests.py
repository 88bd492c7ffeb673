"""Names that PyTorch's own tests use, and no program of others."""

from __future__ import annotations

import pytest

from .both_frameworks import agree, part, refuse

pytestmark = pytest.mark.oracle


def abbreviations(t):
    """The short name of each dtype."""
    return {str(k): v for k, v in part(t, "utils._dtype_abbrs").dtype_abbrs.items()}


def exposed(t):
    """A function that says it lives elsewhere."""

    @part(t, "utils._exposed_in").exposed_in("there")
    def function():
        pass

    return function.__module__


def places(t):
    """Where a nested function is."""
    profiler = part(t, "_C._profiler")

    def inner():
        return profiler.gather_traceback(python=True, script=False, cpp=False)

    found = profiler.symbolize_tracebacks([inner(), inner()])
    return [[place["name"] for place in places[:2]] for places in found], list(found[0][0])


def marked(t):
    """A subclass whose constructor is marked for export."""
    mark = part(t, "_export.wrappers").mark_subclass_constructor_exportable_experimental

    class Marked:
        @mark
        def __init__(self, a, *, b):
            self.ab = a, b

    return Marked(1, b=2).ab


def normalized(t):
    """The text of a graph."""
    text = "# a\n\n\nx = 1   \n  # b\n\n\n\ny = 2\n"
    testing = part(t, "_dynamo.testing")
    return testing.normalize_gm(text), testing.empty_line_normalizer(text)


def strided(t):
    """A tensor of a layout that is told."""
    t.manual_seed(0)
    make = part(t, "_dynamo.testing").rand_strided
    return [
        (x.stride(), x)
        for x in (make((2, 3), (1, 2)), make((2,), (2,), t.int64), make((0, 3), (3, 1)))
    ]


def marks_of_a_test(t):
    """What decorators leave on a test."""
    testing = part(t, "_dynamo.testing")

    def test():
        pass

    testing.expectedFailureDynamic(testing.expectedFailureCodegenDynamic(test))
    return vars(testing.expectedFailureDynamicWrapper(test))


def compared(t):
    """Whether results hold the same."""
    same = part(t, "_dynamo.utils").same
    a = t.ones(2)
    pairs = [(a, a + 1e-6), (a, a + 1), ([a, 1], [a, 1]), ({"k": a}, {"k": a}), (1.0, 1.0)]
    return [same(x, y) for x, y in [*pairs, ((a,), (a + 1,)), (3, 4), ("a", "a")]]


def boxed(t):
    """A function of one list."""
    compilers = part(t, "_functorch.compilers")
    graph = t.fx.symbolic_trace(lambda x, y: x + y)
    made = compilers.nop(graph, [])
    return made([1, 2]), made._boxed_call


def op_functions(t):
    """Functions that torch has in C alone."""
    nn, functions = t._C._nn, t._C._VariableFunctions
    row = t.arange(4.0)[None]
    return (
        nn.reflection_pad1d(row, (1, 1)),
        nn.replication_pad1d(row, (1, 1)),
        nn.relu6(row * 3),
        functions.block_diag([row, row]),
        functions.cartesian_prod([row[0], row[0]]),
        functions.__and__(t.tensor([1, 2]), t.tensor([3, 3])),
        t._C._linalg._linalg_eigvals(t.eye(2)),
    )


def share(t):
    """What results share with arguments."""
    utils = part(t, "_subclasses.fake_utils")
    x, y = t.ones(4), t.ones(4)
    trees = [([x], {"a": x[0]}), (x, [y]), ((x, y), x)]
    return [
        [f(out, given) for given, out in trees]
        for f in (utils.outputs_alias_inputs, utils.outputs_are_inputs)
    ] + [utils.output_alias_each_other([x, x[1:]]), utils.output_alias_each_other([x, y])]


PROGRAMS = [
    *(abbreviations, exposed, places, marked, normalized, strided, marks_of_a_test, compared),
    *(boxed, op_functions, share),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_helpers_of_tests_do_what_torchs_do(program):
    agree(program)


def marking_another(t):
    """A mark for constructors on another function."""
    return part(t, "_export.wrappers").mark_subclass_constructor_exportable_experimental(marked)


def making_a_traceback(t):
    """A traceback of nowhere."""
    return part(t, "_C._profiler").CapturedTraceback()


REFUSED = [
    marking_another,
    making_a_traceback,
    lambda t: part(t, "_dynamo.testing").reduce_to_scalar_loss(set()),
    lambda t: part(t, "_dynamo.testing").requires_bwd_pass("a"),
]


@pytest.mark.parametrize("program", REFUSED, ids=range(len(REFUSED)))
def test_helpers_of_tests_refuse_what_torchs_do(program):
    refuse(program)


DECLARED = [
    lambda t: t.ones(2).to_padded_tensor(0.0),
    lambda t: t.ones(2)._nested_tensor_size(),
    lambda t: t.ops.aten._fused_dropout(t.ones(2), 0.5),
    lambda t: t._C._VariableFunctions._masked_scale(t.ones(2), t.ones(2), 0.5),
]


@pytest.mark.parametrize("program", DECLARED, ids=range(len(DECLARED)))
def test_ops_without_a_kernel_are_refused_by_the_dispatcher(program):
    def first_sentence(t):
        try:
            program(t)
        except NotImplementedError as error:
            return str(error).partition(".")[0]
        return None

    assert agree(first_sentence)
