"""Programs that are captured give the numbers of those that are not, and draw as they do."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import mindtorch as torch
import pytest
from mindtorch import nn
from mindtorch.nn import functional as F
from mindtorch_npu import backend

pytestmark = pytest.mark.skipif(backend.HARDWARE, reason="hardware has no graphs here")

D = "npu"
npu = torch.npu


@pytest.fixture(autouse=True)
def state() -> Iterator[None]:
    """The default stream is current after each test, and the numbers begin alike."""
    torch.manual_seed(0)
    yield
    npu.set_stream(npu.default_stream())
    npu.synchronize()


def capture(work: Callable[[], Any], **how: Any) -> tuple[Any, Any]:
    """The graph of *work*, and what it gave."""
    graph = npu.NPUGraph()
    with npu.graph(graph, **how):
        given = work()
    return graph, given


def warmed(work: Callable[[], Any]) -> None:
    """Run *work* on another stream, as is done before a capture."""
    side = npu.Stream()
    side.wait_stream(npu.current_stream())
    with npu.stream(side):
        for _ in range(3):
            work()
    npu.current_stream().wait_stream(side)


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9),
    "adam": lambda p: torch.optim.Adam(p, torch.tensor(0.01, device=D), capturable=True),
    "amsgrad": lambda p: torch.optim.Adam(p, amsgrad=True, weight_decay=0.1, capturable=True),
    "adamw": lambda p: torch.optim.AdamW(p, 0.01, capturable=True, foreach=True),
    "fused": lambda p: torch.optim.Adam(p, 0.01, fused=True, capturable=True),
    "rmsprop": lambda p: torch.optim.RMSprop(p, centered=True, momentum=0.5, capturable=True),
    "nadam": lambda p: torch.optim.NAdam(p, capturable=True),
    "radam": lambda p: torch.optim.RAdam(p, 0.05, betas=(0.9, 0.7), capturable=True),
    "adamax": lambda p: torch.optim.Adamax(p, capturable=True),
    "asgd": lambda p: torch.optim.ASGD(p, t0=2, capturable=True),
    "rprop": lambda p: torch.optim.Rprop(p, capturable=True),
    "adadelta": lambda p: torch.optim.Adadelta(p, capturable=True),
}


def trained(optimizer: Callable[[Any], Any], is_captured: bool, steps: int = 8) -> list[Any]:
    """Losses and parameters of a training, and how many numbers it drew."""
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Linear(8, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Dropout(0.2), nn.Linear(12, 4)
    ).to(D)
    stepper = optimizer(model.parameters())
    batches = [(torch.randn(16, 8), torch.randn(16, 4)) for _ in range(steps)]
    x, target = torch.zeros(16, 8, device=D), torch.zeros(16, 4, device=D)

    def step() -> Any:
        stepper.zero_grad(set_to_none=True)
        loss = F.mse_loss(model(x), target)
        loss.backward()
        stepper.step()
        return loss.detach()

    warmed(step)
    if is_captured:
        graph, loss = capture(step)
    losses = []
    for data, wanted in batches:
        x.copy_(data)
        target.copy_(wanted)
        if is_captured:
            graph.replay()
        else:
            loss = step()
        losses.append(loss.item())
    parameters = [p.detach().cpu() for p in (*model.parameters(), *model.buffers())]
    return [losses, parameters, npu.default_generators[0].get_offset()]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_whole_training_step(name: str) -> None:
    """Forward with dropout, backward and optimizer: to the last bit what is done without."""
    (losses, parameters, offset), (want, wanted, drawn) = (
        trained(OPTIMIZERS[name], is_captured) for is_captured in (True, False)
    )
    assert losses == want and offset == drawn
    assert all(torch.equal(p, q) for p, q in zip(parameters, wanted, strict=True))


@pytest.mark.parametrize("name", [name for name in OPTIMIZERS if name not in ("sgd", "amsgrad")])
def test_steps_that_may_be_captured_are_those_that_may_not(name: str) -> None:
    """Up to rounding: their numbers are float32 on the device, others Python's."""
    weight = torch.randn(5, 3)
    found = []
    for capturable in (True, False):
        p = nn.Parameter(weight.to(D).clone())
        stepper = OPTIMIZERS[name]([p])
        stepper.param_groups[0]["capturable"] = capturable
        for i in range(8):
            p.grad = weight.roll(i).to(D)
            stepper.step()
        found.append(p.detach().cpu())
    torch.testing.assert_close(*found, rtol=1e-5, atol=1e-5)


