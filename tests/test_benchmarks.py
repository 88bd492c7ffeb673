"""The benchmark measures what it says, and never makes a figure up.

No test looks at a time. Real torch stands on both sides.
"""

from __future__ import annotations

import json
import pickle
import re
import sys
import xml.etree.ElementTree as ET

import mindtorch
import pytest

torch = pytest.importorskip("torch")

from benchmarks import report, run
from benchmarks.__main__ import main
from benchmarks.line import Line, Probe
from benchmarks.lines import LINES
from benchmarks.ops import figures, large, portable
from benchmarks.ops.catalogue import catalogue
from benchmarks.ops.cliffs import CLIFFS
from benchmarks.ops.statements import function
from tests.workspace import ROOT, run_python


@pytest.fixture
def same_on_both_sides(monkeypatch):
    """torch in place of mindtorch, and turns that take next to no time."""
    monkeypatch.setitem(sys.modules, "mindtorch", torch)
    monkeypatch.setattr(run, "TURN_NS", 1000)


def setup(torch):
    return {"a": torch.ones(2)}


def one(line):
    (result,) = run.measure([line], rounds=1)
    return result


def test_line_gives_a_ratio(same_on_both_sides):
    """Both sides are timed and divided."""
    result = one(Line("add", "y = a + a", setup, 0.75, 0.5, check="y"))
    assert not result.missing
    assert result.ours > 0 and result.torch > 0 and result.ratio > 0


@pytest.mark.parametrize(
    "line, reason",
    [
        (Line("x", "a", setup, ours="a.no_such_method()"), "AttributeError"),
        (Line("x", "y = a + a", setup, ours="y = a + 2", check="y"), "differs from torch's"),
        (Line("x", "y = a + a", setup, ours="y = a[:1]", check="y"), "differs from torch's"),
    ],
    ids=["absent", "wrong value", "wrong shape"],
)
def test_what_we_cannot_do_has_no_figure(same_on_both_sides, line, reason):
    """A missing op or a wrong value gives a reason in place of a ratio."""
    result = one(line)
    assert result.ours is None and result.ratio is None and result.torch > 0
    assert reason in result.missing


def test_an_error_of_the_oracle_is_an_error(same_on_both_sides):
    """A line that torch cannot run is a broken line."""
    with pytest.raises(AttributeError):
        one(Line("x", "a.no_such_method()", setup))


def test_untimed_statement_runs_before_each_timed_one(same_on_both_sides):
    """``before`` prepares what the timed statement uses up."""
    line = Line("x", "used = a.pop()", lambda torch: {}, before="a = [torch.ones(1)]", check="used")
    assert not one(line).missing


def test_probe_that_fails_has_no_figure():
    """A process of ours that fails is reported with the last line of its error."""
    code = "import sys; print(1) if '{torch}' == 'torch' else sys.exit('no such thing')"
    result = one(Probe("p", code, "B"))
    assert result.ours is None and result.torch == 1 and result.missing == "no such thing"


def test_results_are_written_with_machine_date_and_commit(same_on_both_sides, tmp_path):
    """Figures without their machine say nothing."""
    path = tmp_path / "results.json"
    report.write_json(str(path), [one(Line("add", "a + a", setup))], report.machine())
    data = json.loads(path.read_text())
    assert {"date", "commit", "processor", "torch"} <= set(data["machine"])
    assert data["lines"][0]["name"] == "add"


def test_table_fits_80_columns(same_on_both_sides, monkeypatch, capsys):
    """With long names, long reasons and every kind of figure."""
    monkeypatch.setenv("COLUMNS", "80")
    line = Line("a long name for a line of this table", "a", setup, 1.0, 0.5, ours="1 / 0")
    report.render([one(line), one(Line("add", "a + a", setup, 1.0, 0.5))], report.machine())
    out = capsys.readouterr().out
    assert "not there yet" in out and "ZeroDivisionError" in out
    assert max(map(len, out.splitlines())) <= 80


def test_every_line_runs_on_the_oracle():
    """Names are unique and each statement is one that torch can run."""
    names = [line.name for line in LINES]
    assert len(names) == len(set(names))
    small = [x for x in LINES if isinstance(x, Line) and "4M" not in x.name and "MB" not in x.name]
    for line in small:
        turn, _ = run.prepare(line, torch, line.statement)
        turn(1)


def test_unknown_name_is_refused():
    """A misspelt line does not silently measure nothing."""
    done = run_python("-m", "benchmarks", "no such line")
    assert done.returncode == 2 and "no line contains" in done.stderr


