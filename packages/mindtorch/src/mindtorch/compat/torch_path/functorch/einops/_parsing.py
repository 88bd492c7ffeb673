"""``functorch.einops._parsing``: patterns of ``rearrange``, taken apart."""

from mindtorch.func.rearrange_pattern import (
    AnonymousAxis,
    ParsedExpression,
    comma_separate,
    ellipsis,
    parse_pattern,
    validate_rearrange_expressions,
)

__all__ = [
    "AnonymousAxis",
    "ParsedExpression",
    "comma_separate",
    "parse_pattern",
    "validate_rearrange_expressions",
]

#: What stands for ``...`` in a parsed pattern; torch's name.
_ellipsis = ellipsis