def test_a_step_that_reads_numbers_is_not_captured() -> None:
    """It is told before anything is read."""
    stepper = torch.optim.Adam([nn.Parameter(torch.ones(3, device=D))])
    text = "Attempting NPU graph capture of step.. for an instance of Adam but param_groups'"
    with pytest.raises(RuntimeError, match=text), pytest.warns(UserWarning, match="is empty"):
        capture(stepper.step)


# ---- random numbers


def test_each_replay_draws_the_next_numbers() -> None:
    """As the same calls would; the capture itself draws none."""
    calls = [
        lambda: torch.rand(5, device=D),
        lambda: torch.randn(3, 3, device=D),
        lambda: F.dropout(torch.ones(40, device=D), 0.5),
        lambda: torch.randint(0, 100, (4,), device=D),
    ]

    def draw() -> list[Any]:
        return [call() for call in calls]

    graph, given = capture(draw)
    generator = npu.default_generators[0]
    torch.manual_seed(3)
    assert generator.get_offset() == 0
    want = [[t.cpu() for t in draw()] for _ in range(3)]
    offset = generator.get_offset()
    torch.manual_seed(3)
    for each in want:
        graph.replay()
        assert all(torch.equal(a.cpu(), b) for a, b in zip(given, each, strict=True))
    assert generator.get_offset() == offset


def test_a_generator_of_its_own_goes_on_too() -> None:
    """It may be registered, as programs for CUDA do."""
    generator = torch.Generator(D).manual_seed(5)
    graph = npu.NPUGraph()
    graph.register_generator_state(generator)
    with npu.graph(graph):
        drawn = torch.rand(6, device=D, generator=generator)
    twin = torch.Generator(D).manual_seed(5)
    for _ in range(2):
        graph.replay()
        assert torch.equal(drawn, torch.rand(6, device=D, generator=twin))


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda g: g.get_offset(), "Cannot call NPUGeneratorImpl::get_offset during NPU graph"),
        (lambda g: g.set_offset(8), "Cannot call NPUGeneratorImpl::set_offset during NPU graph"),
        (lambda g: g.initial_seed(), "Cannot call NPUGeneratorImpl::current_seed during NPU"),
        (lambda g: g.seed(), "Cannot call NPUGeneratorImpl::seed during NPU graph capture"),
        (lambda g: g.manual_seed(1), "only if new seed is the same as the original seed"),
        (lambda g: g.set_state(torch.zeros(16, dtype=torch.uint8)), "set_state_index method"),
    ],
)
def test_a_generator_stays_as_it_is_in_a_capture(use: Callable[[Any], Any], text: str) -> None:
    """The capture goes on; seeding with the same seed is nothing."""
    generator = npu.default_generators[0]
    generator.manual_seed(9)

    def work() -> Any:
        with pytest.raises(RuntimeError, match=text):
            use(generator)
        assert generator.manual_seed(9) is generator
        return torch.rand(3, device=D)

    graph, drawn = capture(work)
    graph.replay()
    generator.manual_seed(9)
    assert torch.equal(drawn, torch.rand(3, device=D))


# ---- what the host may not do


@pytest.mark.parametrize(
    "read",
    [
        lambda x: x.sum().item(),
        lambda x: x.cpu(),
        lambda x: x.nonzero(),
        lambda x: x[x > 0],
        lambda x: repr(x),
        lambda x: bool(x[0]),
        lambda x: torch.tensor([1.0], device=D),
        lambda x: x.copy_(torch.ones(4)),
        lambda x: x.tolist(),
    ],
)
def test_the_host_reads_and_waits_for_nothing(read: Callable[[Any], Any]) -> None:
    """CUDA's error, and the capture has failed."""
    x = torch.ones(4, device=D)

    def work() -> None:
        with pytest.raises(torch.AcceleratorError, match="not permitted when stream is capturing"):
            read(x)

    with pytest.raises(torch.AcceleratorError, match="due to a previous error during capture"):
        capture(work)


def test_copies_that_nobody_waits_for_are_captured() -> None:
    """From pinned memory and to it: what stands there when the graph is replayed."""
    source, target = torch.zeros(4).pin_memory(), torch.zeros(4).pin_memory()
    x = torch.empty(4, device=D)

    def work() -> None:
        x.copy_(source, non_blocking=True)
        target.copy_(x * 2, non_blocking=True)

    graph, _ = capture(work)
    source += 3
    graph.replay()
    npu.synchronize()
    assert target.tolist() == [6.0] * 4


