"""Graphs of which captures in progress see nothing, and what operators with functions need."""

from __future__ import annotations

import functools
import importlib
from typing import Any

NAMES = ("mindtorch", "torch")


def both(path: str) -> list[tuple[Any, Any]]:
    """Torch and ours, each with a module of its own."""
    return [(importlib.import_module(n), importlib.import_module(f"{n}.{path}")) for n in NAMES]


def told(run: Any) -> str:
    try:
        return str(run()).replace("mindtorch", "torch")
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def isolated(t: Any, module: Any) -> list[Any]:
    """What a capture and the graphs that are made inside of it hold."""
    seen: list[Any] = []

    def function(a: Any) -> Any:
        b = a * 2
        inner = module.get_isolated_graphmodule(lambda x, k: x.sin() + k, (t.ones(2),), {"k": 1})
        with module.disable_proxy_modes_tracing() as mode:
            hidden = t.ones(2).cos()
            seen.append((mode is not None, module.get_proxy_mode() is None))
        seen.append((inner.code.strip(), module.get_proxy_mode() is None))
        return b + hidden.shape[0] + 1

    with module.disable_proxy_modes_tracing() as outside:
        seen.append(outside)
    for mode in ("real", "fake", "symbolic"):
        made = module.make_fx(function, tracing_mode=mode)(t.ones(2))
        seen.append(made.code.strip())
        seen.append([n.op for n in made.graph.nodes if module.is_sym_node(n)])
    made = module.make_fx(lambda a: a * a.shape[0], tracing_mode="symbolic")(t.ones(2, 3))
    seen.append([n.name for n in made.graph.nodes if module.is_sym_node(n)])
    return seen


def test_a_graph_apart_leaves_the_capture_alone():
    """Inside of a capture, with fake tensors and symbols, too; the mode is there again after it."""
    ours, theirs = (isolated(t, module) for t, module in both("fx.experimental.proxy_tensor"))
    assert ours == theirs


def test_graphs_say_what_a_function_says_of_its_result():
    """Its annotation, where arguments are no trees."""

    def annotated(t: Any, module: Any) -> list[str]:
        x = t.ones(2)
        made = []
        for kind in (t.Tensor, list[t.Tensor], "Any", None, int):
            plain = (lambda a: a + 1) if kind is None else (lambda a: a + 2)
            if kind is not None:
                plain.__annotations__["return"] = kind
            made += [module.make_fx(plain, tracing_mode=m)(x).code for m in ("real", "symbolic")]

        def many(*a: Any) -> Any:
            return a[0] + 1

        partial = t.func.functionalize(functools.partial(lambda x: x + 1))
        made += [module.make_fx(f)(x).code for f in (many, partial)]
        tree = lambda d: {"x": d["a"] + 1}  # noqa: E731
        tree.__annotations__["return"] = dict
        return [*made, module.make_fx(tree)({"a": x}).code]

    ours, theirs = (annotated(t, module) for t, module in both("fx.experimental.proxy_tensor"))
    assert [code.replace("mindtorch", "torch") for code in ours] == theirs


def test_trees_are_taken_apart_and_stacked():
    """Their texts, too."""
    notes = []
    for t, module in both("_higher_order_ops.map"):
        x = t.arange(6.0).reshape(2, 3)
        apart, stack = module._unstack_pytree, module._stack_pytree
        notes.append(
            [
                told(run)
                for run in (
                    lambda x=x, f=apart: f([x, {"a": (x,)}]),
                    lambda x=x, f=apart: f([x, 1]),
                    lambda x=x, f=apart: f([x, x[:1]]),
                    lambda x=x, f=stack: f([{"a": x, "b": None}, {"a": x, "b": None}]),
                    lambda x=x, f=stack: f([(x, 1), (x, 1)]),
                    lambda f=stack: f([]),
                )
            ]
        )
    assert notes[0] == notes[1]


def test_functionalization_of_what_operators_are_given():
    """Wraps and unwraps, functions without changes in place, the way past the key."""
    notes = []
    for t, module in both("_subclasses.functional_tensor"):
        for name in ("CppFunctionalizeAPI", "PythonFunctionalizeAPI"):
            api = getattr(module, name)()
            x = t.ones(2)
            wrapped = api.wrap_tensors((x, [x, 1]))
            back = api.unwrap_tensors(wrapped)
            given = x.clone()
            result = api.functionalize(lambda y: y.add_(1) * 2)(given)
            notes.append((name, wrapped[0] is x, told(lambda b=back: b), told(lambda r=result: r)))
            notes.append((type(back[1]).__name__, isinstance(api, module.BaseFunctionalizeAPI)))
            with api.redispatch_to_next():
                notes.append(told(lambda y=x: y + 1))
    half = len(notes) // 2
    assert notes[:half] == notes[half:]


def test_numbers_of_sizes_stand_in_a_key_by_their_places():
    """What came before is told by its place; equal ones are equal; results by places or values."""
    notes = []
    for t, module in both("_subclasses.fake_tensor"):
        shapes = importlib.import_module(f"{t.__name__}.fx.experimental.symbolic_shapes")
        env = shapes.ShapeEnv()
        a, b = module.FakeTensorMode(shape_env=env).from_tensor(t.ones(4, 5)).shape
        state = module._CacheKeyState()
        key: list[Any] = []
        notes.append((state.cache_on_shape_env(), state.shape_env))
        for number in (a, b, a, a + 1):
            state.convert_sym_int(key, number)
        other: list[Any] = []
        module._CacheKeyState(env).convert_sym_int(other, a)
        again = [state.convert_output(n) for n in (a, b + 2, 7)]
        holder = type("Key", (), {"key": tuple(key)})()
        notes.append([type(k).__name__ for k in key])
        notes.append((key[2].value, key[0] == other[0], key[0] == key[1], key[0] == 3))
        notes.append((hash(key[0]) == hash(other[0]), len(state.known_symbols)))
        notes.append((state.cache_on_shape_env(), state.shape_env is env, again[2]))
        notes.append([str(n.extract(holder, env)) for n in again[:2]])
    half = len(notes) // 2
    assert notes[:half] == notes[half:]
