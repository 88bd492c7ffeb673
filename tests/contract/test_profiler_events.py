"""Events of a profile that are made by hand: equal data has equal tables, texts and files."""

from __future__ import annotations

import json
import random

import pytest

from .both_frameworks import agree, part, refuse, same


def events(t, seed, device):
    """A list of events, of all kinds."""
    util, draw = part(t, "autograd.profiler_util"), random.Random(seed)
    kinds, found = util.DeviceType, []
    for i in range(30):
        start = draw.randrange(1000)
        end = start + draw.randrange(1, 500)
        on_host = device is None or draw.random() < 0.7
        stack = [draw.choice(["f(1): g", "x" * 90])] * draw.randrange(3)
        event = util.FunctionEvent(
            i,
            draw.choice(["a", "aten::add", "b" * 60, "ProfilerStep#1"]),
            draw.randrange(2),
            start,
            end,
            overload_name=draw.choice(["", "T"]) if seed % 3 == 0 else "",
            fwd_thread=0,
            input_shapes=[[draw.randrange(3)]] if seed % 2 else [],
            stack=stack if seed % 4 > 1 else [],
            use_device=device,
            cpu_memory_usage=draw.randrange(-5000, 5000000),
            device_memory_usage=draw.randrange(1 << 31) if device else 0,
            flops=draw.choice([0, 100, 10 ** draw.randrange(14)]) if seed % 5 else 0,
            device_type=kinds.CPU if on_host else kinds.PrivateUse1,
            node_id=draw.choice([-1, -1, 2]) if seed % 7 == 0 else -1,
            is_async=draw.random() < 0.1,
            sequence_nr=draw.randrange(-1, 3),
            scope=draw.choice([0, 0, 1, 7]),
            is_user_annotation=draw.random() < 0.1,
            trace_name="z",
        )
        if on_host and device:
            event.append_kernel("k", 0, draw.randrange(50))
        found.append(event)
    made = util.EventList(
        found, use_device=device, profile_memory=seed % 2 == 0, with_flops=seed % 3 > 0
    )
    made._build_tree()
    return made


TABLES = (
    {},
    {"sort_by": "self_cpu_time_total"},
    {"row_limit": 3, "header": "H", "max_name_column_width": 20, "max_src_column_width": 15},
    {"top_level_events_only": True, "time_unit": "ms"},
    {"max_shapes_column_width": 6},
)


@pytest.mark.parametrize("device", [None, "npu"])
@pytest.mark.parametrize("seed", range(8))
def test_tables_of_equal_events_are_equal(seed, device):
    """Columns, widths, units; lists, averages and totals too."""

    def shown(t):
        made = events(t, seed, device)
        stacks = 2 if seed % 4 > 1 else 0
        lists = made, made.key_averages(), made.key_averages(seed % 2 == 1, stacks, True)
        total = repr(made.total_average())
        return [total, *[each.table(**kw) for kw in TABLES for each in lists], *map(repr, lists)]

    assert same(shown)[0][0] == "value"


def test_files_of_a_list_of_events(tmp_path):
    """The short trace and the stacks."""

    def written(t):
        made = events(t, 2, None)
        made.export_chrome_trace(str(tmp_path / "t.json"))
        made.export_stacks(str(tmp_path / "s.txt"), "self_cpu_time_total")
        return json.loads((tmp_path / "t.json").read_text()), (tmp_path / "s.txt").read_text()

    agree(written)


def test_numbers_as_texts():
    """Times, shares, memory; names that are left out or changed."""

    def texts(t):
        u = part(t, "autograd.profiler_util")
        return (
            [u._format_time(x) for x in (1, 1234, 12345678)],
            [u._format_memory(x) for x in (-5, 1023, -2048, 3 << 20, 1 << 30)],
            [u._format_time_share(*x) for x in ((0, 0), (1, 3))],
            [u._rewrite_name("ProfilerStep#3", w) for w in (True, False)],
            [u._filter_name(n) for n in ("[memory]", "aten::add", "aten::is_leaf")],
            str(u._build_metadata({"stream": "7", "grid": "[1, 2]", "Rank": "4", "x": "y"})),
        )

    agree(texts)


def test_events_refuse_what_torch_refuses():
    """Parents of other types, other keys, stacks of an unknown metric."""

    def made(t):
        return part(t, "autograd.profiler_util").FunctionEvent(1, "a", 1, 0, 1)

    refuse(lambda t: made(t).set_cpu_parent(3))
    refuse(lambda t: made(t).append_cpu_child(3))
    refuse(lambda t: part(t, "autograd.profiler_util").EventList([]).export_stacks("x", "y"))
    refuse(lambda t: part(t, "autograd.profiler_util").EventList([]).key_averages())
    same(lambda t: made(t).cuda_time)
