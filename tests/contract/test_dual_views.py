"""Dual tensors: views, changes in place, detaching, ``out=``."""

from __future__ import annotations

import copy
import pickle

from tests.contract.forward_mode import forward_mode
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


@program
def views_inplace(torch, ns, note):
    fw = forward_mode(torch)
    for mk in (
        lambda b: b.narrow(0, 0, 1),
        lambda b: b[1],
        lambda b: b.t(),
        lambda b: b.view(-1),
        lambda b: b.unbind(0)[0],
        lambda b: b.split(1)[1],
        lambda b: b.diagonal(),
        lambda b: b.as_strided((2,), (1,)),
        lambda b: b.expand(2, 2, 2),
        lambda b: b.unsqueeze(0),
        lambda b: b.detach(),
        lambda b: b.select(0, 1),
        lambda b: b.reshape(4),
        lambda b: b[:, 0],
        lambda b: b.permute(1, 0),
        lambda b: b.unfold(0, 1, 1),
        lambda b: b.view_as(b),
        lambda b: b.swapaxes(0, 1),
        lambda b: b.movedim(0, 1),
        lambda b: b.squeeze(),
        lambda b: b.chunk(2)[1],
        lambda b: b.data,
    ):
        with fw.dual_level():
            base = torch.arange(4.0).reshape(2, 2)
            view = mk(base)
            dual = fw.make_dual(torch.full(view.shape, 3.0), torch.full(view.shape, 5.0))
            note(lambda: view.copy_(dual))
            note(fw.unpack_dual(view))
            note(fw.unpack_dual(base))
            note(fw.unpack_dual(mk(base)))
        with fw.dual_level():
            base = fw.make_dual(torch.arange(4.0).reshape(2, 2), torch.ones(2, 2) * 7)
            view = mk(base)
            note(fw.unpack_dual(view))
            note(lambda: view.mul_(2))
            note(fw.unpack_dual(view))
            note(fw.unpack_dual(base))
        with fw.dual_level():
            base = torch.arange(4.0).reshape(2, 2)
            view = mk(base)
            dual = fw.make_dual(torch.full((2, 2), 3.0), torch.full((2, 2), 5.0))
            base.copy_(dual)
            note(fw.unpack_dual(view))
            note(fw.unpack_dual(base))


@program
def nograd_views(torch, ns, note):
    fw = forward_mode(torch)
    for outer in (True, False):
        for inner in (True, False):
            with fw.dual_level():
                base = torch.arange(4.0).reshape(2, 2)
                with torch.set_grad_enabled(outer):
                    view = base[0]
                dual = fw.make_dual(torch.ones(2), torch.full((2,), 5.0))
                with torch.set_grad_enabled(inner):
                    view.copy_(dual)
                note(fw.unpack_dual(view))
                note(fw.unpack_dual(base))
                note(base._version)
            with fw.dual_level():
                base = torch.arange(4.0).reshape(2, 2)
                d = base.detach()
                v = d[0]
                v.copy_(dual := fw.make_dual(torch.ones(2), torch.full((2,), 5.0)))
                note(fw.unpack_dual(d))
                note(fw.unpack_dual(v))
                note(fw.unpack_dual(base))
                dv = d.view(-1)
                note(fw.unpack_dual(dv))


