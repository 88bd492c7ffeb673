"""Schedules of pipelines as data: orders, texts, files and what is refused, as torch has them."""

from __future__ import annotations

import importlib
import random
from types import SimpleNamespace

import pytest

from .both_frameworks import BOTH, agree, part, refuse

for _t in BOTH:
    importlib.import_module(f"{_t.__name__}.distributed.pipelining")

LOOPED = "ScheduleLoopedBFS ScheduleInterleaved1F1B ScheduleInterleavedZeroBubble".split()
V = "ScheduleZBVZeroBubble ScheduleDualPipeV".split()
SINGLE = "ScheduleGPipe Schedule1F1B".split()


def schedules(t):
    return part(t, "distributed.pipelining.schedules")


def stages(t, count, ranks, rank=0):
    """What a schedule asks of the stages of a rank."""
    return [
        SimpleNamespace(
            num_stages=count * ranks,
            group_size=ranks,
            group_rank=rank,
            stage_index=i * ranks + rank,
            is_last=i == count - 1,
            submod=t.nn.Identity(),
        )
        for i in range(count)
    ]


def orders(t, name, count, ranks, n, **options):
    """What all ranks compute, and all that they do."""
    made = getattr(schedules(t), name)(stages(t, count, ranks), n, **options)
    orders = [getattr(made, "pipeline_order", None)]
    orders.append(getattr(made, "pipeline_order_with_comms", None))
    texts = [
        order and {rank: list(map(str, actions)) for rank, actions in order.items()}
        for order in orders
    ]
    return texts, made.stage_index_to_group_rank


@pytest.mark.parametrize("name", [*LOOPED, *V])
def test_schedules_of_several_stages_are_in_torchs_order(name):
    seen = 0
    for count in (1, 2, 3) if name in LOOPED else (2,):
        for ranks in (1, 2, 3, 4):
            for n in (1, 2, 3, 4, 5, 6, 8, 9):
                for late in (False, True):

                    def run(t, args=(name, count, ranks, n), late=late):
                        try:
                            return orders(t, *args, defer_pp_recv=late)
                        except (ValueError, AssertionError) as e:
                            return type(e).__name__, str(e)

                    seen += isinstance(agree(run)[0], list)
    assert seen > 30


@pytest.mark.parametrize("name", SINGLE)
def test_schedules_of_single_stages_are_in_torchs_order(name):
    for ranks in (1, 2, 3, 4):
        for n in (4, 5, 8):

            def run(t, ranks=ranks, n=n):
                made = getattr(schedules(t), name)(stages(t, 1, ranks)[0], n)
                return {r: list(map(str, actions)) for r, actions in made.pipeline_order.items()}

            agree(run)


def drawn(seed, ranks=3, n=3):
    """Orders that may be none: some actions of some stages, and gaps."""
    r = random.Random(seed)
    found = {}
    for rank in range(ranks):
        actions = []
        for i in range(n):
            kinds = r.choice(["FB", "FIW", "FB", "F", "BF", "IWF"])
            actions += [f"{rank}{kind}{i}" for kind in kinds]
            actions += [""] * r.randrange(2)
        if r.random() < 0.3:
            r.shuffle(actions)
        found[rank] = actions
    return found


def read(t, order):
    return {r: [schedules(t)._Action.from_str(a) for a in actions] for r, actions in order.items()}


def shown(order):
    return {rank: list(map(str, actions)) for rank, actions in order.items()}


@pytest.mark.parametrize("seed", range(12))
def test_passes_over_schedules_change_them_as_in_torch(seed):
    """Those that are no schedules are refused, with the table that says where."""

    def run(t):
        s, order, found = schedules(t), drawn(seed), []
        found.append(s._format_pipeline_order(read(t, order), error_step_number=seed))
        for apply in (
            lambda: s._validate_schedule(read(t, order), 3, 3, 3),
            lambda: shown({r: s._merge_bw(a) for r, a in read(t, order).items()}),
            lambda: shown({r: s._add_unshard_reshard(a, 2) for r, a in read(t, order).items()}),
            lambda: shown({r: s._add_reduce_grad(a, 3) for r, a in read(t, order).items()}),
            lambda: shown(s._add_send_recv(read(t, order), lambda i: i, 3)),
        ):
            try:
                found.append(apply())
            except AssertionError as e:
                found.append(str(e))
        return found

    agree(run)


