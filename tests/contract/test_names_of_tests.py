"""Names that PyTorch's own tests use, and no program of others."""

from __future__ import annotations

import io
import tempfile
import warnings
from pathlib import Path

import mindtorch
import pytest
import torch
import torch.distributed.optim

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


def stepping_in_backward(t):
    """Optimizers of single parameters."""
    module = part(t, "distributed.optim")
    t.manual_seed(0)
    model = t.nn.Linear(2, 2)
    for p in model.parameters():
        t.nn.init.ones_(p)
    module._apply_optimizer_in_backward(t.optim.SGD, [model.weight], {"lr": 0.5})
    module._apply_optimizer_in_backward(t.optim.SGD, [model.weight], {"lr": 0.25})
    module._apply_optimizer_in_backward(t.optim.SGD, [model.bias], {"lr": 1.0}, False)
    model(t.ones(1, 2)).sum().backward()
    held = module._get_in_backward_optimizers(model)
    return (
        list(model.parameters()),
        [p.grad is None for p in model.parameters()],
        [type(o).__name__ for o in held],
        model.weight._optimizer_kwargs,
        [c.__name__ for c in model.bias._optimizer_classes],
    )


def swapping(t):
    """A checkpoint whose letters are written in the other case."""
    extension = part(t, "distributed.checkpoint._extension")

    class Swapped(io.RawIOBase):
        def __init__(self, stream):
            self.stream = stream

        def write(self, data):
            return self.stream.write(bytes(data).swapcase())

        def flush(self):
            self.stream.flush()

        def readable(self):
            return True

        def readinto(self, into):
            found = self.stream.read(len(into)).swapcase()
            into[: len(found)] = found
            return len(found)

        def seekable(self):
            return False

    class Swapping(extension.StreamTransformExtension):
        @staticmethod
        def registry_name():
            return "swapping"

        @staticmethod
        def from_descriptor(version):
            assert version == "3"
            return Swapping()

        def get_descriptor(self):
            return "swapping/3"

        def transform_to(self, output):
            return Swapped(output)

        def transform_from(self, input):
            return Swapped(input)

    registry = extension.ExtensionRegistry()
    checkpoint = part(t, "distributed.checkpoint")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        writer = checkpoint.FileSystemWriter(
            folder, _extensions=[Swapping(), Swapping(), Swapping()]
        )
        checkpoint.save({"a": t.arange(3.0), "b": "text"}, storage_writer=writer, no_dist=True)
        plain = b"PK" in (Path(folder) / "__0_0.distcp").read_bytes()
        state = {"a": t.zeros(3), "b": ""}
        try:
            checkpoint.load(state, storage_reader=checkpoint.FileSystemReader(folder), no_dist=True)
        except BaseException as error:  # CheckpointException is one
            refused = "Unknown extension name='swapping'" in str(error)
        registry.register(Swapping)
        reader = checkpoint.FileSystemReader(folder, _extension_registry=registry)
        checkpoint.load(state, storage_reader=reader, no_dist=True)
        kept = reader.read_metadata().storage_data
    return plain, refused, state, sorted({tuple(x.transform_descriptors) for x in kept.values()})


def averaged(t):
    """Parameters with gradients, averaged over a group of one."""
    dist, utils = t.distributed, part(t, "distributed.algorithms.model_averaging.utils")
    a, b = t.nn.Parameter(t.ones(2)), t.nn.Parameter(t.ones(1, 2, dtype=t.float64))
    c = t.nn.Parameter(t.ones(1))
    a.grad, b.grad = t.ones(2), t.ones(1, 2, dtype=t.float64)
    dist.init_process_group("fake", rank=0, world_size=2, store=dist.HashStore())
    try:
        utils.average_parameters_or_parameter_groups([{"params": [a, c]}, b], None)
    finally:
        dist.destroy_process_group()
    return a, b, c, [p.shape for p in utils.get_params_to_average([a, {"params": [b, c]}])]


def referring(t):
    """Calls that run as references."""
    mode = part(t, "_prims.context").TorchRefsMode
    asked = []

    def ask(self, func, reference, args, kwargs):
        asked.append((func.__name__, len(args), kwargs, callable(reference)))
        return True

    x = t.arange(4.0)
    with mode(strict=True):
        found = t.add(x, 1), x.sum(), t.nn.functional.relu(x)
    with mode(should_fallback_fn=ask):
        t.add(x, 1, alpha=2)
        t.nn.functional.relu(x)
    with mode(strict=True):  # questions about a tensor need no reference
        found += (x.shape[0], x.dim(), x.is_contiguous(), str(x.dtype), x.stride())
    traced = part(t, "_prims.executor").make_traced(lambda a, b: (a + b).sin())
    found += (traced(x, x), traced(x, b=x, executor="aten"))
    return found, asked


def passes(t):
    """Hashes of a program's own passes."""
    module = part(t, "_inductor.custom_graph_pass")

    class Pass(module.CustomGraphPass):
        def __call__(self, graph):
            pass

        def uuid(self):
            return 3

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pass.py").write_text("x = 1")
        found = module.get_hash_for_files((str(Path(folder) / "pass.py"),), "more")
    return Pass().uuid(), found.hex(), part(t, "_inductor.utils").get_gpu_type()


def lazy_bits(t):
    """Tensors that are told to be conjugated or negated."""
    x, y = t.tensor([1 + 2j]), t.tensor([1.0, -2.0])
    seen = []
    for change, z, told in (
        *((t._C._set_conj, x, True), (t._C._set_neg, y, True)),
        *((t._C._set_conj, x, False), (t._C._set_neg, y, False)),
    ):
        change(z, told)
        seen.append((z.is_conj(), z.is_neg(), z + 0))
    return seen


PROGRAMS = [
    *(abbreviations, exposed, places, marked, normalized, strided, marks_of_a_test, compared),
    *(boxed, op_functions, share, stepping_in_backward, swapping, averaged),
    *(referring, passes, lazy_bits),
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
    lambda t: part(t, "distributed.algorithms.model_averaging.utils").get_params_to_average([1]),
    lambda t: (
        part(t, "distributed.checkpoint._extension")
        .ExtensionRegistry()
        .from_descriptor_list(["x/1"])
    ),
    lambda t: part(t, "_inductor.custom_graph_pass").CustomGraphPass(),
    lambda t: part(t, "distributed.checkpoint._extension").ZStandard.from_descriptor("2"),
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


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_the_bit_of_a_lazy_conjugate_counts_in_calls_that_came_before(t):
    x, y = t.tensor([1 + 2j]), t.tensor([3.0])
    for lazy in (False,) * 8 + (True, False) * 2:
        t._C._set_conj(x, lazy)
        t._C._set_neg(y, lazy)
        assert (x + 0).tolist() == [1 - 2j if lazy else 1 + 2j]
        assert (y + 0).tolist() == [-3.0 if lazy else 3.0]
