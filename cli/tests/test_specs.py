"""Reading argument specs."""

from __future__ import annotations

import pytest
from mindtorch_cli.argument_specs import SpecError, TensorSpec, parse


@pytest.mark.parametrize(
    "word, value",
    [
        ("f32[2,3]", TensorSpec("float32", (2, 3))),
        ("float64[]", TensorSpec("float64", ())),
        ("f32[2,3]@npu,grad", TensorSpec("float32", (2, 3), "npu", True)),
        ("bf16[4]@npu:1", TensorSpec("bfloat16", (4,), "npu:1")),
        ("i64[ 2 , 0 ]", TensorSpec("int64", (2, 0))),
        ("bool[1]@meta", TensorSpec("bool", (1,), "meta")),
        ("c64[2],grad", TensorSpec("complex64", (2,), "cpu", True)),
        ("2", 2),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e-3", 1e-3),
        ("2j", 2j),
        ("true", True),
        ("False", False),
        ("none", None),
        ("sum", "sum"),
        ("npu:1", "npu:1"),
        ("[]", []),
        ("[2,3]", [2, 3]),
        (
            "[f32[2],grad,f32[3]@npu]",
            [
                TensorSpec("float32", (2,), "cpu", True),
                TensorSpec("float32", (3,), "npu"),
            ],
        ),
    ],
)
def test_spec_is_read(word, value):
    """Tensors, numbers, words and lists; the type is kept, not only the value."""
    (found,), _ = parse([word])
    assert found == value and type(found) is type(value)


def test_keywords_follow_positional_arguments():
    """``name=value`` gives a keyword argument."""
    assert parse(["f32[2]", "2", "alpha=3", "device=npu"]) == (
        [TensorSpec("float32", (2,)), 2],
        {"alpha": 3, "device": "npu"},
    )


@pytest.mark.parametrize(
    "words, reason",
    [
        (["f31[2]"], "no dtype is called f31; did you mean f32"),
        (["f32[2"], "a list needs ,"),
        (["f32[-1]"], "a shape is made of sizes"),
        (["f32[2.5]"], "a shape is made of sizes"),
        (["f32[2]@"], "goes after @"),
        (["f32[2]@3"], "goes after @"),
        (["i64[2],grad"], "only floating point and complex"),
        (["f32[2],gard"], "did not expect ','"),
        (["[1,]"], "did not expect ']'"),
        (["a="], "a value is missing"),
        ([""], "a value is missing"),
        (["a=1", "2"], "positional ones go first"),
        (["a=1", "a=2"], "a= is given twice"),
    ],
)
def test_bad_spec_says_why(words, reason):
    """A spec that cannot be read names the reason."""
    with pytest.raises(SpecError) as error:
        parse(words)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    "text", ["f32[2,3]@npu:1,grad", "i64[]", "bf16[2]", "b1[1]@meta", "f32[2],grad,pipeline"]
)
def test_spec_prints_as_it_is_written(text):
    """What is printed can be given again."""
    (spec,), _ = parse([text])
    assert str(spec) == text
