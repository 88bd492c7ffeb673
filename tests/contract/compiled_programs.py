"""Programs that compile functions with a backend of their own, for both frameworks.

Each is ``program(t, compile)``, where ``compile`` is ``torch.compile`` with a backend that counts.
``@program`` alone says that mindtorch and Dynamo draw the same graphs; a text says why they differ.
"""

from __future__ import annotations

import copy
import dataclasses
import io
import pickle
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from .both_frameworks import part


class Program(NamedTuple):
    """One program, and how its graphs differ from Dynamo's; None: they do not."""

    run: Callable[[Any, Any], Any]
    differs: str | None


PROGRAMS: list[Program] = []
COUNTED = "Dynamo guards on the length of a list that the module keeps"
EAGER = "here this runs eagerly, where Dynamo looks into it"


def program(what: Any) -> Any:
    """Put a program into the table."""
    if isinstance(what, str):
        return lambda run: PROGRAMS.append(Program(run, what)) or run
    PROGRAMS.append(Program(what, None))
    return what


def ones(t, *shape, grad=False):
    return t.ones(*shape, requires_grad=grad)


def linear(t, inputs=2, outputs=2):
    made = t.nn.Linear(inputs, outputs)
    t.nn.init.ones_(made.weight)
    t.nn.init.zeros_(made.bias)
    return made


# straight lines -----------------------------------------------------------------------------------


@program
def operators(t, compile):
    def f(x, y):
        z = (x + y) * 2 - x / 4
        z = -(z**2) // 3 % 5
        return z @ y, 1 - z, (z > 1) & ~(y < 2), 2**x

    f = compile(f)
    return [f(t.arange(4.0), ones(t, 4)) for _ in range(3)]


@program
def methods_and_functions(t, compile):
    def f(x):
        y = x.sin().reshape(2, 2).t()
        return t.cat([y, y.abs()]), t.nn.functional.softmax(y, dim=-1), y.T, y.to(t.float64)

    return compile(f)(t.arange(4.0))


@program
def slices(t, compile):
    def f(x):
        return x[0], x[:, None], x[..., 1:], x[0:1, 1]

    return compile(f)(t.arange(6.0).reshape(2, 3))


@program
def several_results(t, compile):
    def f(x):
        values, indices = x.max(0)
        a, b = x.split(1)
        return values + 1, indices, b * 2

    return compile(f)(t.arange(6.0).reshape(2, 3))


@program
def made_inside(t, compile):
    def f(x):
        return x + t.zeros(2), x.new_ones(2), t.full((2,), 3.0) * x, t.arange(3)

    return compile(f)(ones(t, 2))


@program
def sizes_in_python(t, compile):
    def f(x):
        rows, columns = x.shape
        return x.reshape(columns, rows) * rows + x.dim() + len(x) + x.numel()

    return compile(f)(ones(t, 2, 3))


@program
def loops(t, compile):
    def f(x):
        for i in range(3):
            x = x * i + 1
        return [x + k for k in (1, 2)]

    return compile(f)(ones(t, 2))


@program
def structures(t, compile):
    def f(x, *, more):
        return {"a": x + 1, "b": [more["y"] * 2, (3, "word", None)]}

    return compile(f)(ones(t, 2), more={"y": ones(t, 2)})


@dataclasses.dataclass
class Pair:
    one: Any
    other: Any


@program
def dataclass_results(t, compile):
    made = compile(lambda x: Pair(x + 1, x * 2))(ones(t, 2))
    return made.one, made.other


@program
def the_same_tensor_twice(t, compile):
    x = ones(t, 2)
    return compile(lambda a, b: a * b + a)(x, x)


@program
def no_tensor_comes_out(t, compile):
    return compile(lambda x: x.shape[0] + 1)(ones(t, 2))


@program
def what_goes_in_comes_out(t, compile):
    x = ones(t, 2)
    return compile(lambda x: x)(x) is x


@program
def closures_and_outer_tensors(t, compile):
    w = ones(t, 2, grad=True)

    def f(x):
        def inside(y):
            return y * w + 1

        return inside(x) + inside(w)

    y = compile(f)(ones(t, 2))
    y.sum().backward()
    return y, w.grad


@program
def nested_compiled_functions(t, compile):
    inner = compile(lambda x: x * 2)
    return compile(lambda x: inner(x + 1) + inner(x))(ones(t, 2))


# modules ------------------------------------------------------------------------------------------


@program
def modules(t, compile):
    m = t.nn.Sequential(linear(t, 3, 4), t.nn.ReLU(), linear(t, 4, 2))
    c = compile(m)
    x = t.arange(6.0).reshape(2, 3)
    c(x).sum().backward()
    return c(x), m[0].weight.grad, m[2].bias.grad


@program
def batch_norm_trains(t, compile):
    m = t.nn.BatchNorm1d(3)
    c = compile(m)
    x = t.arange(12.0).reshape(4, 3)
    r = [c(x) for _ in range(2)]
    r[-1].square().sum().backward()
    m.eval()
    return r, m.running_mean, m.running_var, m.num_batches_tracked, m.weight.grad, c(x)


