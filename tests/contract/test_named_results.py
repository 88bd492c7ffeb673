"""``torch.return_types``: what the named tuples of results are like."""

from __future__ import annotations

import copy
import pickle

from .programs import suite

program, test_same_program_same_notes = suite()

#: Calls of ops with named results.
CALLS = {
    "max": lambda t, x: t.max(x, 0),
    "sort": lambda t, x: x.sort(),
    "topk": lambda t, x: t.topk(x, 1),
    "qr": lambda t, x: t.linalg.qr(x),
    "slogdet": lambda t, x: t.linalg.slogdet(x),
    "lstsq": lambda t, x: t.linalg.lstsq(x, x),
    "frexp": lambda t, x: t.frexp(x),
    "aminmax": lambda t, x: t.aminmax(x),
    "histogram": lambda t, x: t.histogram(x, 2),
}


@program
def fields_are_read_only(torch, ns, note):
    for call in CALLS.values():
        found = call(torch, torch.eye(2))
        kind = type(found)
        note(kind.__name__)
        note((kind.n_fields, kind.n_sequence_fields, kind.n_unnamed_fields, kind.__match_args__))
        field = kind.__match_args__[0]
        note(lambda: setattr(found, field, 1))
        note(lambda: delattr(found, field))
        note(lambda: found.nope)
        note(lambda: setattr(found, "nope", 1))
        note(hasattr(found, "__deepcopy__"))
        note(found[0] is getattr(found, field))
        note(kind is getattr(torch.return_types, kind.__name__))


@program
def they_are_made_copied_and_pickled(torch, ns, note):
    kind = torch.return_types.max
    for make in (
        lambda: kind((1, 2)),
        lambda: kind([1, 2], {}),
        lambda: kind(1),
        lambda: kind((1, 2, 3)),
        lambda: kind(sequence=(1, 2)),
        lambda: copy.copy(kind((1, 2))),
        lambda: copy.deepcopy(kind((1, [2]))),
        lambda: pickle.loads(pickle.dumps(kind((1, 2)))),
        lambda: kind((1, 2)) + (3,),
        lambda: kind((1, 2))[:1],
        lambda: kind((1, 2)) == (1, 2),
        lambda: torch.return_types.nope,
    ):
        note(make)


@program
def all_of_them_are_listed(torch, ns, note):
    listed = torch.return_types.all_return_types
    note(all(issubclass(kind, tuple) for kind in listed))
    note({"max", "sort", "topk", "svd", "frexp"} <= {kind.__name__ for kind in listed})
    note(torch.return_types.pytree_register_structseq.__name__)
