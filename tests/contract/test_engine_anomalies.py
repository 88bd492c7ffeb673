"""Anomaly mode: what it names and says; and what tensors show of their node."""

from __future__ import annotations

import contextlib
import io
import warnings

from tests.contract.hearing import hearing
from tests.contract.programs import ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def anomalies(torch, ns, note):

    def texts(f, check=True, filename=True):
        with hearing() as w:
            try:
                f()
                r = "fine"
            except Exception as e:
                r = f"{type(e).__name__}: {e}"
        out = []
        for x in w:
            t = str(x.message)
            lines = [l.strip() for l in t.splitlines()]
            out.append(
                (
                    x.category.__name__,
                    lines[0],
                    [l for l in lines if "MARK" in l],
                    [l for l in lines if "revious" in l],
                    t[:4] == "\n\nPr",
                    t.startswith("Error detected"),
                )
            )
        note((r, out))

    a = ones(torch)

    def nan():
        with torch.autograd.detect_anomaly():
            y = a * 0
            y = y.sqrt() * 0  # MARK one
            y.sum().backward()

    texts(nan)

    def nonan():
        with torch.autograd.detect_anomaly(check_nan=False):
            y = a * 0
            y = y.sqrt() * 0
            y.sum().backward()

    texts(nonan)

    def late():
        y = (a * 0).sqrt() * 0
        with torch.autograd.detect_anomaly():
            y.sum().backward()

    texts(late)

    class Boom(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise RuntimeError("own error")

    def err():
        with torch.autograd.detect_anomaly():
            y = Boom.apply(a)  # MARK two
            y.sum().backward()

    texts(err)

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return Boom.apply(g * x)

    def nested():
        with torch.autograd.detect_anomaly():
            y = Double.apply(a)  # MARK three
            (g,) = torch.autograd.grad(y.sum(), a, create_graph=True)
            g.sum().backward()

    texts(nested)

    class NanOf(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        def backward(ctx, g):
            return g, g * float("nan")

    def second():
        with torch.autograd.detect_anomaly():
            b = ones(torch)
            NanOf.apply(a, b).sum().backward()  # MARK 4

    texts(second)

    def inhook():
        with torch.autograd.detect_anomaly():
            y = a * 2
            y.register_hook(lambda g: g * float("nan"))
            y.sum().backward()

    texts(inhook)

    def hookerror():
        with torch.autograd.detect_anomaly():
            y = a * 2  # MARK 5
            y.register_hook(lambda g: 1 / 0)
            y.sum().backward()

    texts(hookerror)

    def posthookerror():
        with torch.autograd.detect_anomaly():
            y = a * 2  # MARK 6
            y.grad_fn.register_hook(lambda i, o: 1 / 0)
            y.sum().backward()

    texts(posthookerror)

    def shapes():
        with torch.autograd.detect_anomaly():
            F = type(
                "Sh",
                (torch.autograd.Function,),
                {
                    "forward": staticmethod(lambda ctx, x: x * 1),
                    "backward": staticmethod(lambda ctx, g: torch.ones(7)),
                },
            )
            F.apply(a).sum().backward()  # MARK 7

    texts(shapes)
    note((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        note((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))
        y = a * 2
        note(sorted(y.grad_fn.metadata))
        with torch.autograd.set_detect_anomaly(False):
            note(torch.is_anomaly_enabled())
            note(sorted((a * 2).grad_fn.metadata))
        note((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))
    note((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))
    torch.autograd.set_detect_anomaly(True)
    y = a * 2
    note(
        [
            type(y.grad_fn.metadata["traceback_"]).__name__,
            type(y.grad_fn.metadata["traceback_"][0]).__name__,
        ]
    )
    note(y.grad_fn.metadata["traceback_"][-1].splitlines()[-1].strip())
    (g,) = torch.autograd.grad((a**3).sum(), a, create_graph=True)
    note(sorted(g.grad_fn.metadata))
    note(g.grad_fn.metadata.get("parent_") and g.grad_fn.metadata["parent_"].name())
    torch.autograd.set_detect_anomaly(False)
    note(lambda: torch.autograd.set_detect_anomaly())
    note(lambda: torch.autograd.set_detect_anomaly(3))

    def nan_other():
        with torch.autograd.detect_anomaly():
            x = torch.zeros(2, dtype=torch.complex64, requires_grad=True)
            x.sqrt().abs().sum().backward()

    texts(nan_other)

    def nan_grad():
        with torch.autograd.detect_anomaly():
            (a * float("nan")).sum().backward()

    texts(nan_grad)

    def leafhook():
        with torch.autograd.detect_anomaly():
            b = ones(torch)
            b.register_hook(lambda g: 1 / 0)
            (b * 1).sum().backward()

    texts(leafhook)

    def accum():
        with torch.autograd.detect_anomaly():
            b = ones(torch)
            b.register_post_accumulate_grad_hook(lambda g: 1 / 0)
            (b * 1).sum().backward()

    texts(accum)


@program
def anomaly_decorates(torch, ns, note):
    with hearing() as w:
        d = torch.autograd.detect_anomaly()
        note(torch.is_anomaly_enabled())
        with d:
            note(torch.is_anomaly_enabled())
        note(torch.is_anomaly_enabled())
    note([str(x.message) for x in w])
    s = torch.autograd.set_detect_anomaly(True)
    note(torch.is_anomaly_enabled())
    with s:
        note(torch.is_anomaly_enabled())
    note(torch.is_anomaly_enabled())


@program
def repr_of_tensors(torch, ns, note):
    a = ones(torch)
    note(repr(a))
    note(repr(a * 2))
    note(repr((a * 2).detach()))
    note(repr(a.unbind(0)[0]))
    note(str(a.sum()))

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    note(repr(Fn.apply(a)))
    b = a * 1
    b[0] = 3
    note(repr(b))
    with torch.no_grad():
        v = a[0:1]
    note(repr(v))
    v = (a * 1).view(2)
    v.add_(1)
    note(repr(v))


@program
def anomaly(torch, ns, note):

    x = torch.ones(2, requires_grad=True)

    class Bad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 1

        @staticmethod
        def backward(ctx, g):
            raise ValueError("wrong")

    def lines(fn):
        with hearing() as seen:
            try:
                fn()
            except Exception as e:
                note((type(e).__name__, str(e)))
        note([str(w.message).splitlines()[0] for w in seen])
        note(
            [
                any("def the_place" in l or "the_place" in l for l in str(w.message).splitlines())
                for w in seen
            ]
        )

    def the_place():
        return Bad.apply(x)

    def one():
        with torch.autograd.detect_anomaly():
            the_place().sum().backward()

    lines(one)

    def two():
        y = the_place()
        with torch.autograd.detect_anomaly():
            y.sum().backward()

    lines(two)

    def nan():
        with torch.autograd.detect_anomaly():
            (x * 0).div(x * 0).sum().sqrt().backward()

    lines(nan)

    def nonan():
        with torch.autograd.detect_anomaly(check_nan=False):
            (x * 0).div(x * 0).sum().backward()

    lines(nonan)

    def double():
        with torch.autograd.detect_anomaly():
            z = torch.zeros(1, requires_grad=True)
            (g,) = torch.autograd.grad(z.sqrt().sum() * 0, z, create_graph=True)
            g.sum().backward()

    lines(double)
    with torch.autograd.set_detect_anomaly(True):
        note((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))
        y = x * 2
        note(sorted(y.grad_fn.metadata))
        note(type(y.grad_fn.metadata.get("traceback_")).__name__)
    note(torch.is_anomaly_enabled())
    with torch.autograd.set_detect_anomaly(False, check_nan=False):
        note((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))


@program
def blames_that_are_errors(torch, ns, note):
    """With the filter ``error`` a blame is printed, and the error of the backward comes."""
    for recorded in (True, False):
        error = ""
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()) as printed:
            warnings.simplefilter("ignore")
            x = torch.ones(2, requires_grad=True)
            with torch.autograd.set_detect_anomaly(recorded):
                y = x + 1
                z = y**2
            y += 1
            with torch.autograd.set_detect_anomaly(True):
                warnings.simplefilter("error")
                try:
                    torch.autograd.grad(z.sum(), x)
                except RuntimeError as raised:
                    error = str(raised)[:80]
        note(error)
        note("UserWarning: Error detected in PowBackward0." in printed.getvalue())
