"""What an allocator remembers of its states and ways between them has bounds."""

import gc
import random
from itertools import pairwise

from mindtorch_npu import allocator_memo
from mindtorch_npu.memo_states import Leap


def test_ever_new_leaps_are_forgotten(make_allocator, flat, monkeypatch):
    """Sizes in random order take ever new leaps between the same states; nobody asks for books."""
    monkeypatch.setattr(allocator_memo, "_ALL_LEAPS", 300)
    allocator = make_allocator()
    draw = random.Random(0)
    gc.collect()  # what other tests have left
    before = _leaps()
    made = 0
    for _ in range(8):
        for _ in range(500):
            del_me = allocator.allocate(512 * draw.randint(1, 100))
            del del_me
        gc.collect()
        made = max(made, _leaps() - before)
    assert 100 < made < 600, made
    assert flat(allocator)["allocation.all.freed"] == 4000


def _leaps() -> int:
    return sum(type(each) is Leap for each in gc.get_objects())


def test_ways_to_a_leap_are_forgotten_where_there_are_too_many(make_allocator, flat, monkeypatch):
    """And told apart again later: a program may have come to order."""
    monkeypatch.setattr(allocator_memo, "_ALL_WAYS", 20)
    monkeypatch.setattr(allocator_memo, "_NOT_TOLD_APART", 50)
    allocator = make_allocator()
    draw = random.Random(0)
    kept, told = [None] * 2, [0]
    for _ in range(4000):
        kept[draw.randrange(2)] = allocator.allocate(512 * draw.randint(1, 2))
        told.append(len(allocator.walk._told_apart))
    assert max(told) == 20
    assert sum(b < a for a, b in pairwise(told)) > 2
    del kept
    assert flat(allocator)["allocation.all.freed"] == 4000
