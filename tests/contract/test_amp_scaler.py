"""``GradScaler``: growth, overflow, stages of an optimizer, state; the older names of amp."""

from __future__ import annotations

import importlib
import inspect
import pickle

import pytest

from .both_frameworks import BOTH, ours, same, torch

NAN, INF = float("nan"), float("inf")


def setting(t, kind="SGD", scale=16.0, interval=2, **options):
    """A parameter, its optimizer and a scaler."""
    p = t.nn.Parameter(t.tensor([1.0, -2.0]))
    optimizer = getattr(t.optim, kind)([p], lr=0.1, **options)
    return p, optimizer, t.amp.GradScaler("cpu", init_scale=scale, growth_interval=interval)


@pytest.mark.parametrize("kind,options", [
    ("SGD", {}), ("Adam", {}), ("AdamW", {"fused": True}), ("SGD", {"fused": True}),
    ("Adagrad", {"fused": True}),
])  # fmt: skip
@pytest.mark.parametrize("unscale", [False, True])
def test_training_with_overflow(kind, options, unscale):
    """Scales, counts, gradients and parameters over steps of which some overflow."""

    def program(t):
        p, optimizer, scaler = setting(t, kind, **options)
        seen = []
        for factor in (1.0, 2.0, INF, 1.0, NAN, 1.0, 1.0, 1.0):
            optimizer.zero_grad()
            scaler.scale((p * factor).sum()).backward()
            if unscale:
                scaler.unscale_(optimizer)
            result = scaler.step(optimizer)
            found = [v.item() for v in scaler._found_inf_per_device(optimizer).values()]
            scaler.update()
            seen += [str(p.tolist()), str(p.grad.tolist()), scaler.state_dict(), found, result]
        return [s if not isinstance(s, list) else list(s) for s in seen]

    mine, theirs = program(ours), program(torch)
    for a, b in zip(mine, theirs, strict=True):
        if isinstance(a, str):
            numbers = [[float(x) for x in s.strip("[]").split(",")] for s in (a, b)]
            assert numbers[0] == pytest.approx(numbers[1], rel=1e-6, nan_ok=True)
        else:
            assert a == b


PROGRAMS = [
    lambda t: vars(t.amp.GradScaler()),
    lambda t: {k: v for k, v in vars(t.amp.GradScaler("cpu")).items() if k[:5] != "_per_"},
    lambda t: vars(t.amp.GradScaler("cpu", enabled=False)),
    lambda t: t.amp.GradScaler("cpu", growth_factor=1.0),
    lambda t: t.amp.GradScaler("cpu", backoff_factor=1.0),
    lambda t: t.amp.GradScaler("xpu").is_enabled(),
    lambda t: t.amp.GradScaler("cpu").scale([t.ones(2), (t.ones(1), [t.ones(())])]),
    lambda t: list(t.amp.GradScaler("cpu").scale(x for x in [t.ones(1)])),
    lambda t: t.amp.GradScaler("cpu").scale(3),
    lambda t: t.amp.GradScaler("cpu").scale([3]),
    lambda t: t.amp.GradScaler("cpu", enabled=False).scale("x"),
    lambda t: t.amp.GradScaler("cpu", enabled=False).state_dict(),
    lambda t: t.amp.GradScaler("cpu", enabled=False).get_scale(),
    lambda t: t.amp.GradScaler("cpu").update(),
    lambda t: t.amp.GradScaler("cpu").unscale_(setting(t)[1]),
    lambda t: t.amp.GradScaler("cpu").step(setting(t)[1]),
    lambda t: t.amp.GradScaler("cpu").load_state_dict({}),
    lambda t: t.amp.GradScaler("cpu").load_state_dict({"scale": 1.0}),
    lambda t: [s.name for s in t.amp.grad_scaler.OptState],
    lambda t: [(s.set_growth_factor(3.0), s.set_backoff_factor(0.1), s.set_growth_interval(7),
                s.get_growth_factor(), s.get_backoff_factor(), s.get_growth_interval())
               for s in [t.amp.GradScaler("cpu")]],
    lambda t: t.cuda.amp.common.amp_definitely_not_available(),
    lambda t: vars(t.cuda.amp.GradScaler()),
    lambda t: str(t.cuda.amp.autocast().fast_dtype),
    lambda t: t.cuda.amp.autocast()._enabled,
    lambda t: t.cuda.amp.custom_fwd(lambda ctx, x: x)(type("C", (), {})(), 3),
    lambda t: callable(t.cuda.amp.custom_bwd(lambda ctx, x: x)),
    lambda t: callable(t.cuda.amp.custom_fwd(cast_inputs=t.float16)),
    lambda t: t.cuda.amp.autocast_mode._cast([t.ones(1)], t.float16),
    lambda t: importlib.import_module(f"{t.__name__}.cpu.amp").GradScaler(2.0).get_scale(),
    lambda t: importlib.import_module(f"{t.__name__}.cpu.amp").autocast()._enabled,
    lambda t: t.amp.autocast_mode.autocast_decorator(
        t.autocast("cpu"), lambda: t.is_autocast_enabled("cpu")
    )(),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(PROGRAMS)))
