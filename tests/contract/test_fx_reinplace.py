"""Functional programs that are made to work in place: the same operators as the oracle's."""

from __future__ import annotations

import importlib

import pytest

from .test_fx_symbolic import compare, outcome

#: Programs of one input of shape (2, 2), as the lines of a function.
PROGRAMS = """
a = x.clone(); return a.add(1)
a = x + 1; return a.view(-1).add(1)
a = x.clone(); b = a.add(1); c = a.mul(2); return b + c
a = x.clone(); b = a.view(-1); return b + a.add(1).view(-1)
return t.ones(1) + x
a = x.clone(); return a.ge(a)
a = x.clone(); a[0].fill_(2.0); return a + 1
a = x.clone(); b = a[:, 0]; b.add_(1); return a
a = x.clone(); return a.mul(a)
return x.add(1).relu().mul(2).sin()
a = t.zeros(4, 4); a.diagonal().fill_(2); return a + x.sum()
a = x.clone(); a.transpose(0, 1).add_(1); return a
return x.clone().expand(3, 2, 2).add(1)
a = x.clone(); return t.add(a, 1), a
a = x.clone(); a[0][1] = 5.0; return a
a = x.clone(); a[0][1] = 5.0; return a[0] + 1
a = x.clone(); b = a[0]; c = b.add(1); a[0].mul_(3); return a, c
a = x.clone(); a[:, 1:].mul_(2); a[0].add_(1); return a.sum()
return t.cat([x.clone(), x.clone()]).neg().exp()
a = x.clone(); b = a.split(1); return b[0].add(1) + b[1]
return x.add(1).to(t.float64).mul(2)
x.add_(1); return x.clone().mul(2)
""".strip().splitlines()


@pytest.mark.parametrize("source", PROGRAMS)
def test_what_is_done_in_place_is_what_the_oracle_does(source):
    """The code before and after, and the result."""
    texts = []
    for name in ("torch", "mindtorch"):
        t = importlib.import_module(name)
        make_fx = importlib.import_module(f"{name}.fx.experimental.proxy_tensor").make_fx
        reinplace = importlib.import_module(f"{name}.fx.passes.reinplace").reinplace
        scope = {"t": t}
        exec(f"def program(x): {source}", scope)
        lines = []
        for program in (t.func.functionalize(scope["program"]), scope["program"]):
            x = t.arange(4.0).reshape(2, 2)
            made = make_fx(program)(x.clone())
            lines.append(made.code)
            lines.append(outcome(lambda m=made, x=x, f=reinplace: f(m, x.clone()).code))
            lines.append(outcome(lambda m=made, x=x: m(x.clone())))
        texts.append(lines)
    compare(texts)