@program
def dropout_draws_as_ever(t, compile):
    t.manual_seed(3)
    c = compile(lambda x: t.nn.functional.dropout(x, 0.5) + t.rand(4))
    plain = t.nn.functional.dropout(ones(t, 4), 0.5) + t.rand(4)
    t.manual_seed(3)
    made = c(ones(t, 4))
    state = t.rand(1)
    t.manual_seed(3)
    t.nn.functional.dropout(ones(t, 4), 0.5), t.rand(4)
    return t.equal(plain, made), t.equal(state, t.rand(1))


@program(COUNTED)
def modules_keep_tensors(t, compile):
    class Keeps(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", t.zeros(()))
            self.kept = []

        def forward(self, x):
            self.count += 1
            self.last = x * self.count
            self.kept.append(x + 1)
            return self.last + self.kept[-1]

    m = Keeps()
    c = compile(m)
    return [c(ones(t, 2)) for _ in range(2)], m.last, m.kept, m.count, type(m.last).__name__


@program
def training(t, compile):
    m = linear(t, 3, 2)
    optimizer = t.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
    step = compile(lambda x, y: t.nn.functional.mse_loss(m(x), y))
    losses = []
    for _ in range(3):
        loss = step(ones(t, 4, 3), t.zeros(4, 2))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss)
    return losses, m.weight, m.bias


@program
def double_backward(t, compile):
    x = ones(t, 2, grad=True)
    y = compile(lambda x: (x**3).sum())(x)
    (g,) = t.autograd.grad(y, x, create_graph=True)
    g.sum().backward()
    return y, g, x.grad


@program
def copies_of_compiled_modules(t, compile):
    m = linear(t)
    c = compile(m)
    other = copy.deepcopy(c)
    m.weight.data.zero_()
    return c(ones(t, 1, 2)), other(ones(t, 1, 2)).shape


# in place -----------------------------------------------------------------------------------------


@program
def inputs_change(t, compile):
    def f(x):
        x.add_(1)
        x *= 2
        x[0] = 7
        return x * 2

    x = ones(t, 3)
    return compile(f)(x), x, x._version > 0


@program
def views_of_inputs(t, compile):
    def f(x):
        row = x[0]
        row.add_(1)
        return row, x.t(), x.view(-1)

    x = t.zeros(2, 2)
    row, turned, flat = compile(f)(x)
    flat[3] = 7
    return row, turned, x, row._base is x, row.data_ptr() == x.data_ptr()


@program
def views_of_results(t, compile):
    def f(x):
        y = x * 1
        v = y[0]
        v.mul_(3)
        return y, v

    x = ones(t, 2, 2, grad=True)
    y, v = compile(f)(x)
    v.mul_(2)
    y.sum().backward()
    return y, v, x.grad


@program
def outer_tensors_change(t, compile):
    count = t.zeros(2)

    def f(x):
        count.add_(x)
        return count + 1

    f = compile(f)
    return [f(ones(t, 2)) for _ in range(2)], count


@program
def results_with_out(t, compile):
    def f(x):
        made = t.empty(2)
        again = t.add(x, 1, out=made)
        return again is made, made * 2

    return compile(f)(ones(t, 2))


# switches -----------------------------------------------------------------------------------------


@program
def no_grad(t, compile):
    w = ones(t, 2, grad=True)

    def f(x):
        with t.no_grad():
            y = x * w
        return y + w, y

    made, y = compile(f)(ones(t, 2))
    made.sum().backward()
    return made, y, w.grad


@program
def under_no_grad(t, compile):
    f = compile(lambda x: x * 2)
    x = ones(t, 2, grad=True)
    with t.no_grad():
        y = f(x)
    return y, f(x)


@program
def autocast(t, compile):
    def f(x, w):
        with t.autocast("cpu", dtype=t.bfloat16):
            y = x @ w
        return y, x @ w

    return compile(f)(ones(t, 2, 2), ones(t, 2, 2))


@program
def whether_it_compiles(t, compile):
    def f(x):
        return t.compiler.is_compiling(), t._dynamo.is_compiling(), x + 1

    return compile(f)(ones(t, 2)), t.compiler.is_compiling()


# breaks -------------------------------------------------------------------------------------------


@program
def branches_on_values(t, compile):
    def f(x):
        y = x + 1
        if y.sum() > 4:
            return y * 2
        return y * 3

    f = compile(f)
    return f(ones(t, 2)), f(ones(t, 2) * 5), f(ones(t, 2))


@program
def numbers_of_tensors(t, compile):
    def f(x):
        total = x.sum().item()
        return x * total, x.tolist(), float(x[0])

    return compile(f)(ones(t, 2))


@program
def ends_where_it_is_told(t, compile):
    def f(x):
        y = x + 1
        t._dynamo.graph_break()
        return y * 2

    return compile(f)(ones(t, 2))