def test_the_readme_names_lines_that_there_are(capsys):
    """Words of ``hatch run bench …`` are parts of names, in whatever case."""
    words = re.findall(r"^hatch run bench (.+)$", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert words and main(["--list", *words[0].split()]) == 0
    assert len(capsys.readouterr().out.splitlines()) >= len(words[0].split())


# bench ops ---------------------------------------------------------------------------------------


def test_ops_are_timed_shown_and_written(tmp_path):
    """Two rows, all columns: on the terminal within 80 columns, as JSON and as a picture."""
    data, picture = tmp_path / "ops.json", tmp_path / "ops.svg"
    words = ["--only", "sin", "--only", "topk", "--samples", "1"]
    files = ["--json", str(data), "--picture", str(picture)]
    done = run_python("-m", "benchmarks", "ops", *words, *files, timeout=240)
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    (timed,) = json.loads(data.read_text("utf-8"))["runs"]
    rows = {row["name"]: row for row in timed["rows"]}
    assert set(rows) == {"sin", "topk"}
    for row in rows.values():
        assert row["missing"] == "" and set(row["times"]) == {
            *("forward", "backward", "first", "shape", "known")
        }
        assert all(value > 0 for pair in row["times"].values() for value in pair)
    assert ET.parse(picture).getroot().tag.endswith("svg")


def test_large_calls_are_timed_shown_and_written(tmp_path):
    """A row in each floating-point dtype, with a million numbers, both ways."""
    data = tmp_path / "large.json"
    words = ["--large", "--only", "sin", "--all", "--json", str(data)]
    done = run_python("-m", "benchmarks", "ops", *words, timeout=240)
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    rows = json.loads(data.read_text("utf-8"))["rows"]
    assert [r["name"] for r in rows] == [
        f"sin {dtype}" for dtype in ("float32", "float16", "bfloat16", "float64")
    ]
    for row in rows:
        assert all(ratio > 0 for ratio in row["figures"].values()) and len(row["figures"]) == 2


@pytest.mark.parametrize("sizes", [(3, 4), (4, 3, 5), (7,)])
def test_a_call_is_large_when_its_largest_operand_is(sizes):
    """No smaller step would do."""
    call = portable.Packed(portable.pack(torch, (torch.ones(sizes), torch.ones(sizes[-1:]))), {})
    for way in (1, 2, 3):
        grown = large.large(call, way)
        if grown is not None:
            counts = [t.memory.size for t in portable.tensors(grown)]
            assert large.ELEMENTS <= max(counts) < 4 * large.ELEMENTS


@pytest.mark.parametrize(
    "words, text",
    [
        (["--large", "--check"], "--large goes with"),
        (["--only", "no_such_op"], "no row is called 'no_such_op'"),
        (["--picture", "ops.png"], "name the file ops.svg"),
        (["--against", "/no/such/folder"], "there is no folder"),
        (["--samples", "0"], "at least 1"),
    ],
)
def test_wrong_options_of_ops_are_refused_at_once(words, text, capsys):
    """With the status of a wrong command line, before anything is timed."""
    with pytest.raises(SystemExit) as left:
        main(["ops", *words])
    assert left.value.code == 2 and text in " ".join(capsys.readouterr().err.split())


def test_a_folder_without_packages_is_no_checkout(tmp_path, capsys):
    """``--against`` says so and fails."""
    assert main(["ops", "--only", "sin", "--against", str(tmp_path)]) == 1
    assert "not a checkout" in capsys.readouterr().err


def test_processes_of_first_calls_import_no_framework_but_their_own():
    """Else a first call would find loaded what a program has yet to load."""
    code = (
        "import sys, benchmarks.ops.first_calls, benchmarks.ops.plan\n"
        "sys.exit(bool({'torch', 'mindtorch'} & set(sys.modules)))"
    )
    assert run_python("-c", code).returncode == 0


def test_calls_travel_as_data():
    """What is packed with torch and unpacked with mindtorch is the same call."""
    wide = torch.arange(12.0).reshape(3, 4)
    given = [wide[:, ::2], wide.to(torch.bfloat16), [2, None], torch.int64, wide.shape]
    made = portable.unpack(mindtorch, pickle.loads(pickle.dumps(portable.pack(torch, given))))
    assert made[0].tolist() == given[0].tolist() and made[0].stride() == (4, 2)
    assert made[1].dtype is mindtorch.bfloat16 and made[1].tolist() == given[1].tolist()
    assert made[2:4] == [[2, None], mindtorch.int64] and tuple(made[4]) == (3, 4)
    with pytest.raises(portable.Unportable):
        portable.pack(torch, object())


def test_a_call_grows_alike_in_all_operands():
    """Sizes that are equal stay equal, size 1 stays 1."""
    call = portable.Packed((torch.ones(3, 1), torch.ones(4, 3)), {})
    packed = portable.Packed(portable.pack(torch, call.args), {})
    grown = portable.grown(packed, 2, 0)
    assert [t.sizes for t in portable.tensors(grown)] == [(5, 1), (6, 5)]
    assert portable.grown(portable.Packed((1, 2.0), {}), 1, 0) is None


def test_new_shapes_are_calls_that_both_take():
    """torch does not check the sizes of slow convolutions, and writes beyond its memory."""
    for op in catalogue(["slow_conv*", "thnn_conv2d", "mm"], 1):
        for shape in op.cases[0].shapes if op and op.cases else ():
            call = portable.unpack(mindtorch, shape)
            function(mindtorch, op.way)(*call.args, **call.kwargs)


def test_every_named_call_runs_on_the_oracle():
    """Each has a limit, and a name of its own."""
    assert len({line.name for line in CLIFFS}) == len(CLIFFS)
    for line in CLIFFS:
        turn, _ = run.prepare(line, torch, line.statement)
        turn(1)
        assert line.first and line.first >= 1


def test_quantiles_and_misses():
    """The worst is the largest; what is above its limit is named."""
    assert figures.quantiles([1.0]) == (1.0, 1.0, 1.0)
    assert figures.quantiles(float(n) for n in range(101)) == (50.0, 90.0, 100.0)
    slow = figures.OpResult("f", "x", "function", "float32", {"forward": (30.0, 1.0)})
    missed = figures.misses(figures.Run("", "", [slow], []))
    assert missed[0] == "forward: median 30.00, wanted 1.2" and len(missed) == 3
