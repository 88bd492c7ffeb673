"""``gradcheck`` and ``gradgradcheck``: what passes, and every way to fail."""

from __future__ import annotations

import importlib
import warnings

from tests.contract.forward_mode import warm_up
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()

warm_up()


def of(torch):
    return importlib.import_module(f"{torch.__name__}.autograd.gradcheck")


def first_line(fn):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return fn()
        except Exception as e:
            return type(e).__name__, str(e).strip().splitlines()[0]


def scaled(torch, factor, *, tangent=None, undefined=True, constant=0.0):
    """Twice its argument, with whatever derivatives."""

    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(undefined)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * factor + constant

        @staticmethod
        def jvp(ctx, t):
            return t * (tangent or 2)

    return Scaled.apply


@program
def what_passes(torch, ns, note):
    G = of(torch)
    x = torch.arange(1.0, 5.0, dtype=torch.float64).reshape(2, 2).requires_grad_()
    z = torch.complex(x.detach(), x.detach() + 1).requires_grad_()
    for options in (
        {},
        {"fast_mode": True},
        {"check_forward_ad": True},
        {"check_forward_ad": True, "fast_mode": True},
        {"check_batched_grad": True},
        {"check_forward_ad": True, "check_batched_forward_grad": True},
        {"check_grad_dtypes": True},
        {"check_forward_ad": True, "check_backward_ad": False},
        {"check_undefined_grad": False},
    ):
        for f, args in (
            (lambda a: a * a, (x,)),
            (lambda a, b: (a @ b, (a * b).sum()), (x, x.detach().clone().requires_grad_())),
            (lambda a, k: a * k, (x, 3)),
            (lambda a: (a.sum(), a.argmax()), x),
            (lambda a: a * a * 2j, (z,)),
            (lambda a: torch.view_as_real(a).sum(), (z,)),
            (lambda a: a.abs(), (z,)),
            (lambda a: a * (1 + 2j), (x,)),
        ):
            note(first_line(lambda: G.gradcheck(f, args, **options)))
    for options in (
        {},
        {"fast_mode": True},
        {"check_fwd_over_rev": True},
        {"check_batched_grad": True},
    ):
        note(first_line(lambda: G.gradgradcheck(lambda a: a**3, (x,), **options)))
        note(first_line(lambda: G.gradgradcheck(lambda a, b: a * b * b, (x, x * 1), **options)))
        note(first_line(lambda: G.gradgradcheck(lambda a: a * a * a, (z,), **options)))
    note(G.gradgradcheck(lambda a: a**3, (x,), torch.ones(2, 2, dtype=torch.float64)))
    note(G.gradgradcheck(lambda a: a**3, (x,), gen_non_contig_grad_outputs=True))


@program
def what_fails(torch, ns, note):
    G = of(torch)
    x = torch.arange(1.0, 4.0, dtype=torch.float64).requires_grad_()
    z = torch.complex(x.detach(), x.detach() + 1).requires_grad_()
    note(lambda: G.gradcheck(scaled(torch, 3), (x,)))
    note(G.gradcheck(scaled(torch, 3), (x,), raise_exception=False))
    note(lambda: G.gradcheck(scaled(torch, 2, tangent=3), (x,), check_forward_ad=True))
    note(first_line(lambda: G.gradcheck(scaled(torch, 3), (x,), fast_mode=True))[0])
    note(lambda: G.gradcheck(scaled(torch, 3), (z,)))
    note(lambda: G.gradcheck(scaled(torch, 2, tangent=3), (z,), check_forward_ad=True))
    note(lambda: G.gradcheck(lambda a: a * 2, (x.float().detach().requires_grad_(),), eps=1e-3))
    note(lambda: G.gradcheck(lambda a: a * 2, (x.detach(),)))
    note(
        lambda: G.gradcheck(
            lambda a: a * 2, (torch.ones((), dtype=torch.float64).expand(3).requires_grad_(),)
        )
    )
    note(lambda: G.gradcheck(lambda a: a.detach() * 2, (x,)))
    note(lambda: G.gradcheck(lambda a: a.detach() * 2, (x,), fast_mode=True))
    note(lambda: G.gradcheck(lambda a: a * 2, (x,), check_backward_ad=False))
    note(
        lambda: G.gradcheck(
            lambda a: a, x, check_forward_ad=True, check_backward_ad=False, check_batched_grad=True
        )
    )
    note(lambda: G.gradcheck(lambda a: a, x, check_batched_forward_grad=True))
    note(lambda: G.gradgradcheck(lambda a: a, x, check_rev_over_rev=False))
    note(lambda: G.gradgradcheck(lambda a: a, x, check_rev_over_rev=False, check_fwd_over_rev=True))
    note(first_line(lambda: G.gradcheck(scaled(torch, 2, constant=1e-9), (x,))))

    class Undefined(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.set_materialize_grads(False)
            return a * 2, a * 3

        @staticmethod
        def backward(ctx, g, h):
            return g * 2 + h * 3

    note(first_line(lambda: G.gradcheck(Undefined.apply, (x,))))

    class Random(torch.autograd.Function):
        calls = [0]

        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, g):
            Random.calls[0] += 1
            return g * (2 + 1e-7 * Random.calls[0])

    note(first_line(lambda: G.gradcheck(Random.apply, (x,))))
    note(
        first_line(
            lambda: G.gradcheck(Random.apply, (x,), nondet_tol=1e-3, check_undefined_grad=False)
        )
    )
    count = [0]

    def shrinking(a):
        count[0] += 1
        return a[: 2 + count[0] % 2] * 2

    note(lambda: G.gradcheck(shrinking, (x,)))
    note(lambda: G.gradcheck(lambda a: a * 2, (x,), eps=1))
    note(issubclass(G.GradcheckError, RuntimeError))