@program
def disabled_functions(t, compile):
    @t.compiler.disable
    def apart(x):
        return x * 3, t.compiler.is_compiling()

    return compile(lambda x: (apart(x + 1), x + 2))(ones(t, 2))


@program("Dynamo ends a graph at print, which is nothing to the calls")
def printing(t, compile):
    def f(x):
        y = x + 1
        print("", end="")
        return y * 2

    return compile(f)(ones(t, 2))


@program
def masks(t, compile):
    def f(x):
        y = x[x > 1]
        return y * 2, len(y)

    return compile(f)(t.arange(4.0))


@program(
    "Dynamo leaves a frame that raises to Python; here what was recorded before runs as a graph"
)
def errors_of_the_program(t, compile):
    def f(x):
        x.add_(1)
        raise ValueError("the program's")

    x = ones(t, 2)
    try:
        compile(f)(x)
    except ValueError as error:
        return str(error), x
    return None


@program
def errors_that_are_caught(t, compile):
    def f(x):
        y = x + 1
        try:
            raise KeyError("word")
        except KeyError:
            return y * 2, "caught"

    return compile(f)(ones(t, 3))


@program
def seeds_inside(t, compile):
    def f(x):
        a = t.rand(2)
        t.manual_seed(5)
        return a, t.rand(2), x + 1

    t.manual_seed(1)
    return [r.shape for r in compile(f)(ones(t, 2))], t.rand(1)


@program(EAGER)
def hooks_on_results(t, compile):
    def f(x):
        y = x * 2
        y.register_hook(lambda g: g * 10)
        return (y * 3).sum()

    x = ones(t, 2, grad=True)
    compile(f)(x).backward()
    return x.grad


@program
def backward_inside(t, compile):
    m = linear(t)

    def f(x):
        loss = m(x).square().sum()
        loss.backward()
        return loss * 2

    return compile(f)(ones(t, 1, 2)), m.weight.grad


@program(EAGER)
def optimizers_inside(t, compile):
    m = linear(t)
    optimizer = t.optim.Adam(m.parameters(), lr=0.1)

    def step(x):
        loss = m(x).square().sum()
        tripled = m.weight * 3
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss, tripled

    step = compile(step)
    return [step(ones(t, 1, 2)) for _ in range(2)], m.weight


@program(EAGER)
def functions_of_ones_own(t, compile):
    class Scale(t.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_backward(x)
            ctx.k = k
            return x * k

        @staticmethod
        def backward(ctx, g):
            return g * ctx.k + ctx.saved_tensors[0], None

    x = ones(t, 3, grad=True)
    y = compile(lambda x: Scale.apply(x * 2, 3) + 1)(x)
    y.sum().backward()
    return y, x.grad


@program(EAGER)
def transforms_inside(t, compile):
    def f(x):
        y = x + 1
        return t.vmap(lambda a: a * a.sum())(y), t.func.grad(lambda a: (a**3).sum())(y)

    return compile(f)(t.arange(4.0).reshape(2, 2))


@program(EAGER)
def arrays_inside(t, compile):
    def f(x):
        y = x + 1
        return y * float(y.numpy().sum())

    return compile(f)(ones(t, 2))


@program
def files_inside(t, compile):
    def f(x):
        y = x + 1
        x.mul_(2)
        file = io.BytesIO()
        t.save([x, y], file)
        file.seek(0)
        return t.load(file), pickle.loads(pickle.dumps(y * 2))

    return compile(f)(ones(t, 2))


@program
def copies_inside(t, compile):
    def f(x):
        y = x + 1
        return y * 2, copy.deepcopy(y)

    return compile(f)(ones(t, 2))


@program
def threads_inside(t, compile):
    def f(x):
        y = x + 1
        found = []
        thread = threading.Thread(target=lambda: found.append(y * 2))
        thread.start()
        thread.join()
        return found[0] + y

    return compile(f)(ones(t, 2))


@program
def generators(t, compile):
    def f(x):
        def steps():
            yield x + 1
            yield x * 2

        return list(steps())

    return compile(f)(ones(t, 2))


@program(EAGER)
def checkpoints(t, compile):
    m = linear(t)
    checkpoint = part(t, "utils.checkpoint").checkpoint
    x = ones(t, 1, 2, grad=True)
    y = compile(lambda x: checkpoint(lambda a: m(a).sin(), x * 2, use_reentrant=False))(x)
    y.sum().backward()
    return y, x.grad


# kinds of inputs ----------------------------------------------------------------------------------


@program("Dynamo makes a size, or a number, that varies a symbol, and so compiles less often")
def other_sizes(t, compile):
    f = compile(lambda x, n: x * n)
    return [f(ones(t, n), n) for n in (2, 3, 4, 2)]


@program
def other_kinds(t, compile):
    f = compile(lambda x: x * 2)
    return f(ones(t, 2)), f(ones(t, 2).double()), f(ones(t, 2, grad=True)), f(ones(t, 2))


@program
def forgetting(t, compile):
    f = compile(lambda x: x * 2)
    f(ones(t, 2))
    t._dynamo.reset()
    return f(ones(t, 2))
