"""``torch._export.verifier``: who checks that an exported program is well-formed."""

from __future__ import annotations

from typing import Any

__all__ = ["TrainingIRVerifier", "Verifier", "verifier_of"]


class Verifier:
    """Checks programs of functional operators."""

    #: Which operators a program is made of.
    dialect = "ATEN"

    def check(self, ep: Any) -> None:
        """Raise an error where the graph of *ep* is not well-formed, or its signature is another's.

        Raises AssertionError where inputs or outputs are not those that the signature names.
        """
        ep.graph.lint()
        signature = ep.graph_signature
        inputs = [node.name for node in ep.graph.nodes if node.op == "placeholder"]
        named = [spec.arg.name for spec in signature.input_specs]
        if inputs != named:
            raise AssertionError(f"the graph takes {inputs}, its signature says {named}")
        count = len(ep.graph.output_node().args[0])
        if count != len(signature.output_specs):
            raise AssertionError(
                f"the graph gives {count} values, its signature says {len(signature.output_specs)}"
            )


class TrainingIRVerifier(Verifier):
    """Checks programs as they are drawn, with changes in place."""

    dialect = "TRAINING"


def verifier_of(dialect: str) -> type[Verifier]:
    """Who checks programs of a dialect."""
    return TrainingIRVerifier if dialect == TrainingIRVerifier.dialect else Verifier