@program
def detach_tracking(torch, ns, note):
    fw = forward_mode(torch)
    with fw.dual_level():
        d = fw.make_dual(torch.ones(4), torch.ones(4) * 2)
        e = d.detach()
        note(fw.unpack_dual(e))
        note(e._is_view())
        note(e._base is None)
        e.mul_(3)
        note(fw.unpack_dual(d))
        note(fw.unpack_dual(e))
        e.copy_(d)
        note(fw.unpack_dual(d))
        note(fw.unpack_dual(e))
        f = d.clone()
        f.detach_()
        note(lambda: fw.unpack_dual(f))
        g = d.clone()[0:2]
        note(lambda: fw.unpack_dual(g.detach_()))
        h = d.data
        note(fw.unpack_dual(h))
        k = d.clone()
        k.data = torch.ones(4) * 5
        note(lambda: fw.unpack_dual(k))
        k = d.clone()
        k.data = d
        note(lambda: fw.unpack_dual(k))
        m = torch.ones(4)
        m.data = d
        note(lambda: fw.unpack_dual(m))
        s = torch.ones(4)
        note(lambda: s.set_(d))
        s = d.clone()
        note(lambda: s.set_())
        s = d.clone()
        note(lambda: s.resize_(2))
        s = d.clone()
        note(lambda: s.resize_as_(torch.ones(2)))
        s = d.clone()
        note(lambda: s.resize_(4))
        note(lambda: fw.unpack_dual(s))
        note(lambda: fw.unpack_dual(copy.copy(d)))
        note(lambda: fw.unpack_dual(copy.deepcopy(d)))
        note(lambda: fw.unpack_dual(pickle.loads(pickle.dumps(d))))
        note(lambda: d.numpy())
        note(lambda: d.tolist())
        note(lambda: d.sum().item())
        note(lambda: fw.unpack_dual(torch.as_tensor(d)))
        note(lambda: fw.unpack_dual(torch.tensor(d)))
        note(lambda: fw.unpack_dual(torch.asarray(d)))
        note(lambda: fw.unpack_dual(torch.nn.Parameter(d)))
        note(lambda: fw.unpack_dual(d.requires_grad_()))
        note(lambda: d.grad)
        note(lambda: bool(d[0] > 0))
        note(lambda: fw.unpack_dual(d.to(torch.float64).to(torch.int64)))
        note(lambda: fw.unpack_dual(d.type(torch.float64)))
        note(lambda: fw.unpack_dual(d.cpu()))
        note(lambda: fw.unpack_dual(d.to("cpu")))
        note(lambda: fw.unpack_dual(d.to("cpu", copy=True)))
        note(lambda: fw.unpack_dual(d.contiguous()))
        note(
            lambda: fw.unpack_dual(
                d.alias_copy() if hasattr(d, "alias_copy") else torch.alias_copy(d)
            )
        )
        note(lambda: fw.unpack_dual(d.view(torch.int32)))
        note(lambda: fw.unpack_dual(d.float()))


@program
def out_variants(torch, ns, note):
    fw = forward_mode(torch)
    x = torch.ones(3)
    with fw.dual_level():
        d = fw.make_dual(x, x * 2)
        o = torch.empty(3)
        note(lambda: torch.add(d, d, out=o))
        note(lambda: torch.add(x, x, out=d))
        note(lambda: torch.sin(d, out=o))
        note(lambda: torch.cat([d, d], out=torch.empty(6)))
        note(lambda: torch.matmul(d, d, out=torch.empty(())))
        note(
            lambda: torch.max(
                d.view(1, 3), 0, out=(torch.empty(3), torch.empty(3, dtype=torch.int64))
            )
        )
        note(lambda: torch.zeros(3, out=d))
        note(lambda: torch.ones(3, out=fw.make_dual(x, x)))
        note(lambda: torch.linspace(0, 1, 3, out=fw.make_dual(x, x)))
        note(lambda: torch.sum(d, 0, out=torch.empty(())))
        note(lambda: torch.mean(d, 0, out=torch.empty(())))
        note(lambda: torch.stack([d], out=torch.empty(1, 3)))


@program
def complex_views(torch, ns, note):
    """Tangents of bases whose views see pairs of numbers, and the reverse."""
    fw = forward_mode(torch)
    makers = (
        lambda: torch.zeros(4, dtype=torch.complex64),
        lambda: torch.zeros(2, 2, dtype=torch.complex64)[1],
        lambda: torch.zeros(2, 2, dtype=torch.complex64).t()[1],
    )
    with fw.dual_level():
        dual = fw.make_dual(torch.arange(4.0), torch.arange(4.0) + 10)
        for make in makers:
            base = make()
            view = torch.view_as_real(base)
            view[1].copy_(dual[:2])
            note((fw.unpack_dual(base), fw.unpack_dual(view)))
            base = make()
            view = torch.view_as_real(base)
            base[0] = dual[1]
            note((fw.unpack_dual(base), fw.unpack_dual(view)))
        base = torch.zeros(3, 2)
        view = torch.view_as_complex(base)
        view[1:].copy_(dual[:2])
        note((fw.unpack_dual(base), fw.unpack_dual(view), fw.unpack_dual(view.conj())))
        base = torch.zeros(3, dtype=torch.complex64)
        conj, imag = base.conj(), base.imag
        imag[1:].copy_(dual[2:])
        note((fw.unpack_dual(base), fw.unpack_dual(conj), fw.unpack_dual(imag)))


@program
def levels_asked_for(torch, ns, note):
    fw = forward_mode(torch)
    plain = torch.ones(2)
    with fw.dual_level():
        note(fw._current_level)
        dual = fw.make_dual(plain, torch.ones(2))
        for level in (1, 3, -1, "a", 1.5, True):
            note(lambda: fw.unpack_dual(dual, level=level))
            note(lambda: fw.unpack_dual(plain, level=level))
            note(lambda: fw.make_dual(plain, plain, level=level))
    note(fw._current_level)
    note(lambda: fw.unpack_dual(dual, level=2))