# ---- calls of all kinds


def test_calls_that_are_known_are_captured_as_those_that_are_not() -> None:
    """Whether a call was made before makes no difference; views and writes through them neither."""
    x = torch.arange(12.0, device=D).view(3, 4)

    def work() -> list[Any]:
        total = torch.zeros(4, device=D)
        for row in x:
            total += row
        total[1:3].mul_(2)
        y = (x @ x.t()).softmax(1)
        y[0] = 7
        z = torch.cat([y, x], 1)
        return [total, y, z, z.max(1).values, x.var(0), torch.where(x > 5, x, -x)]

    for known in (False, True):
        graph, given = capture(work)
        x.copy_(torch.arange(12.0).flip(0).view(3, 4) + known)
        graph.replay()
        found = [t.cpu() for t in given]
        assert all(torch.equal(a, b.cpu()) for a, b in zip(found, work(), strict=True))


def test_several_streams() -> None:
    """Work of streams that join the capture comes in order; all of it on the replaying stream."""
    x = torch.ones(1000, device=D)
    side = npu.Stream()

    def work() -> Any:
        y = x * 2
        side.wait_stream(npu.current_stream())
        with npu.stream(side):
            z = y + 1
        w = y - 1
        npu.current_stream().wait_stream(side)
        return w * z

    graph, given = capture(work)
    x.fill_(3.0)
    graph.replay()
    assert given.unique().tolist() == [35.0]


def test_mixed_precision_with_a_scaler() -> None:
    """Forward and backward are captured; the scaler steps outside, as torch's notes say."""

    def losses(is_captured: bool) -> list[float]:
        torch.manual_seed(1)
        model = nn.Linear(6, 3).to(D)
        stepper = torch.optim.SGD(model.parameters(), 0.1)
        scaler = torch.amp.GradScaler(D)
        x = torch.randn(4, 6, device=D)

        def work() -> Any:
            with torch.autocast(D, torch.bfloat16, cache_enabled=False):
                loss = model(x).float().pow(2).mean()
            scaler.scale(loss).backward()
            return loss.detach()

        def begin() -> None:
            stepper.zero_grad(set_to_none=True)

        def warm() -> None:
            begin()
            work()

        warmed(warm)
        begin()
        if is_captured:
            graph, loss = capture(work)
        found = []
        for _ in range(4):
            if is_captured:
                graph.replay()
            else:
                begin()
                loss = work()
            scaler.step(stepper)
            scaler.update()
            found.append(loss.item())
        return found

    assert losses(True) == losses(False)


# ---- graphed callables


def parts() -> tuple[Any, ...]:
    torch.manual_seed(2)
    first = nn.Sequential(nn.Linear(8, 12), nn.Dropout(0.1))
    return first.to(D), nn.Linear(12, 4).to(D), nn.Sequential(nn.Linear(12, 4), nn.ReLU()).to(D)


def partly_trained(is_graphed: bool) -> list[float]:
    """A program whose flow hangs on numbers, with graphed parts."""
    first, second, third = parts()
    modules = nn.ModuleList((first, second, third))
    stepper = torch.optim.SGD(modules.parameters(), 0.1)
    data = [torch.randn(16, 8).to(D) for _ in range(6)]
    if is_graphed:
        h = torch.randn(16, 12, device=D, requires_grad=True)
        first = npu.make_graphed_callables(first, (torch.randn(16, 8, device=D),))
        second, third = npu.make_graphed_callables((second, third), ((h,), (h,)))
    torch.manual_seed(4)
    found = []
    for x in data:
        stepper.zero_grad(set_to_none=True)
        y = first(x)
        y = second(y) if y.sum().item() > 0 else third(y)
        loss = y.pow(2).mean()
        loss.backward()
        stepper.step()
        found.append(loss.item())
    modules.eval()
    return [*found, third(first(data[0])).sum().item()]


@pytest.mark.filterwarnings("ignore:The AccumulateGrad node's stream:UserWarning")
def test_parts_of_a_network() -> None:
    """Modules whose work is graphed train as others do; in another mode they run as they were."""
    assert partly_trained(True) == partly_trained(False)


