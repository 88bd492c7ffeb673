"""What libraries build on: parts of torch's modules that they call, derive from or copy."""

import importlib
import warnings

import pytest

from tests.contract.both_frameworks import BOTH, agree, outcome


def _made_of(t):
    f = importlib.import_module(f"{t.__name__}.autograd.functional")
    x, y = t.ones(2, requires_grad=True), t.arange(3.0)
    sparse = t.eye(2).to_sparse().requires_grad_()
    found = [
        f._as_tuple([x, 1]),
        f._as_tuple(x),
        f._as_tuple((x, y), "inputs", "f"),
        f._tuple_postprocess((x, y), True),
        f._tuple_postprocess((x,), False),
        f._tuple_postprocess(((x,), (y,)), (True, False)),
        f._tuple_postprocess(((x, y),), (False, True)),
        f._grad_postprocess((x, (y * x.sum()).sum()), create_graph=False),
        f._grad_postprocess(((x, y), (x,)), create_graph=True),
        f._autograd_grad((x * 2, None, y), (x,), grad_outputs=(t.ones(2), None, None)),
        f._autograd_grad((y,), (x,)),
        f._fill_in_zeros((None, y), (x, y), False, False, stage="back"),
    ]
    for inputs in ((x, y), (sparse,)):
        for create_graph in (False, True):
            made = f._grad_preprocess(inputs, create_graph=create_graph, need_graph=True)
            assert all(new is not old for new, old in zip(made, inputs, strict=True))
            found.append([(m.requires_grad, m.is_leaf, m.is_sparse) for m in made])
    for refused in (
        lambda: f._as_tuple((x, 1), "inputs", "f"),
        lambda: f._validate_v((x,), (y,), is_other_tuple=True),
        lambda: f._check_requires_grad((y,), input_type="outputs", strict=True),
        lambda: f._check_requires_grad((y,), input_type="else", strict=True),
        lambda: f._fill_in_zeros((None,), (x,), True, False, "else"),
    ):
        try:
            found.append(refused())
        except (RuntimeError, TypeError) as error:
            found.append(str(error).replace("mindtorch", "torch"))
    return found


def test_what_derivatives_of_functions_are_made_of():
    agree(_made_of)


def _transposed(t):
    convs = importlib.import_module(f"{t.__name__}.nn.modules.conv")

    class Copied(t.nn.ConvTranspose2d):
        """A layer whose forward is written as torch's is."""

        def forward(self, input, output_size=None):
            more = self._output_padding(
                input, output_size, self.stride, self.padding, self.kernel_size, 2, self.dilation
            )
            return t.nn.functional.conv_transpose2d(
                input, self.weight, self.bias, self.stride, self.padding, more, self.groups
            )

    layer, x = Copied(2, 3, 3, stride=2, padding=1), t.ones(1, 2, 4, 4)
    ways = layer.stride, layer.padding, layer.kernel_size, 2
    found = [layer(x).shape, layer(x, (8, 8)).shape, layer(x, [1, 3, 8, 7]).shape]
    found += [layer._output_padding(x, None, *ways), layer._output_padding(x, (8, 7), *ways)]
    for size in ((9, 9), [1, 3, 9, 9], (1, 2, 3)):
        try:
            t.nn.ConvTranspose2d(2, 3, 3, stride=2)(x, size)
        except ValueError as error:
            found.append(str(error))
    parts = (2, 3, (3, 3), (1, 1), (0, 0), (1, 1), True, (0, 0), 1, True, "zeros")
    found.append(convs._ConvTransposeNd(*parts).weight.shape)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found.append(type("Mixed", (convs._ConvTransposeMixin,), {})(*parts).weight.shape)
    found.append([(w.category, str(w.message)) for w in warned])
    return found


def test_transposed_convolutions_that_programs_derive():
    agree(_transposed)


def _ranges(t):
    profiler, found = t.ops.profiler, []
    with t.profiler.profile() as profile:
        handle = profiler._record_function_enter("first")
        found.append(profiler._record_function_exit(handle))
        record = profiler._record_function_enter_new("second", "said")
        found.append(profiler._record_function_exit(record))
        record = profiler._record_function_enter_new("third")
        found.append(profiler._record_function_exit._RecordFunction(record))
    found += [e.key for e in profile.events() if not e.key.startswith("aten::")]
    found += [str(handle.dtype), str(record), profiler._record_function_exit.overloads()]
    with pytest.raises(RuntimeError) as refused:
        profiler._record_function_exit(t.ones(3))
    graph = importlib.import_module(f"{t.__name__}.fx").Graph()
    graph.call_function(profiler._record_function_enter_new.default, ("fourth",))
    graph.call_function(t.add, (1, 2))
    graph.output(None)
    graph.eliminate_dead_code()
    return [*found, str(refused.value), [str(node.target) for node in graph.nodes]]


def test_ranges_that_begin_and_end_by_operators():
    """Torch's profiler may warn of itself, which is not compared."""
    (kind, ours), theirs = (outcome(_ranges, t)[0] for t in BOTH)
    assert (kind, ours) == theirs
    assert kind == "value", ours


def _derived(t):
    f = importlib.import_module(f"{t.__name__}.autograd.functional")
    asked, found = [], []

    class Marked(t.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            asked.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    x, v = t.arange(1.0, 3.0).as_subclass(Marked), t.ones(2).as_subclass(Marked)

    def squares(a):
        found.append(type(a).__name__)
        return a * a

    def cubes(a):
        found.append(type(a).__name__)
        return (a**3).sum()

    for call in (
        lambda: f.vjp(squares, x, v),
        lambda: f.jvp(squares, x, v),
        lambda: f.jacobian(squares, x),
        lambda: f.jacobian(squares, x, vectorize=True),
        lambda: f.jacobian(squares, x.clone().requires_grad_(), create_graph=True),
        lambda: f.hessian(cubes, x),
        lambda: f.hvp(cubes, x, v),
        lambda: f.vhp(cubes, x, v),
    ):
        asked.clear()
        made = call()
        found.append([type(m).__name__ for m in (made if isinstance(made, tuple) else (made,))])
        found.append(list(asked))
    return found


def test_derivatives_of_functions_of_derived_tensors():
    agree(_derived)
