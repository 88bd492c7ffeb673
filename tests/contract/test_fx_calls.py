"""Calls in graphs: brought into one form, refused, run from a list; and what belongs to nodes."""

from __future__ import annotations

import importlib
import inspect
import operator
import typing

import numpy as np

from .both_frameworks import same

#: Functions whose arguments are given in full, and a call of each.
CALLS = {
    "special.i1": lambda x: ((x,), {}),
    "special.laguerre_polynomial_l": lambda x: ((x, x), {}),
    "linalg.slogdet": lambda x: ((x,), {}),
    "linalg.matrix_power": lambda x: ((x, 2), {}),
    "linalg.lu_factor": lambda x: ((x,), {}),
    "fft.fft2": lambda x: ((x,), {}),
    "fft.ifftshift": lambda x: ((x,), {}),
    "nn.functional.prelu": lambda x: ((x, x), {}),
    "nn.functional.relu": lambda x: ((x,), {}),
    "nn.functional.bilinear": lambda x: ((x, x, x), {}),
    "sin": lambda x: ((x,), {}),
    "flatten": lambda x: ((x,), {"start_dim": 1}),
    "split": lambda x: ((x, 1), {}),
    "tensordot": lambda x: ((x, x), {}),
}
SIGNATURES = {
    "missing": (lambda a, b=1, *, c, d=2: None, (1,), {}),
    "first missing": (lambda a, b=1: None, (), {}),
    "too many": (lambda a, b=1, *, c: None, (1, 2, 3), {"c": 1}),
    "twice": (lambda a, b=1: None, (1,), {"a": 2}),
    "unknown": (lambda a: None, (1,), {"z": 2}),
    "hidden": (lambda x, /, y: None, (), {"x": 1, "y": 2}),
    "stars": (lambda a, *args, b=0, **more: None, (), {}),
    "fits": (lambda a, *args, b=0, **more: None, (1, 2), {"b": 1, "x": 2}),
}
#: Functions of torch that are not written in Python, and some that are.
TRACED = "conv1d linear gelu relu_ one_hot avg_pool2d celu_ softplus pdist relu softmin".split()


def text(fn):
    """What *fn* gives, or its error."""
    try:
        return str(fn())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def test_arguments_are_put_in_one_form():
    def look(t):
        schemas = importlib.import_module(f"{t.__name__}.fx.operator_schemas")
        x = t.ones(2, 2)
        found = {}
        for name, arguments in CALLS.items():
            args, kwargs = arguments(x)
            pair = schemas.normalize_function(
                operator.attrgetter(name)(t), args, kwargs, normalize_to_only_use_kwargs=True
            )
            found[name] = None if pair is None else (len(pair.args), sorted(pair.kwargs))
        pair = schemas.normalize_function(lambda q, w=3: q, (1,))
        return (
            found,
            pair.args,
            sorted(pair.kwargs),
            text(lambda: schemas.normalize_function(3, ())),
        )

    same(look)


def test_arguments_that_do_not_fit_are_refused_with_the_same_text():
    def look(t):
        bind = importlib.import_module(f"{t.__name__}.fx.operator_schemas")._fast_bind
        return {
            name: text(lambda f=f, a=a, k=k: bind(inspect.signature(f), *a, **k))
            for name, (f, a, k) in SIGNATURES.items()
        }

    same(look)


def test_functions_that_are_no_python_cannot_be_traced():
    def look(t):
        trace = importlib.import_module(f"{t.__name__}.fx").symbolic_trace
        functions = t.nn.functional
        found = {n: text(lambda n=n: trace(getattr(functions, n)).code) for n in TRACED}
        return {n: said if said.startswith("A") else "traced" for n, said in found.items()}

    same(look)


