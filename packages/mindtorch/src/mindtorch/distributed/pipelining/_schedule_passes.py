"""From a schedule that only computes to one that also gathers parameters, sends and receives."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from ._actions import (
    BACKWARD_INPUT,
    BACKWARD_WEIGHT,
    FORWARD,
    FULL_BACKWARD,
    RECV_B,
    RECV_F,
    REDUCE_GRAD,
    RESHARD,
    SEND_B,
    SEND_F,
    UNSHARD,
    _Action,
    _ComputationType,
    _format_pipeline_order,
)

__all__: list[str] = []

Order = list[_Action | None]


def _requires_reduce_grad(action_type: _ComputationType) -> bool:
    """Whether gradients of weights are done with such an action."""
    return action_type in (BACKWARD_WEIGHT, FULL_BACKWARD)


def _add_reduce_grad(actions: Sequence[_Action | None], n_microbatches: int) -> Order:
    """Reduce the gradients of a stage after the last of its backwards, which frees memory."""
    made: Order = []
    counts: Counter[int] = Counter()
    for action in actions:
        if action is None:
            continue
        made.append(action)
        ended = []
        for part in action.parts:
            if _requires_reduce_grad(part.computation_type):
                counts[part.stage_index] += 1
                if counts[part.stage_index] == n_microbatches:
                    ended.append(part.stage_index)
        made.extend(_Action(stage, REDUCE_GRAD, None) for stage in ended)
    return made


def _next_stages(actions: Iterable[_Action | None], count: int) -> list[int]:
    found: dict[int, None] = {}
    for action in actions:
        if action is not None:
            found.update(dict.fromkeys(part.stage_index for part in action.parts))
            if len(found) >= count:
                break
    return list(found)


def _add_unshard_reshard(
    compute_actions: Sequence[_Action | None], max_active_stages: int = 3
) -> list[_Action]:
    """Gather the parameters of stages before they compute, and let them go after.

    :param max_active_stages: how many stages have whole parameters at a time.
    """
    active: set[int] = set()
    made: list[_Action] = []
    for i, action in enumerate(compute_actions):
        if action is None:
            continue
        needed = _next_stages(compute_actions[i:], max_active_stages)
        for stage in [stage for stage in active if stage not in needed]:
            active.remove(stage)
            made.append(_Action(stage, RESHARD, None))
        for stage in [stage for stage in needed if stage not in active]:
            active.add(stage)
            made.append(_Action(stage, UNSHARD, None))
        made.append(action)
    made.extend(_Action(stage, RESHARD, None) for stage in active)
    return made


def _merge_bw(compute_actions: Sequence[_Action | None]) -> list[_Action]:
    """Make one backward of one for inputs that one for the same weights follows."""
    actions = [action for action in compute_actions if action is not None]
    made = actions[:1]
    for before, action in pairwise(actions):
        follows = (
            before.computation_type is BACKWARD_INPUT
            and action.computation_type is BACKWARD_WEIGHT
            and before.stage_index == action.stage_index
            and before.microbatch_index == action.microbatch_index
        )
        if follows:
            made[-1] = before._replace(computation_type=FULL_BACKWARD)
        else:
            made.append(action)
    return made


def _has_what_it_needs(action: _Action, done: set[_Action], num_stages: int) -> bool:
    """Whether the input of a computation is there: received, or computed by the same rank."""
    stage, kind, number = action[:3]
    if kind is FORWARD:
        needed = [(stage, RECV_F), (stage - 1, FORWARD)]
        first = stage == 0
    elif kind in (BACKWARD_INPUT, FULL_BACKWARD):
        needed = [(stage, RECV_B), (stage + 1, BACKWARD_INPUT), (stage + 1, FULL_BACKWARD)]
        first = stage == num_stages - 1
    else:
        return True
    return first or any(_Action(at, each, number) in done for at, each in needed)


def _add_send_recv(
    compute_actions: Mapping[int, Sequence[_Action]],
    stage_to_rank: Callable[[int], int],
    num_stages: int,
) -> dict[int, list[_Action]]:
    """Send what is computed to the rank of the next stage, and receive it there.

    A rank receives as soon as the sender sends, so that no two ranks wait for each other. Raises
    AssertionError for a schedule that cannot go on.
    """
    left = {rank: deque(actions) for rank, actions in compute_actions.items()}
    made: dict[int, list[_Action]] = {rank: [] for rank in left}
    done: dict[int, set[_Action]] = {rank: set() for rank in left}

    def add(rank: int, action: _Action) -> None:
        made[rank].append(action)
        done[rank].add(action)

    def exchange(action: _Action) -> None:
        stage, kind, number = action[:3]
        if kind is FORWARD:
            other, sends, receives = stage + 1, SEND_F, RECV_F
        elif kind in (BACKWARD_INPUT, FULL_BACKWARD):
            other, sends, receives = stage - 1, SEND_B, RECV_B
        else:
            return
        if 0 <= other < num_stages and stage_to_rank(other) != stage_to_rank(stage):
            add(rank, _Action(stage, sends, number))
            add(stage_to_rank(other), _Action(other, receives, number))

    while left:
        progress = False
        for rank in sorted(left):
            if not left[rank]:
                raise AssertionError(f"{rank=}, len(compute_actions[rank])=0")
            action = left[rank][0]
            parts = () if action is None else action.parts
            if not all(_has_what_it_needs(part, done[rank], num_stages) for part in parts):
                continue
            if action is not None:
                made[rank].append(action)
            for part in parts:
                done[rank].add(part)
                exchange(part)
            left[rank].popleft()
            if not left[rank]:
                del left[rank]
            progress = True
        if not progress:
            raise AssertionError("Malformed compute schedule, can't schedule sends/recvs")
    return made


def _defer_recv_ops(
    actions: Mapping[int, Sequence[_Action]], stage_to_rank: Callable[[int], int]
) -> dict[int, list[_Action]]:
    """Receive as late as can be: right before what needs it.

    Of two ranks that send to each other the lower one receives before it sends, so that neither
    waits for ever. Raises AssertionError for what is received and not needed.
    """
    return {rank: _deferred(rank, order, stage_to_rank) for rank, order in actions.items()}


#: Where the other end of a message is, and what a computation receives.
_PEERS = {RECV_F: -1, RECV_B: 1, SEND_F: 1, SEND_B: -1}
_RECEIVES = {FORWARD: RECV_F, FULL_BACKWARD: RECV_B, BACKWARD_INPUT: RECV_B}


def _deferred(
    rank: int, order: Sequence[_Action], stage_to_rank: Callable[[int], int]
) -> list[_Action]:
    made: list[_Action] = []
    waiting: dict[_Action, None] = {}

    def peer(action: _Action) -> int:
        return stage_to_rank(action.stage_index + _PEERS[action.computation_type])

    def receive(these: Iterable[_Action]) -> None:
        for action in these:
            if action in waiting:
                del waiting[action]
                made.append(action)

    for action in order:
        if action.computation_type in (RECV_F, RECV_B):
            waiting[action] = None
            continue
        if action.computation_type in (SEND_F, SEND_B) and rank < peer(action):
            receive([each for each in waiting if peer(each) == peer(action)])
        receive(
            part._replace(computation_type=_RECEIVES[part.computation_type])
            for part in action.parts
            if part.computation_type in _RECEIVES
        )
        made.append(action)
    if waiting:
        raise AssertionError(
            f"Malformed input schedule on rank {rank}: leftover RECV ops with no consumer found: "
            f"{list(waiting)}. Every RECV must be consumed by a downstream compute op."
        )
    return made


def _simulate_comms_compute(
    pipeline_order: Mapping[int, Sequence[_Action | None]],
    stage_to_rank: Callable[[int], int],
    num_stages: int,
) -> dict[int, Order]:
    """Run a schedule of all ranks without computing: what each does in each step, None if it waits.

    Raises ValueError for a schedule that cannot go on, and for actions other than computing,
    sending and receiving.
    """
    left = {r: deque(a for a in pipeline_order[r] if a is not None) for r in sorted(pipeline_order)}
    steps: dict[int, Order] = {rank: [] for rank in left}
    done: dict[int, set[_Action]] = {rank: set() for rank in left}

    def ready(action: _Action) -> bool:
        stage, kind, number = action[:3]
        mine = done[stage_to_rank(stage)]
        if kind in (FORWARD, BACKWARD_INPUT, FULL_BACKWARD, BACKWARD_WEIGHT):
            return _has_what_it_needs(action, mine, num_stages)
        if kind is SEND_F:
            return _Action(stage, FORWARD, number) in mine
        if kind is SEND_B:
            both = (BACKWARD_INPUT, FULL_BACKWARD)
            return any(_Action(stage, each, number) in mine for each in both)
        if kind in (RECV_F, RECV_B):
            other, sends = (stage - 1, SEND_F) if kind is RECV_F else (stage + 1, SEND_B)
            return _Action(other, sends, number) in done[stage_to_rank(other)]
        raise ValueError(f"Unsupported action type {action}")

    def take(rank: int) -> _Action | None:
        if not ready(left[rank][0]):
            return None
        action = left[rank].popleft()
        done[rank].add(action)
        return action

    while left := {rank: actions for rank, actions in left.items() if actions}:
        for rank in left:
            steps[rank].append(take(rank))
        progress = any(steps[rank][-1] is not None for rank in left)
        for rank in left:  # a rank that comes later may have let it go on in this step
            if left[rank] and steps[rank][-1] is None:
                steps[rank][-1] = take(rank)
        if not progress:
            print("WIP comms schedule:\n", _format_pipeline_order(steps))
            for rank, actions in left.items():
                if actions:
                    print(f"{rank=} next action= {actions[0]}")
            raise ValueError("Schedule is not progressing")
    return steps