@pytest.mark.parametrize("name", ["ScheduleInterleaved1F1B", "ScheduleInterleavedZeroBubble"])
def test_schedules_are_simulated_step_by_step(name, capsys):
    def run(t):
        s = schedules(t)
        made = getattr(s, name)(stages(t, 2, 2), 4)
        order = s._add_send_recv(
            {r: [a for a in actions if a] for r, actions in made.pipeline_order.items()},
            lambda i: i % 2,
            4,
        )
        late = s._defer_recv_ops(order, lambda i: i % 2)
        simulate = s._simulate_comms_compute
        return [shown(simulate(each, lambda i: i % 2, 4)) for each in (order, late)]

    agree(run)

    def stuck(t):
        order = read(t, {0: ["0F0", "0B0"], 1: ["1F0", "1RECV_F0"]})
        return schedules(t)._simulate_comms_compute(order, lambda i: i, 2)

    refuse(stuck)
    texts = capsys.readouterr().out
    assert texts[: len(texts) // 2] == texts[len(texts) // 2 :]


def test_actions_are_written_and_read():
    texts = "2F0 1UNSHARD 3SEND_F1 0RECV_B12 4B 5REDUCE_GRAD (0F1;1B0)OVERLAP_F_B".split()
    texts += ["(0F1)W", "()F", "2F0x"]

    def run(t):
        s = schedules(t)
        found = [s._Action.from_str(text) for text in [*texts, "", "  7I3 "]]
        kinds = [a and (a.is_compute_op, a.stage_index, a.microbatch_index) for a in found]
        names = [s._get_profiler_function_name(a) for a in found if a]
        return (
            list(map(str, found)),
            kinds,
            names,
            [s._ComputationType.from_str(x).name for x in "FIWB"],
        )

    agree(run)
    for wrong in ("X0", "0Q1", "(0F1)Z", "(Q)F"):
        refuse(lambda t, wrong=wrong: schedules(t)._Action.from_str(wrong))
    refuse(lambda t: schedules(t)._ComputationType.from_str("x"))


@pytest.mark.parametrize("format", ["compute_only", "compute_comms"])
def test_schedules_go_to_files_and_come_back(format, tmp_path):
    def run(t):
        s, path = schedules(t), str(tmp_path / "order.csv")
        made = s.ScheduleInterleavedZeroBubble(stages(t, 2, 2), 4)
        made._dump_csv(path, format)
        text = (tmp_path / "order.csv").read_text()
        again = s._PipelineScheduleRuntime(stages(t, 2, 2), 4)
        again._load_csv(path, format)
        return text, shown(again.pipeline_order_with_comms), again.stage_index_to_group_rank

    agree(run)


@pytest.mark.parametrize("style", ["loop", "v", "x"])
def test_stages_are_dealt_out_to_ranks(style):
    def run(t):
        utils = part(t, "distributed.pipelining._utils")
        found = []
        for size, count in ((2, 4), (3, 6), (2, 8), (4, 6), (1, 3), (3, 9)):
            for make in (
                utils.generate_stage_to_rank_mapping,
                utils.generate_rank_to_stage_mapping,
            ):
                try:
                    found.append(make(size, count, style))
                except ValueError as e:
                    found.append(str(e))
        return found

    agree(run)


def _runtime(t, n=4):
    return schedules(t)._PipelineScheduleRuntime(stages(t, 2, 2), n)


WRONG = {
    "microbatches": lambda t: schedules(t).Schedule1F1B(stages(t, 1, 4)[0], 2),
    "rounds": lambda t: schedules(t).ScheduleInterleaved1F1B(stages(t, 2, 2), 5),
    "zero bubble": lambda t: schedules(t).ScheduleInterleavedZeroBubble(stages(t, 2, 2), 5),
    "v of three": lambda t: schedules(t).ScheduleZBVZeroBubble(stages(t, 3, 2), 4),
    "v of few": lambda t: schedules(t).ScheduleDualPipeV(stages(t, 2, 2), 3),
    "name": lambda t: schedules(t).get_schedule_class("ScheduleThatDoesNotExist"),
    "custom": lambda t: _runtime(t).register_custom_function(schedules(t).SEND_F, print),
    "format": lambda t: _runtime(t)._prepare_schedule_with_comms(
        schedules(t).ScheduleLoopedBFS(stages(t, 2, 2), 4).pipeline_order, "x"
    ),
    "gaps": lambda t: _runtime(t)._prepare_schedule_with_comms(
        schedules(t).ScheduleLoopedBFS(stages(t, 2, 2), 4).pipeline_order, "compute_comms"
    ),
    "communication": lambda t: _runtime(t)._prepare_schedule_with_comms(
        schedules(t).ScheduleLoopedBFS(stages(t, 2, 2), 4).pipeline_order_with_comms
    ),
    "ranks": lambda t: schedules(t)._validate_schedule({0: []}, 2, 2, 2),
    "a rank": lambda t: schedules(t)._validate_schedule({0: [], 2: []}, 2, 2, 2),
    "an action": lambda t: schedules(t)._validate_schedule({0: ["0F0"]}, 1, 1, 1),
    "two ranks": lambda t: schedules(t)._validate_schedule(
        read(t, {0: ["0F0", "0B0"], 1: ["0F0"]}), 2, 2, 1
    ),
    "uneven": lambda t: schedules(t)._validate_schedule(read(t, {0: ["0F0", "0I0"]}), 1, 1, 1),
    "no backward": lambda t: schedules(t)._validate_schedule(read(t, {0: ["0F0"]}), 1, 1, 1),
    "no receiver": lambda t: schedules(t)._defer_recv_ops(
        read(t, {0: ["0F0", "0SEND_F0"], 1: ["1RECV_F0"]}), lambda i: i
    ),
    "waiting": lambda t: schedules(t)._add_send_recv(read(t, {0: ["0F0"], 1: []}), lambda i: i, 2),
    "no inputs": lambda t: _loaded(t)._check_inputs(arg_mbs=(1, 2)),
    "few inputs": lambda t: _loaded(t)._check_inputs(kwarg_mbs=[{}]),
    "losses": lambda t: _loaded(t)._check_inputs(losses=()),
    "loss": lambda t: _without_loss(t)._maybe_get_loss(stages(t, 1, 1)[0], 3),
    "number of losses": lambda t: _without_loss(t)._update_losses(stages(t, 1, 1), []),
    "no grad": lambda t: _without_grad(t),
    "unknown": lambda t: schedules(t)._simulate_comms_compute(
        read(t, {0: ["0UNSHARD"]}), lambda i: i, 1
    ),
}


def _loaded(t):
    return schedules(t).ScheduleGPipe(stages(t, 1, 2)[0], 2)


def _without_loss(t):
    made = schedules(t).ScheduleGPipe(stages(t, 1, 1)[0], 4, loss_fn=lambda x, y: x)
    made._internal_losses = [1.0]
    return made


def _without_grad(t):
    made = schedules(t).ScheduleGPipe(stages(t, 1, 1)[0], 4, loss_fn=lambda x, y: x)
    with t.no_grad():
        return made.step(t.ones(4))


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_schedule_is_refused(what):
    refuse(WRONG[what])


def test_schedules_are_found_by_name():
    for name in (
        "1F1B interleaved1f1b GPIPE LoopedBFS InterleavedZeroBubble zbvzerobubble DualPipeV".split()
    ):
        agree(lambda t, name=name: schedules(t).get_schedule_class(name).__name__)