def test_arguments_in_a_list_are_counted():
    def look(t):
        fx = importlib.import_module(f"{t.__name__}.fx")
        run = fx.Interpreter(fx.symbolic_trace(lambda x, y: x + y)).boxed_run
        given, many, few = [1, 2], [1, 2, 3], [1]
        return run(given), given, text(lambda: run(many)), many, text(lambda: run(few)), few

    same(look)


def test_annotations_of_typing_stay_those_of_typing():
    def look(t):
        fx = importlib.import_module(f"{t.__name__}.fx")
        found = []
        for kind in (
            typing.List[float],  # noqa: UP006 - the older alias is what is asked for
            typing.Tuple[str, typing.Dict[str, int]],  # noqa: UP006 - likewise
            list[float],
            float | None,
        ):
            graph = fx.Graph()
            node = graph.call_function(t.relu, (graph.placeholder("x"),), type_expr=kind)
            graph.output(node)
            found.append(fx.GraphModule({}, graph).code)
        return found

    same(look)


def test_placeholders_with_attributes_are_named_as_others():
    def look(t):
        tracing = importlib.import_module(f"{t.__name__}.fx._symbolic_trace")
        given = {"a": tracing.PHWithMeta(ph_key="k"), "b": tracing.PH}
        graph = tracing.symbolic_trace(lambda a, b: a + b, concrete_args=given).graph
        return [(n.name, getattr(n, "ph_key", None)) for n in graph.nodes]

    same(look)


def test_a_lazy_module_is_pickled_before_its_code_is_written():
    def look(t):
        import pickle

        lazy = importlib.import_module(f"{t.__name__}.fx._lazy_graph_module")
        with lazy._use_lazy_graph_module(True):
            made = t.fx.symbolic_trace(t.nn.Sequential(t.nn.ReLU()))
        return pickle.loads(pickle.dumps(made)).code, made.code

    same(look)


