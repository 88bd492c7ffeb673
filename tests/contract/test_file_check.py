"""torch.testing.FileCheck finds, and misses, what torch's does."""

import itertools

import pytest

from tests.contract.both_frameworks import BOTH, agree, ours

TEXT = "graph():\n  %a = add(%x, 1)\n  %b = mul(%a, %a)\n\n  %c = add(%b, 1)\n  return %c\n"
WORDS = ("add", "mul", "%a", "return", "absent")
KINDS = "check check_not check_same check_next check_dag check_regex check_source_highlighted"


def verdict(t, steps, text=TEXT):
    """None, or the first line of the error and its last: what lies between shows the text."""
    checks = t.testing.FileCheck()
    for kind, *arguments in steps:
        checks = getattr(checks, kind)(*arguments)
    try:
        checks.run(text)
    except RuntimeError as error:
        return str(error).splitlines()[0], "From CHECK" in str(error)
    return None


@pytest.mark.parametrize("kinds", list(itertools.product(KINDS.split(), repeat=2)), ids="-".join)
def test_pairs_of_checks(kinds):
    for words in itertools.product(WORDS, repeat=2):
        steps = list(zip(kinds, words, strict=True))
        assert verdict(BOTH[0], steps) == verdict(BOTH[1], steps), steps


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("exactly", [False, True])
def test_counts(count, exactly):
    agree(lambda t: verdict(t, [("check_count", "%a", count, exactly)]))
    agree(lambda t: verdict(t, [("check", "mul"), ("check_count", "%a", count, exactly)]))


@pytest.mark.parametrize(
    "steps",
    [
        [("check_dag", "return"), ("check_dag", "add"), ("check", "mul")],
        [("check_dag", "return"), ("check_not", "mul"), ("check_dag", "add")],
        [("check_not", "mul"), ("check", "return")],
        [("check", "mul"), ("check_not", "mul"), ("check_not", "return")],
        [("check", "%x"), ("check_not", "add"), ("check", "mul"), ("check_same", "%a")],
        [("check_regex", r"%\w = mul"), ("check_next", "%c")],
        [],
    ],
)
def test_longer_programs(steps):
    agree(lambda t: verdict(t, steps))


def test_checks_may_stand_in_comments():
    written = "# CHECK: add\n  # CHECK-NEXT: mul\n# CHECK-NOT: xyz\n# CHECK-COUNT-1: return"
    agree(lambda t: t.testing.FileCheck().run(written, TEXT))
    for line in ("# CHECK-NEXT: return", "# CHECK: xyz", "# CHECK-DAG: add\n# CHECK-DAG: xyz"):
        wrong = f"# CHECK: add\n{line}"
        with pytest.raises(RuntimeError) as want:
            BOTH[1].testing.FileCheck().run(wrong, TEXT)
        with pytest.raises(RuntimeError) as got:
            ours.testing.FileCheck().run(wrong, TEXT)
        assert str(got.value).splitlines()[0] == str(want.value).splitlines()[0]


def test_source_may_be_underlined():
    for under in ("       ~~~", "    ~~~", ""):
        steps = [("check_source_highlighted", "bar")]
        agree(lambda t, under=under: verdict(t, steps, f"foo + bar\n{under} <--- HERE"))


def test_what_is_absent_is_shown_in_its_lines():
    steps = [("check_not", "mul")]

    def text(t):
        try:
            getattr(t.testing.FileCheck(), *steps[0][:1])("mul").run(TEXT)
        except RuntimeError as error:
            return str(error)

    agree(text)
