"""Tracers that are written of the private parts of torch's: they work, and leave nothing behind."""

from __future__ import annotations

import importlib
import math

from .test_fx_symbolic import compare, outcome, text


def frameworks():
    """Each framework with the module that its tracer is in."""
    for name in ("torch", "mindtorch"):
        importlib.import_module(f"{name}.fx")
        yield importlib.import_module(name), importlib.import_module(f"{name}.fx._symbolic_trace")


def network(t):
    """Two layers, one of which another package's function works in."""
    scope = {"__name__": "elsewhere", "root": math.sqrt}
    exec("def forward(self, x): return root(x)", scope)
    inner = type("Inner", (t.nn.Module,), {"forward": scope["forward"]})

    class Outer(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner, self.linear = inner(), t.nn.Linear(2, 2)

        def forward(self, x):
            return self.linear(self.inner(x)) + self.linear.weight

    return Outer(), scope


def rebuilt(t, st):
    """A tracer whose ``trace`` is put together of the parts."""

    class Rebuilt(t.fx.Tracer):
        def is_leaf_module(self, m, name):
            return isinstance(m, t.nn.Linear)

        def trace(self, root, concrete_args=None):
            self.root, fn = root, type(root).forward
            self.submodule_paths = {m: name for name, m in root.named_modules()}
            self.graph = t.fx.Graph(tracer_cls=type(self))
            self.tensor_attrs = {}
            fn, args = self.create_args_for_root(fn, True, concrete_args)
            cache = {}

            @st.functools.wraps(st._orig_module_getattr)
            def read(mod, name):
                return self.getattr(name, st._orig_module_getattr(mod, name), cache)

            @st.functools.wraps(st._orig_module_call)
            def call(mod, *args, **kwargs):
                def forward(*args, **kwargs):
                    return st._orig_module_call(mod, *args, **kwargs)

                st._autowrap_check(patcher, mod.forward.__globals__, self._autowrap_function_ids)
                return self.call_module(mod, forward, args, kwargs)

            with st._Patcher() as patcher:
                patcher.patch_method(t.nn.Module, "__getattr__", read, deduplicate=False)
                patcher.patch_method(t.nn.Module, "__call__", call, deduplicate=False)
                st._patch_wrapped_functions(patcher)
                for module in self._autowrap_search:
                    st._autowrap_check(patcher, vars(module), self._autowrap_function_ids)
                self.create_node("output", "output", (self.create_arg(fn(*args)),), {})
            return self.graph

    return Rebuilt()


def test_a_trace_of_the_parts_is_torchs():
    """Its graph, and that of the tracer itself; all functions are as they were afterwards."""

    def lines(t, st):
        before = t.nn.Module.__call__, t.nn.Module.__getattr__
        for tracer in (rebuilt(t, st), t.fx.Tracer()):
            net, scope = network(t)
            yield outcome(lambda tracer=tracer, net=net: tracer.trace(net))
            yield str(scope["root"] is math.sqrt)
        yield str(before == (t.nn.Module.__call__, t.nn.Module.__getattr__))

    compare([list(lines(t, st)) for t, st in frameworks()])


def test_a_patcher_replaces_and_puts_back():
    """Globals, builtins that they hide, and methods; what is not there is an error."""

    def lines(t, st):
        def first():
            return 1

        def second():
            return 2

        class Owner:
            def method(self):
                return 0

        scope, method = {"f": len}, Owner.method
        with st._Patcher() as patcher:
            for name, new in (("f", first), ("f", second), ("abs", second), ("absent", first)):
                yield outcome(lambda n=name, f=new: patcher.patch(scope, n, f))
                yield outcome(lambda n=name: scope[n]())
            patcher.patch_method(Owner, "method", first)
            yield outcome(lambda: patcher.patch_method(Owner, "absent", first))
            yield text([p.fn_name for p in patcher.patches_made])
            yield text([Owner.method is first, patcher.visit_once(st), patcher.visit_once(st)])
            patcher.revert_all_patches()
            yield text([Owner.method is method, "abs" in scope])
            patcher.reapply_all_patches()
            yield text([Owner.method is first, scope["abs"]()])
        yield text([Owner.method is method, scope == {"f": len}, patcher.patches_made])

    compare([list(lines(t, st)) for t, st in frameworks()])


def test_inside_a_trace_functions_can_be_what_they_are_outside():
    """As long as a ``with`` lasts."""

    def lines(t, st):
        class Looking(t.fx.Tracer):
            def call_module(self, m, forward, args, kwargs):
                with st._maybe_revert_all_patches():
                    seen.append(t.nn.Module.__call__ is st._orig_module_call)
                seen.append(t.nn.Module.__call__ is st._orig_module_call)
                return super().call_module(m, forward, args, kwargs)

        seen = []
        Looking().trace(network(t)[0])
        with st._maybe_revert_all_patches():
            seen.append(t.nn.Module.__call__ is st._orig_module_call)
        return [str(each) for each in seen]

    compare([lines(t, st) for t, st in frameworks()])


def test_the_errors_of_a_trace_leave_nothing_behind():
    """Also when the program raises in a submodule."""

    def lines(t, st):
        class Failing(t.nn.Module):
            def forward(self, x):
                raise ValueError("of the program")

        call = t.nn.Module.__call__
        yield outcome(lambda: t.fx.symbolic_trace(t.nn.Sequential(Failing())))
        yield str(t.nn.Module.__call__ is call)

    compare([list(lines(t, st)) for t, st in frameworks()])


def test_tracers_of_older_signatures_and_functions_without_a_module_are_traced():
    """A ``create_proxy`` that knows of no factory, and a function that says nothing of itself."""

    def lines(t, st):
        class Old(t.fx.Tracer):
            def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None):
                made.append(kind)
                return super().create_proxy(kind, target, args, kwargs, name, type_expr)

        made = []
        yield outcome(lambda: Old().trace(network(t)[0]))
        yield str(made)
        scope = {}
        exec("from typing import Any\ndef nowhere(x: 'Any', y: Any): return x + y", scope)
        yield outcome(lambda: t.fx.symbolic_trace(scope["nowhere"]).code)

    compare([list(lines(t, st)) for t, st in frameworks()])