class Answering:
    """An object that takes over calls."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__, len(args), sorted(kwargs or {})


def test_methods_that_want_a_tensor_ask_an_object():
    def look(t):
        x = t.ones(2)
        return (
            x.type_as(Answering()),
            x.is_same_size(Answering()),
            text(lambda: x.type_as(3)),
            text(lambda: x.is_same_size("a")),
        )

    same(look)


TRACE = [
    {"cat": "cpu_op", "name": "## a.py ##", "ts": 0, "dur": 100, "tid": 1},
    {"cat": "cpu_op", "name": "## 3 ##", "ts": 10, "dur": 50, "tid": 1},
    {"cat": "cpu_op", "name": "aten::add", "ts": 12, "dur": 5, "tid": 1},
    {"cat": "cpu_op", "name": "## 4 ##", "ts": 20, "dur": 5, "tid": 1},
    {"cat": "kernel", "name": "launch", "ts": 21, "dur": 1, "tid": 1},
    {"cat": "cpu_op", "name": "aten::mul", "ts": 22, "dur": 5, "tid": 2},
    {"cat": "cpu_op", "name": "aten::sub", "ts": 70, "dur": 5, "tid": 1},
    {"cat": "cpu_op", "name": "## b.py ##", "ts": 80, "dur": 5, "tid": 1},
    {"cat": "cpu_op", "name": "aten::neg", "ts": 81, "dur": 1, "tid": 1},
    {"name": "no time"},
]


def test_events_of_a_trace_get_the_lines_of_their_nodes():
    def look(t):
        import copy

        registry = importlib.import_module(f"{t.__name__}.fx.traceback")._FX_METADATA_REGISTRY
        registry["a.py"] = {
            "node_metadata": {3: {"name": "add", "stack_trace": "y = x + 1"}, 4: {"name": "mul"}}
        }
        utils = importlib.import_module(f"{t.__name__}.profiler._utils")
        trace = {"traceEvents": copy.deepcopy(TRACE)}
        utils.map_recorded_events_to_aten_ops_with_stack_trace(trace)
        del registry["a.py"]
        return [event.get("args") for event in trace["traceEvents"] if "#" not in event["name"]]

    same(look)


def test_opaque_objects_pass_through_traces():
    def look(t):
        base = importlib.import_module(f"{t.__name__}._opaque_base").OpaqueBase
        opaque = importlib.import_module(f"{t.__name__}._library.opaque_object")
        make_fx = importlib.import_module(f"{t.__name__}.fx.experimental.proxy_tensor").make_fx
        counter = type("Counter", (base,), {})
        register = opaque.register_opaque_type
        refused = [
            text(lambda: register(int, typ="value")),
            text(lambda: register(type("Plain", (), {}), typ="reference")),
            text(lambda: register(type("Plain", (), {}), typ="value")),
            text(lambda: register(list, typ="value")),
        ]
        register(counter, typ="reference", hoist=True)
        held = counter()
        traced = make_fx(lambda x, opaque_obj: (x + 1, opaque_obj))(t.ones(2), held)
        return (
            [line.replace("mindtorch", "torch") for line in refused],
            [n.name for n in traced.graph.nodes],
            traced(t.ones(2), held)[1] is held,
            isinstance(held, base),
            opaque.should_hoist(counter),
            opaque.is_opaque_reference_type(counter),
            opaque.is_opaque_value_type(counter),
        )

    same(look)


def test_exported_programs_say_what_their_nodes_are():
    def look(t):
        importlib.import_module(f"{t.__name__}.export")
        u = importlib.import_module(f"{t.__name__}._export.utils")

        class Part(t.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = t.nn.Parameter(t.ones(2))
                self.register_buffer("kept", t.zeros(2))
                self.register_buffer("lost", t.ones(2), persistent=False)
                self.constant = t.full((2,), 3.0)

            def forward(self, x):
                return x * self.weight + self.kept + self.lost + self.constant

        program = t.export.export(Part(), (t.ones(2),))
        nodes = list(program.graph.nodes)
        asked = [u.get_param, u.get_buffer, u.get_lifted_tensor_constant]
        split = u.sequential_split(
            program.module(),
            lambda n: n.op == "call_function" and n.target.__name__ == "add.Tensor",
        )
        names = [n for n, _ in split.named_children()]
        for node in [n for n in split.graph.nodes if n.op == "call_module"]:
            u.node_inline_(node)
        return (
            [
                [None if (v := get(program, n)) is None else v.tolist() for get in asked]
                for n in nodes
            ],
            u.nodes_count(nodes, lambda n: n.op == "placeholder"),
            u.nodes_first(nodes).name,
            len(u.nodes_filter(nodes, lambda n: u.is_param(program, n))),
            len(names),
            [n.op for n in split.graph.nodes],
            np.asarray(split(t.ones(2)).tolist()).round(3).tolist(),
        )

    same(look)


def test_helpers_of_torchs_own_modules():
    def look(t):
        utils = importlib.import_module(f"{t.__name__}._utils")
        internal = importlib.import_module(f"{t.__name__}._utils_internal")
        set_device = importlib.import_module(f"{t.__name__}.utils._device").set_device
        heard = []
        registry = utils.CallbackRegistry("name")
        registry.add_callback(heard.append)
        registry.fire_callbacks(3)
        scope = {"__name__": __name__}
        exec("def _old_call(x, y=15): return x + y", scope)
        refused = []
        for name in ("open_call", "_text"):
            function = type(text)(text.__code__, globals(), name)
            function.__module__ = __name__
            refused.append(text(lambda f=function: internal.deprecated()(f)))
        internal.deprecated()(scope["_old_call"])
        public = globals().pop("old_call")

        @set_device("meta")
        def sizes():
            yield t.empty(2)
            yield t.empty(3)

        return (
            heard,
            utils.render_call(t.sum, [t.ones(100)], {"dim": 0}),
            utils.try_import("no_such_module_at_all"),
            utils.try_import("math").__name__,
            refused,
            public(1),
            public.__qualname__,
            [str(x.device) for x in sizes()],
        )

    same(look)