def test_scalers_and_older_names(case):
    """Attributes, refusals, deprecations."""
    same(PROGRAMS[case])


def scaled(t, factor=1.0):
    p, optimizer, scaler = setting(t)
    scaler.scale((p * factor).sum()).backward()
    return p, optimizer, scaler


STAGES = [
    lambda t, p, o, s: (s.unscale_(o), s.unscale_(o)),
    lambda t, p, o, s: (s.step(o), s.unscale_(o)),
    lambda t, p, o, s: (s.step(o), s.step(o)),
    lambda t, p, o, s: s.step(o, closure=lambda: 3),
    lambda t, p, o, s: s.update(),
    lambda t, p, o, s: (s.step(o), pickle.dumps(s)),
    lambda t, p, o, s: (s.update(3.0), s.get_scale()),
    lambda t, p, o, s: (s.update(t.tensor(4.0)), s.get_scale()),
    lambda t, p, o, s: s.update(t.ones(2)),
    lambda t, p, o, s: s.update(t.ones(1, requires_grad=True)),
    lambda t, p, o, s: s.update("a"),
    lambda t, p, o, s: (setattr(p, "grad", None), s.step(o)),
    lambda t, p, o, s: [str(k) for k in s._check_inf_per_device(o)],
    lambda t, p, o, s: (s.step(o), s.update(), vars(pickle.loads(pickle.dumps(s)))["_init_scale"]),
    lambda t, p, o, s: (
        s.load_state_dict({**s.state_dict(), "scale": 2.0, "_growth_tracker": 1}),
        s._scale,
        s._growth_tracker,
    ),
]


@pytest.mark.parametrize("case", range(len(STAGES)))
def test_stages(case):
    """What may be called after what."""
    same(lambda t: STAGES[case](t, *scaled(t)))


def test_half_gradients_are_not_unscaled():
    """Parameters in float16 are refused."""

    def program(t):
        p = t.nn.Parameter(t.ones(2, dtype=t.float16))
        p.grad = t.ones_like(p)
        scaler = t.amp.GradScaler("cpu")
        scaler.scale(t.ones(1))
        scaler.unscale_(t.optim.SGD([p]))

    same(program)


def test_optimizers_that_scale_by_themselves():
    """They get ``grad_scale`` and ``found_inf``, or the scaler, which is deprecated."""

    def attributes(t):
        class Own(t.optim.SGD):
            _step_supports_amp_scaling = True

            def step(self):
                return self.grad_scale, self.found_inf

        p, _, scaler = scaled(t)
        optimizer = Own([p])
        return scaler.step(optimizer), hasattr(optimizer, "grad_scale")

    def argument(t):
        class Own(t.optim.SGD):
            _step_supports_amp_scaling = True

            def step(self, grad_scaler=None):
                return grad_scaler is not None

        p, _, scaler = scaled(t)
        return scaler.step(Own([p]))

    same(attributes)
    same(argument)