def test_a_function_with_trees() -> None:
    """Outputs have the shape that the function gave them; gradients go through both graphs."""

    def function(a: Any, b: Any) -> Any:
        return {"product": a * b, "others": [(a + b).relu(), b.detach()]}

    sample = torch.ones(3, device=D, requires_grad=True), torch.ones(3, device=D)
    graphed = npu.make_graphed_callables(function, sample)
    for _ in range(2):
        results = []
        for each in (graphed, function):
            a = torch.tensor([1.0, -5.0, 3.0]).to(D).requires_grad_()
            found = each(a, torch.tensor([2.0, 2.0, 4.0]).to(D))
            (found["product"].sum() * 2 + found["others"][0].sum()).backward()
            assert found.keys() == {"product", "others"} and len(found["others"]) == 2
            results.append(
                [a.grad.tolist(), found["product"].tolist(), found["others"][1].tolist()]
            )
        assert results[0] == results[1]


def test_an_input_that_is_not_used() -> None:
    """It is an error unless it is allowed; then it has no gradient."""
    sample = tuple(torch.ones(3, device=D, requires_grad=True) for _ in range(2))
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        npu.make_graphed_callables(lambda a, b: a * 2, sample)
    graphed = npu.make_graphed_callables(lambda a, b: a * 2, sample, allow_unused_input=True)
    a, b = (torch.ones(3, device=D, requires_grad=True) for _ in range(2))
    graphed(a, b).sum().backward()
    assert a.grad.tolist() == [2.0] * 3 and b.grad is None


def hooked() -> Any:
    module = nn.Linear(2, 2).to(D)
    module.register_forward_hook(lambda *args: None)
    return module


def with_buffer() -> Any:
    module = nn.Linear(2, 2).to(D)
    module.register_buffer("kept", torch.ones(1, device=D, requires_grad=True))
    return module


@pytest.mark.parametrize(
    ("callable_of", "args", "text"),
    [
        (hooked, (torch.ones(2),), "Modules must not have hooks registered at the time"),
        (with_buffer, (torch.ones(2),), "only parameters may be trainable"),
        (lambda: abs, (1.0,), "sample_args for each callable must contain only Tensors"),
    ],
)
def test_what_cannot_be_graphed(callable_of: Callable[[], Any], args: Any, text: str) -> None:
    """Refused before anything runs."""
    with pytest.raises(AssertionError, match=text):
        npu.make_graphed_callables(callable_of(), args)
    with torch.autocast(D), pytest.raises(RuntimeError, match="set `cache_enabled=False`"):
        npu.make_graphed_callables(callable_of(), args)


def test_memory_of_replays_stays() -> None:
    """Replays take no memory: what the graph gives lies where it lay."""
    x = torch.randn(1000, device=D)
    graph, y = capture(lambda: (x * 2).relu())
    gc.collect()  # what other tests have left
    place, held = y.data_ptr(), npu.memory_allocated()
    for _ in range(5):
        graph.replay()
    npu.synchronize()
    assert (y.data_ptr(), npu.memory_allocated()) == (place, held)
    owners = {
        block["address"]: segment["segment_pool_id"]
        for segment in npu.memory_snapshot()
        for block in segment["blocks"]
    }
    assert owners[place] == graph.pool()


def test_a_pipeline_is_launched_before_and_in_a_capture() -> None:
    """What a thread has put off comes before what follows: a capture, its end, a replay."""
    x = torch.zeros(4, device=D)
    graph = npu.NPUGraph()
    with torch.pipeline():
        x.add_(1)
        with npu.graph(graph):
            y = x * 2
            z = y + 1
        x.add_(1)
        graph.replay()
        assert z.tolist() == [5.0] * 4


def test_inputs_that_are_gone_are_told() -> None:
    """Not what the graph made itself; with the lines that read them and let them go."""
    x, held = torch.ones(4, device=D), [torch.ones(4, device=D)]

    def work() -> Any:
        return (x + held[0]) * torch.ones(4, device=D)

    graph, given = capture(work, check_input_liveness=True)
    graph.replay()
    assert given.tolist() == [2.0] * 4
    held.clear()  # it goes
    with pytest.raises(RuntimeError, match=r"replay detected 1 dead tensor\(s\)") as caught:
        graph.replay()
    text = str(caught.value)
    assert "Deletion Traceback (Python)" in text and "held.clear()" in text
    assert text.count("test_npu_graphs.py") >= 3