@program
def the_function_hides_its_module(torch, ns, note):
    module = importlib.import_module(f"{torch.__name__}.autograd.gradcheck")
    note(torch.autograd.gradcheck is module.gradcheck)
    note(torch.autograd.gradgradcheck is module.gradgradcheck)
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    note(torch.autograd.gradcheck(lambda a: a * a, x))


@program
def what_is_no_tensor(torch, ns, note):
    check = importlib.import_module(f"{torch.__name__}.autograd.gradcheck")
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    for result in (3, None, {"k": x}, [x * x], (x * x, 3)):
        for fast in (False, True):
            note(lambda: check.gradcheck(lambda a: result, x, fast_mode=fast))
            note(lambda: check.gradgradcheck(lambda a: result, x, fast_mode=fast))


@program
def a_function_over_tangents(torch, ns, note):
    """A Function without ``setup_context``, of which tangents alone are batched."""
    check = importlib.import_module(f"{torch.__name__}.autograd.gradcheck")

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2, a.sum()

        @staticmethod
        def backward(ctx, g, h):
            return g * 2 + h

        @staticmethod
        def jvp(ctx, t):
            return t * 2, t.sum()

    x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    options = {"check_forward_ad": True, "check_batched_forward_grad": True}
    note(check.gradcheck(Twice.apply, x, check_batched_grad=True, **options))


@program
def former_functions(torch, ns, note):
    """Jacobians by the functions that warn of their end."""
    m = of(torch)
    a = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
    b = torch.tensor([3.0, 5.0], dtype=torch.double, requires_grad=True)
    c = torch.tensor([1.0 + 2j], dtype=torch.cdouble, requires_grad=True)
    numerical, analytical = m.get_numerical_jacobian, m.get_analytical_jacobian
    note(lambda: numerical(lambda t: (2 * t[0] + t[1], t[0]), (a, b), eps=1e-6))
    note(lambda: numerical(lambda t: 2 * t[0] + t[1], (a, b), target=a))
    note(lambda: numerical(lambda t: 2 * t[0], (a, 3)))
    note(lambda: numerical(lambda t: (t[0] * 2, t[0]), a, eps=1e-6))
    note(lambda: numerical(lambda t: t[0] * 2, a, a))
    note(lambda: numerical(lambda t: t[0].real, (c,), eps=0.5))
    note(lambda: numerical(lambda t: t[0] * 2, (c,)))
    note(lambda: numerical(lambda t: t[0].long(), (a,)))
    note(lambda: numerical(lambda t: t[0], (a,), grad_out=2.0))
    note(lambda: analytical((a, b), 2 * a + b))
    note(lambda: analytical((c, a), a * 2))
    note(lambda: analytical((c,), c * 2))
    note(lambda: analytical((a.detach(),), a * 2))
    note(lambda: analytical((a,), a * 2, grad_out=2.0))
    one = m.get_numerical_jacobian_wrt_specific_input
    note(lambda: one(lambda x: (x**2, x + 1), 0, (a,), (a, a), 1e-6))


@program
def random_numbers(torch, ns, note):
    """What a check draws from the default generator."""
    first = torch.autograd.gradgradcheck
    for shape in ((2,), (2, 3), ()):
        for dtype in (torch.double, torch.cdouble):
            x = torch.ones(shape, dtype=dtype, requires_grad=True)
            for options in ({}, {"gen_non_contig_grad_outputs": True}):
                for fast in (True, False):
                    torch.manual_seed(3)
                    note(lambda: first(lambda x: x.exp(), (x,), fast_mode=fast, **options))
                    note(torch.rand(1))
    x = torch.ones(2, dtype=torch.double, requires_grad=True)
    torch.manual_seed(4)
    note(lambda: first(lambda x: x.exp(), (x,), check_fwd_over_rev=True))
    note(torch.rand(1))


@program
def some_outputs_without_gradient(torch, ns, note):
    x = torch.ones(2, dtype=torch.double, requires_grad=True)
    check = torch.autograd.gradcheck
    for fast in (True, False):
        note(first_line(lambda: check(lambda x: (x.detach(), x * 2), (x,), fast_mode=fast)))
        note(first_line(lambda: check(lambda x: x.float(), (x / 3,), fast_mode=fast)))