def test_several_optimizers_share_a_scaler():
    """One that overflows does not stop the other, but shrinks the scale."""

    def program(t):
        scaler = t.amp.GradScaler("cpu", init_scale=8.0)
        params = [t.nn.Parameter(t.ones(2)) for _ in range(2)]
        optimizers = [t.optim.SGD([p], lr=0.5) for p in params]
        scaler.scale(params[0].sum() * INF + params[1].sum()).backward()
        for optimizer in optimizers:
            scaler.step(optimizer)
        scaler.update()
        return params, scaler.get_scale()

    same(program)


def test_on_an_npu():
    """Scales and finds are on the device of the loss."""
    p = ours.nn.Parameter(ours.ones(2, device="npu"))
    optimizer = ours.optim.SGD([p], lr=0.5)
    scaler = ours.amp.GradScaler("npu", init_scale=4.0)
    for factor, value, scale in ((1.0, 0.5, 4.0), (INF, 0.5, 2.0)):
        optimizer.zero_grad()
        scaler.scale((p * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        assert p.tolist() == [value, value]
        assert scaler.get_scale() == scale
    assert scaler._scale.device.type == "npu"


CHECKS = [
    lambda t, i: t._amp_foreach_non_finite_check_and_unscale_([], t.zeros(1), t.ones(1)),
    lambda t, i: t._amp_foreach_non_finite_check_and_unscale_(t.ones(2), t.zeros(1), t.ones(1)),
    *(lambda t, i, d=d: t._amp_foreach_non_finite_check_and_unscale_(
        [t.ones(2, dtype=getattr(t, d))], t.zeros(1), t.ones(1)
    ) for d in ("int32", "complex64", "float16", "bfloat16", "float64", "bool")),
    lambda t, i: t._amp_foreach_non_finite_check_and_unscale_([t.ones(2)], t.zeros(2), t.ones(1)),
    lambda t, i: t._amp_foreach_non_finite_check_and_unscale_([t.ones(2)], t.zeros(1), t.ones(2)),
    lambda t, i: t._amp_foreach_non_finite_check_and_unscale_(
        [t.ones(2)], t.zeros(1, dtype=t.float64), t.ones(1)
    ),
    lambda t, i: t._amp_update_scale_(t.tensor([4.0]), i(1), t.zeros(1), 2.0, 0.5, 2),
    lambda t, i: t._amp_update_scale_(t.tensor([4.0]), i(0), t.zeros(1), 2.0, 0.5, 2),
    lambda t, i: t._amp_update_scale_(t.tensor([4.0]), i(1), t.ones(1), 2.0, 0.5, 2),
    lambda t, i: t._amp_update_scale_(t.tensor([3e38]), i(1), t.zeros(1), 2.0, 0.5, 2),
    lambda t, i: t._amp_update_scale_(t.tensor([4.0]), i(5), t.zeros(1), 2.0, 0.5, 2),
    lambda t, i: t._amp_update_scale_(t.ones(2), i(1), t.zeros(1), 2.0, 0.5, 2),
    lambda t, i: t._amp_update_scale_(t.ones(1), t.tensor([1]), t.zeros(1), 2.0, 0.5, 2),
    lambda t, i: t._amp_update_scale_(t.ones(1), t.tensor([1, 2]), t.zeros(1), 2.0, 0.5, 2),
    lambda t, i: t._amp_update_scale_(t.ones(1), i(1), t.zeros(2), 2.0, 0.5, 2),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(CHECKS)))
def test_ops_of_scalers(case):
    """What they write and refuse."""
    same(lambda t: CHECKS[case](t, lambda n: t.tensor([n], dtype=t.int32)))


MODULES = "amp amp.autocast_mode amp.grad_scaler cpu.amp cuda.amp cuda.amp.grad_scaler".split()


@pytest.mark.parametrize("path", MODULES)
def test_names_and_signatures(path):
    """All that torch tells of."""
    mine, theirs = (importlib.import_module(f"{t.__name__}.{path}") for t in BOTH)
    for name in getattr(theirs, "__all__", ("GradScaler", "autocast")):
        a, b = getattr(mine, name), getattr(theirs, name)
        if name == "OptState":
            continue
        assert list(inspect.signature(a).parameters) == list(inspect.signature(b).parameters), name
        if inspect.isclass(b):
            public = {n for n in dir(b) if n[0] != "_"}
            assert public <= set(dir(a))


DEVICES = (
    "cpu cuda ipu xpu opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia"
).split()


def entered(t, kind):
    """Whether autocast is on in a block, and after it."""
    with t.autocast(kind):
        inside = t.is_autocast_enabled(kind)
    return inside, t.is_autocast_enabled(kind)


@pytest.mark.parametrize("kind", DEVICES)
def test_switches_know_every_type_of_device(kind):
    """Whether autocast is on, and its dtype; entering a block switches it on."""
    for program in (
        lambda t: t.is_autocast_enabled(kind),
        lambda t: t.get_autocast_dtype(kind),
        lambda t: t.amp.is_autocast_available(kind),
        lambda t: entered(t, kind),
        lambda t: t.autocast(kind, t.float64)._enabled,
        lambda t: t.set_autocast_enabled(kind, False),
    ):  # fmt: skip

        def run(t, program=program):
            result = program(t)
            return str(result) if isinstance(result, t.dtype) else result

        same(run)


OLD = [f"{a}_autocast_{d}_{w}" for d in ("cpu", "ipu", "xla") for a, w in (
    ("is", "enabled"), ("set", "enabled"), ("get", "dtype"), ("set", "dtype"),
)] + ["get_autocast_gpu_dtype", "set_autocast_gpu_dtype"]  # fmt: skip


@pytest.mark.parametrize("name", OLD)
def test_old_switches(name):
    """They warn, and do what the new ones do."""

    def heard(t, *args):
        from .hearing import hearing

        with hearing() as told:
            try:
                result = getattr(t, name)(*args)
            except TypeError as error:
                result = str(error)
        said = [(str(w.message).partition(" (Trig")[0], w.category.__name__) for w in told]
        return str(result), said

    for arguments in ((), (1,), (1, 2)):
        assert heard(ours, *arguments) == heard(torch, *arguments)
    if name.startswith("set"):
        values = (
            [False, False]
            if name.endswith("enabled")
            else [
                t.get_autocast_dtype("cuda" if "gpu" in name else name.split("_")[2]) for t in BOTH
            ]
        )
        assert heard(ours, values[0]) == heard(torch, values[1])


def test_programs_for_ascend_find_amp_in_npu():
    """``torch.npu.amp``, as torch_npu has it: for the NPU, in half precision, without warnings."""
    import mindtorch as t
    from mindtorch.npu import amp

    assert t.npu.amp is amp
    model = t.nn.Linear(3, 2).to("npu")
    optimizer, scaler = t.optim.SGD(model.parameters(), lr=0.1), amp.GradScaler(init_scale=8.0)
    with amp.autocast():
        y = model(t.ones(2, 3, device="npu"))
    assert y.dtype is t.float16
    scaler.scale(y.float().sum()).backward()
    assert model.bias.grad.tolist() == [16.0, 16.0]
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 8.0
    with amp.autocast(dtype=t.bfloat16):
        assert model(t.ones(2, 3, device="npu")).dtype is t.bfloat16

    class Doubled(t.autograd.Function):
        @staticmethod
        @amp.custom_fwd(cast_inputs=t.float32)
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @amp.custom_bwd
        def backward(ctx, g):
            return g * 2

    x = t.ones(2, dtype=t.float16, device="npu", requires_grad=True)
    with amp.autocast():
        y = Doubled.apply(x)
    y.sum().backward()
    assert (y.dtype, x.grad.tolist()) == (t.float32, [2.0, 2.0])
