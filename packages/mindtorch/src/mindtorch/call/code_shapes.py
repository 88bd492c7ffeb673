"""Texts of :mod:`.code` as compiled code. Written by ``hatch run shapes``: do not edit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# fmt: off
# ruff: noqa
# mypy: ignore-errors


def _0(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(*args, **kwargs):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            return first(args, kwargs)
        except Exception as error:
            shorten(error)
            raise
    return call

def _1(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(*rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((), rest, (k0, k1, k2, k3, k4, ), more)
            try:
                found = table[rest, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[(tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, grad_state() | tls_state(), default_device()]
                except (KeyError, AttributeError, TypeError, IndexError):
                    pass
                else:
                    return found(rest, k0, k1, k2, k3, k4)
            else:
                return found(rest, k0, k1, k2, k3, k4)
            return miss((), rest, (k0, k1, k2, k3, k4, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _2():
    def call(a0):
        return (a0,)
    return call

def _3(F0, Leaf, Node, add_viewer, alias_of, bits, blank, creation, mark_view, meta, new_leaf_edge, next_key, part, sig):
    def call(a0, a1):
        e0 = a0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(a0)
        base = a0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        result = t
        f0 = F0
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node.kept = (f0, f0,)
        result._edge = node
        return result
    return call

def _4(F0, Leaf, Node, add_viewer, alias_of, bits, blank, creation, mark_view, meta, new_leaf_edge, next_key, part, sig):
    def call(a0, a1):
        e0 = a0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(a0)
        base = a0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        result = t
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node.kept = (a1, F0,)
        result._edge = node
        return result
    return call

def _5(again, alias_of, copyto, n1, run, same):
    def call(a0, a1):
        target = a0
        shared = target._shared
        if a1 is not n1 and not same(a1, n1): copyto(target._a, again((a0, a1,))(a0, a1), 'unsafe')
        else: copyto(target._a, run(a0._a, a1), 'unsafe')
        if shared is None: shared = alias_of(target)
        shared.value += 1
        return target
    return call

def _6(again, alias_of, below, copyto, n2, run, same):
    def call(a0, a1, a2):
        target = a0
        shared = target._shared
        if shared is not None and ((other := a1._shared) is not None and a1 is not target and (other is shared or shared.known_storage is not None and shared.known_storage is other.known_storage)): below(a0, a1, a2)
        else:
            if a2 is not n2 and not same(a2, n2): copyto(target._a, again((a0, a1, a2,))(a0, a1, a2), 'unsafe')
            else: copyto(target._a, run(a0._a, a1._a, a2), 'unsafe')
            if shared is None: shared = alias_of(target)
            shared.value += 1
        return target
    return call

def _7(F0, Leaf, Node, add_viewer, alias_of, bits, blank, creation, mark_view, meta, new_leaf_edge, next_key, part, sig):
    def call(a0, a1, a2, a3, a4):
        e0 = a0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(a0)
        base = a0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a[part]
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        result = t
        f0 = F0
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node.kept = (f0, a1, a2, a3, a4, f0,)
        result._edge = node
        return result
    return call

def _8(F0, Leaf, Node, add_viewer, alias_of, bits, blank, creation, dtype, mark_view, meta, ndarray, new_leaf_edge, next_key, offset, shape, sig, strides):
    def call(a0, a1, a2, a3, a4):
        e0 = a0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(a0)
        base = a0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = ndarray(shape, dtype, a, offset, strides)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        result = t
        f0 = F0
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node.kept = (f0, a1, a2, a3, a4, f0,)
        result._edge = node
        return result
    return call

def _9(add_viewer, alias_of, blank, meta, part, sig):
    def call(p0):
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = None
        t._meta = meta
        return t
    return call

def _10(blank, inner, is_stale, make, meta0, run, sig0):
    def call(p0):
        if p0._shared.touched and is_stale(p0):
            return inner(p0)
        x0 = make()
        run(p0._a, out=x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _11(blank, dtype0, finish0, inner, is_stale, meta0, ndarray, run, sig0, strides0):
    def call(p0):
        if p0._shared.touched and is_stale(p0):
            return inner(p0)
        x0 = run(p0._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _12(blank, inner, is_stale, meta0, run, sig0):
    def call(p0):
        if p0._shared.touched and is_stale(p0):
            return inner(p0)
        x0 = run(p0._a)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _13():
    def call(p0):
        return (p0,)
    return call

def _14(inner):
    def call(p0):
        return inner(p0)
    return call

def _15(blank, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0):
        x0 = run(p0._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _16(blank, meta0, run, sig0):
    def call(p0):
        x0 = run(p0._a)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _17(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (), more)
            try:
                found = table[p0._meta, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0)
            return miss((p0, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _18(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((p0, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, rest, (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[p0._meta, (tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state()]
                except (KeyError, AttributeError, TypeError, IndexError):
                    pass
                else:
                    return found(p0, rest, k0)
            else:
                return found(p0, rest, k0)
            return miss((p0, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _19(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, k0, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0)
            return miss((p0, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _20(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((p0, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta, rest, (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[p0._meta, (tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state()]
                except (KeyError, AttributeError, TypeError, IndexError):
                    pass
                else:
                    return found(p0, rest, k0, k1)
            else:
                return found(p0, rest, k0, k1)
            return miss((p0, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _21(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((p0, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta, rest, k0, (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[p0._meta, (tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), k0, (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state()]
                except (KeyError, AttributeError, TypeError, IndexError):
                    pass
                else:
                    return found(p0, rest, k0, k1)
            else:
                return found(p0, rest, k0, k1)
            return miss((p0, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _22(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
            try:
                found = table[p0._meta, rest, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[p0._meta, (tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device()]
                except (KeyError, AttributeError, TypeError, IndexError):
                    pass
                else:
                    return found(p0, rest, k0, k1, k2, k3, k4, k5)
            else:
                return found(p0, rest, k0, k1, k2, k3, k4, k5)
            return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _23(Leaf, Node, blank, dtype0, finish0, meta0, ndarray, new_leaf_edge, next_key, run, sig0, strides0):
    def call(p0, k0):
        e0 = p0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(p0)
        x0 = run(p0._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        result = r0
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node._saved = (p0, (0 if p0._shared is None else p0._shared.value), None,)
        result._edge = node
        return result
    return call

def _24(Tensor, inner, is_stale, m_5, new, r_1, s_4):
    def call(p0, k0):
        if p0._shared.touched and is_stale(p0):
            return inner(p0)
        a_2 = r_1(p0._a)
        t_3 = new(Tensor)
        t_3._a = a_2
        t_3._sig = s_4
        t_3._meta = m_5
        t_3._shared = t_3._edge = t_3._state = None
        return t_3
    return call

def _25(blank, inner, is_stale, make, meta0, run, sig0):
    def call(p0, k0):
        if p0._shared.touched and is_stale(p0):
            return inner(p0)
        x0 = make()
        run(p0._a, out=x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _26(blank, dtype0, finish0, inner, is_stale, meta0, ndarray, run, sig0, strides0):
    def call(p0, k0):
        if p0._shared.touched and is_stale(p0):
            return inner(p0)
        x0 = run(p0._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _27(blank, inner, is_stale, meta0, run, sig0):
    def call(p0, k0):
        if p0._shared.touched and is_stale(p0):
            return inner(p0)
        x0 = run(p0._a)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _28():
    def call(p0, k0):
        return (p0,)
    return call

def _29(f_1):
    def call(p0, k0):
        t_2 = f_1(p0)
        return t_2
    return call

def _30(blank, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0, k0):
        x0 = run(p0._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _31(blank, meta0, run, sig0):
    def call(p0, k0):
        x0 = run(p0._a)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _32(blank, c1, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0, k0):
        x0 = run(p0._a, c1)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _33(NONE, blank, c1, c2, c3, c4, c5, c6, dtype0, finish0, meta0, miss, ndarray, run, sig0, strides0):
    def call(p0, k0, k1, k2, k3, k4, k5):
        if k4 is not False:
            return miss((p0,), (), (k0, k1, k2, k3, k4, k5,), NONE)
        x0 = run(p0._a, c1, c2, c3, c4, c5, c6)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _34(blank, c1, c2, c3, c4, c5, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0, k0, k1, k2, k3, k4, k5):
        x0 = run(p0._a, c1, c2, c3, c4, c5)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _35(blank, dtype0, finish0, inner, is_stale, meta0, ndarray, run, sig0, strides0):
    def call(p0, p1):
        if p0._shared.touched and is_stale(p0) or p1._shared.touched and is_stale(p1):
            return inner(p0, p1)
        x0 = run(p0._a, p1._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _36(blank, inner, is_stale, meta0, run, sig0):
    def call(p0, p1):
        if p0._shared.touched and is_stale(p0) or p1._shared.touched and is_stale(p1):
            return inner(p0, p1)
        x0 = run(p0._a, p1._a)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _37(inner):
    def call(p0, p1):
        return inner(p0, p1)
    return call

def _38(c2, inner):
    def call(p0, p1):
        return inner(p0, p1, c2)
    return call

def _39(blank, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0, p1):
        x0 = run(p0._a, p1._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _40(blank, meta0, run, sig0):
    def call(p0, p1):
        x0 = run(p0._a, p1._a)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _41(blank, dtype0, finish0, inner, is_stale, meta0, ndarray, run, sig0, strides0):
    def call(p0, p1, k0):
        if p0._shared.touched and is_stale(p0) or p1._shared.touched and is_stale(p1):
            return inner(p0, p1)
        x0 = run(p0._a, p1._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _42(blank, inner, is_stale, meta0, run, sig0):
    def call(p0, p1, k0):
        if p0._shared.touched and is_stale(p0) or p1._shared.touched and is_stale(p1):
            return inner(p0, p1)
        x0 = run(p0._a, p1._a)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _43(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, p1, k0):
        if p1.__class__ is not int:
            return miss((p0, p1,), (), (k0,), NONE)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        return t
    return call

def _44(F0, Leaf, NONE, Node, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, new_leaf_edge, next_key, part, sig):
    def call(p0, p1, k0):
        if p1.__class__ is not int:
            return miss((p0, p1,), (), (k0,), NONE)
        e0 = p0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(p0)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        result = t
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node.kept = (p1, F0,)
        result._edge = node
        return result
    return call

def _45(NONE, add_viewer, alias_of, bits, blank, creation, inner, is_stale, mark_view, meta, miss, part, sig):
    def call(p0, p1, k0):
        if p1.__class__ is not int:
            return miss((p0, p1,), (), (k0,), NONE)
        if p0._shared.touched and is_stale(p0):
            return inner(p0, p1)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        return t
    return call

def _46(NONE, inner, miss):
    def call(p0, p1, k0):
        if p1.__class__ is not int:
            return miss((p0, p1,), (), (k0,), NONE)
        return inner(p0, p1)
    return call

def _47(alias_of, below, c2, run):
    def call(p0, p1, k0):
        target = p0
        shared = target._shared
        if shared is not None and ((other := p1._shared) is not None and p1 is not target and (other is shared or shared.known_storage is not None and shared.known_storage is other.known_storage)): below(p0, p1, c2)
        else:
            run(p0._a, p1._a, out=target._a)
            if shared is None: shared = alias_of(target)
            shared.value += 1
        return target
    return call

def _48(blank, dtype0, finish0, inner, is_stale, meta0, ndarray, run, sig0, strides0):
    def call(p0, p1, k0, k1, k2):
        if p0._shared.touched and is_stale(p0) or p1._shared.touched and is_stale(p1):
            return inner(p0, p1)
        x0 = run(p0._a, p1._a)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a = x0
        r0._sig = sig0
        r0._meta = meta0
        r0._shared = r0._edge = r0._state = None
        return r0
    return call

def _49(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, p1, p2, k0, k1):
        if p1.__class__ is not int or p2.__class__ is not int:
            return miss((p0, p1, p2,), (), (k0, k1,), NONE)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.transpose(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        return t
    return call

def _50(F0, Leaf, NONE, Node, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, new_leaf_edge, next_key, part, sig):
    def call(p0, p1, p2, k0, k1):
        if p1.__class__ is not int or p2.__class__ is not int:
            return miss((p0, p1, p2,), (), (k0, k1,), NONE)
        e0 = p0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(p0)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.transpose(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        result = t
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node.kept = (p1, p2, F0,)
        result._edge = node
        return result
    return call

def _51(NONE, add_viewer, alias_of, bits, blank, creation, inner, is_stale, mark_view, meta, miss, part, sig):
    def call(p0, p1, p2, k0, k1):
        if p1.__class__ is not int or p2.__class__ is not int:
            return miss((p0, p1, p2,), (), (k0, k1,), NONE)
        if p0._shared.touched and is_stale(p0):
            return inner(p0, p1, p2)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.transpose(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        return t
    return call

def _52(NONE, inner, miss):
    def call(p0, p1, p2, k0, k1):
        if p1.__class__ is not int or p2.__class__ is not int:
            return miss((p0, p1, p2,), (), (k0, k1,), NONE)
        return inner(p0, p1, p2)
    return call

def _53(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (), more)
            try:
                found = table[p0._meta, p1._meta, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1)
            return miss((p0, p1, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _54(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, (p1._meta if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _55(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, p1, k0, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _56(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, (p1._meta if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), p2, k0, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0)
            return miss((p0, p1, p2, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _57(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, p1._meta, (p2._meta if p2.__class__ in TENSORS else p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0)
            return miss((p0, p1, p2, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _58(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta, (tuple(p1) if p1.__class__ is list else p1), p2, (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _59(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta, p1, p2, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _60(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta, (tuple(p1) if p1.__class__ is list else p1), p2, k0, (tuple(k1) if k1.__class__ is list else k1), k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1, k2)
            return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _61(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta, p1, (p2._meta if p2.__class__ in TENSORS else p2), p3, k0, k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _62(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta, p1, p2, p3, k0, k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _63(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta, p1, p2._meta, (p3._meta if p3.__class__ in TENSORS else p3 if p3.__class__ is bool else p3.__class__), k0, k1, (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _64(NONE, Tensor, add_viewer, alias_of, m_5, mark_view, miss, new, s_3):
    def call(p0, rest, k0):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int or rest[0][2].__class__ is not int or rest[0][3].__class__ is not int:
            return miss((p0,), rest, (k0,), NONE)
        a_1 = p0._a
        t_2 = new(Tensor)
        t_2._a = a_1
        t_2._sig = s_3
        t_2._shared = p0._shared or alias_of(p0)
        t_2._edge = t_2._state = None
        if t_2._shared.viewers is not None: add_viewer(t_2._shared, t_2)
        v_4 = t_2._shared.value
        if p0._state is not None: mark_view(t_2, p0, 1099511627776, '')
        elif v_4: t_2._state = (p0, v_4, '')
        else: t_2._state = p0
        t_2._meta = m_5
        return t_2
    return call

def _65(NONE, Tensor, add_viewer, alias_of, m_5, mark_view, miss, new, s_3):
    def call(p0, rest, k0):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int or rest[0][2].__class__ is not int:
            return miss((p0,), rest, (k0,), NONE)
        a_1 = p0._a
        t_2 = new(Tensor)
        t_2._a = a_1
        t_2._sig = s_3
        t_2._shared = p0._shared or alias_of(p0)
        t_2._edge = t_2._state = None
        if t_2._shared.viewers is not None: add_viewer(t_2._shared, t_2)
        v_4 = t_2._shared.value
        if p0._state is not None: mark_view(t_2, p0, 1099511627776, '')
        elif v_4: t_2._state = (p0, v_4, '')
        else: t_2._state = p0
        t_2._meta = m_5
        return t_2
    return call

def _66(NONE, Tensor, add_viewer, alias_of, m_5, mark_view, miss, new, s_3):
    def call(p0, rest, k0):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int:
            return miss((p0,), rest, (k0,), NONE)
        a_1 = p0._a
        t_2 = new(Tensor)
        t_2._a = a_1
        t_2._sig = s_3
        t_2._shared = p0._shared or alias_of(p0)
        t_2._edge = t_2._state = None
        if t_2._shared.viewers is not None: add_viewer(t_2._shared, t_2)
        v_4 = t_2._shared.value
        if p0._state is not None: mark_view(t_2, p0, 1099511627776, '')
        elif v_4: t_2._state = (p0, v_4, '')
        else: t_2._state = p0
        t_2._meta = m_5
        return t_2
    return call

def _67(NONE, Tensor, add_viewer, alias_of, m_5, mark_view, miss, new, s_3):
    def call(p0, rest, k0):
        if rest[0][0].__class__ is not int:
            return miss((p0,), rest, (k0,), NONE)
        a_1 = p0._a
        t_2 = new(Tensor)
        t_2._a = a_1
        t_2._sig = s_3
        t_2._shared = p0._shared or alias_of(p0)
        t_2._edge = t_2._state = None
        if t_2._shared.viewers is not None: add_viewer(t_2._shared, t_2)
        v_4 = t_2._shared.value
        if p0._state is not None: mark_view(t_2, p0, 1099511627776, '')
        elif v_4: t_2._state = (p0, v_4, '')
        else: t_2._state = p0
        t_2._meta = m_5
        return t_2
    return call

def _68():
    def call(p0, rest, k0):
        return (p0, rest[0],)
    return call

def _69():
    def call(p0, rest, k0):
        return (p0, tuple(rest[0]),)
    return call

def _70(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, rest, k0, k1):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int or rest[0][2].__class__ is not int or rest[0][3].__class__ is not int:
            return miss((p0,), rest, (k0, k1,), NONE)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        return t
    return call

def _71(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, rest, k0, k1):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int or rest[0][2].__class__ is not int:
            return miss((p0,), rest, (k0, k1,), NONE)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        return t
    return call

def _72(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, rest, k0, k1):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int:
            return miss((p0,), rest, (k0, k1,), NONE)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        return t
    return call

def _73(F0, Leaf, NONE, Node, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, new_leaf_edge, next_key, part, sig):
    def call(p0, rest, k0, k1):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int:
            return miss((p0,), rest, (k0, k1,), NONE)
        e0 = p0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(p0)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        result = t
        f0 = F0
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node.kept = (f0, f0,)
        result._edge = node
        return result
    return call

def _74(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, rest, k0, k1):
        if rest[0][0].__class__ is not int:
            return miss((p0,), rest, (k0, k1,), NONE)
        base = p0
        a = base._a
        shared = base._shared
        if shared is None: shared = alias_of(base)
        if base._state is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a = a.reshape(part)
        t._sig = sig
        t._shared = shared
        t._edge = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta = meta
        return t
    return call

def _75():
    def call(p0, rest, k0, k1):
        return (p0, rest[0],)
    return call

def _76(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0)
            return miss((p0, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _77(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (), more)
            try:
                found = table[p0._meta, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0)
            return miss((p0, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _78(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, (None if k0 is None else k0._meta), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0)
            return miss((p0, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _79(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, k0, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0)
            return miss((p0, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _80(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, k1, k2, k3, k4, ), more)
            try:
                found = table[(p0 if p0.__class__ is bool else p0.__class__), (k0 if k0.__class__ is bool else k0.__class__), k1, k2, k3, k4, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0, k1, k2, k3, k4)
            return miss((p0, ), rest, (k0, k1, k2, k3, k4, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _81(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), k0, k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0, k1, k2, k3, k4, k5)
            return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _82(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
            try:
                found = table[p0._meta, k0, k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0, k1, k2, k3, k4, k5)
            return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _83(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1)
            return miss((p0, p1, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _84(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _85(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _86(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), p1, k0, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _87(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, (tuple(p1) if p1.__class__ is list else p1), (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _88(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[p0._meta, p1._meta, (None if k0 is None else k0._meta), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _89(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[(tuple([t if t is None else t._meta for t in p0]) if p0.__class__ is list or p0.__class__ is tuple else p0), p1, k0, (None if k1 is None else k1._meta), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _90(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta, (p1._meta if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (None if k0 is None else k0._meta), (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _91(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta, p1, k0, (None if k1 is None else k1._meta), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _92(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (None if k0 is None else k0._meta), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1, k2)
            return miss((p0, p1, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _93(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (p2._meta if p2.__class__ in TENSORS else p2 if p2.__class__ is bool else p2.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2)
            return miss((p0, p1, p2, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _94(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), p1, p2, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _95(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta, (tuple(p1) if p1.__class__ is list else p1), (p2 if p2.__class__ is bool else p2.__class__), (tuple(k0) if k0.__class__ is list else k0), (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _96(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta, p1, p2, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _97(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), p1, p2, k0, k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1, k2)
            return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _98(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta, (p1._meta if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (p2._meta if p2.__class__ in TENSORS else p2 if p2.__class__ is bool else p2.__class__), (None if k0 is None else k0._meta), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1, k2)
            return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _99(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[p0._meta, (tuple(p1) if p1.__class__ is list else p1), p2, k0, (tuple(k1) if k1.__class__ is list else k1), k2, (None if k3 is None else k3._meta), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1, k2, k3)
            return miss((p0, p1, p2, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _100(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, (tuple(k0) if k0.__class__ is list else k0), k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _101(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[p0._meta, p1._meta, p2._meta, p3, (k0 if k0.__class__ is bool else k0.__class__), (k1 if k1.__class__ is bool else k1.__class__), (None if k2 is None else k2._meta), k3, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _102(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, p4, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _103(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[p0._meta, p1, p2, p3, p4, k0, k1, k2, k3, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _104(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, ), more)
            try:
                found = table[(p0._meta if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, p4, p5, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4)
            return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _105(Leaf, Node, REQUIRES_GRAD, STALE, describe, inner, new_leaf_edge, next_key, requires_grad):
    def forward(a0):
        e0 = a0._edge
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(a0)
        if e0 is None and not requires_grad(a0): return inner(a0)
        result = inner(a0)
        shape = result._a.shape
        node = Node()
        node._key = next_key()
        node._extra = None
        node._edges = (e0,)
        node._saved = (a0, (0 if a0._shared is None else a0._shared.value), None if e0 is None or (a0._a.shape == shape and a0._a.dtype is result._a.dtype) else describe(a0),)
        result._edge = node
        result._sig |= REQUIRES_GRAD
        result._meta = STALE
        return result
    return forward

def _106(Tensor, add_viewer, alias_of, m_5, mark_view, new, s_3):
    def plan(node, grad):
        a_1 = grad._a
        t_2 = new(Tensor)
        t_2._a = a_1
        t_2._sig = s_3
        t_2._shared = grad._shared or alias_of(grad)
        t_2._edge = t_2._state = None
        if t_2._shared.viewers is not None: add_viewer(t_2._shared, t_2)
        v_4 = t_2._shared.value
        if grad._state is not None: mark_view(t_2, grad, 1152922604118474752, '')
        elif v_4: t_2._state = (grad, v_4, '')
        else: t_2._state = grad
        t_2._meta = m_5
        return t_2
    return plan

def _107(Tensor, add_viewer, alias_of, k_1, m_6, mark_view, new, s_4):
    def plan(node, grad):
        a_2 = grad._a.reshape(k_1)
        t_3 = new(Tensor)
        t_3._a = a_2
        t_3._sig = s_4
        t_3._shared = grad._shared or alias_of(grad)
        t_3._edge = t_3._state = None
        if t_3._shared.viewers is not None: add_viewer(t_3._shared, t_3)
        v_5 = t_3._shared.value
        if grad._state is not None: mark_view(t_3, grad, 1152922604118474752, '')
        elif v_5: t_3._state = (grad, v_5, '')
        else: t_3._state = grad
        t_3._meta = m_6
        return t_3
    return plan

def _108(Tensor, add_viewer, alias_of, k_1, m_6, mark_view, new, s_4):
    def plan(node, grad):
        a_2 = grad._a.transpose(k_1)
        t_3 = new(Tensor)
        t_3._a = a_2
        t_3._sig = s_4
        t_3._shared = grad._shared or alias_of(grad)
        t_3._edge = t_3._state = None
        if t_3._shared.viewers is not None: add_viewer(t_3._shared, t_3)
        v_5 = t_3._shared.value
        if grad._state is not None: mark_view(t_3, grad, 1152922604118474752, '')
        elif v_5: t_3._state = (grad, v_5, '')
        else: t_3._state = grad
        t_3._meta = m_6
        return t_3
    return plan

def _109(Tensor, k_1, m_6, new, r_2, s_5):
    def plan(node, grad):
        a_3 = r_2(grad._a, k_1)
        t_4 = new(Tensor)
        t_4._a = a_3
        t_4._sig = s_5
        t_4._meta = m_6
        t_4._shared = t_4._edge = t_4._state = None
        return t_4
    return plan

def _110(Tensor, k_1, k_2, k_3, k_4, k_5, m_10, new, r_6, s_9):
    def plan(node, grad):
        a_7 = r_6(grad._a, k_1, k_2, k_3, k_4, k_5)
        t_8 = new(Tensor)
        t_8._a = a_7
        t_8._sig = s_9
        t_8._meta = m_10
        t_8._shared = t_8._edge = t_8._state = None
        return t_8
    return plan

def _111():
    def plan(node, grad):
        return grad
    return plan

def _112(Tensor, called, find, formulas, grad_state, have_metas, plans, tls_state):
    def quick(node, grad):
        if type(grad) is not Tensor:
            return formulas(node, grad)
        saved = node._saved
        if type(saved) is not tuple: return formulas(node, grad)
        x0 = saved[0]
        try:
            plan = plans[(grad._meta, x0._meta,)]
        except (AttributeError, KeyError, TypeError):
            plan = None
        if plan is None:
            plan = find((grad._meta, x0._meta,)) if have_metas(grad, x0) else called
        alias = x0._shared
        if alias is not None and alias.value != saved[1]: node.self
        return plan(node, grad, x0)
    def apply(node, grad):
        if grad_state() or tls_state():
            return formulas(node, grad)
        return quick(node, grad)
    apply.quick = quick
    apply.formulas = formulas
    return apply

def _113(Tensor, called, find, formulas, grad_state, have_metas, plans, tls_state):
    def quick(node, grad):
        if type(grad) is not Tensor:
            return formulas(node, grad)
        saved = node.kept
        if type(saved) is not tuple: return formulas(node, grad)
        m0 = saved[-1]
        try:
            plan = plans[(grad._meta, m0 and (m0.sizes, m0.np_dtype.num, m0.sig, m0.byte_strides),)]
        except (AttributeError, KeyError, TypeError):
            plan = None
        if plan is None:
            plan = find((grad._meta, m0 and (m0.sizes, m0.np_dtype.num, m0.sig, m0.byte_strides),)) if have_metas(grad) else called
        return plan(node, grad)
    def apply(node, grad):
        if grad_state() or tls_state():
            return formulas(node, grad)
        return quick(node, grad)
    apply.quick = quick
    apply.formulas = formulas
    return apply

def _114():
    return lambda kernel: lambda a0, a1, a2, a3, a4, a5, a6: kernel(None if a0 is None else a0._a, a1, a2, a3, a4, a5, a6)

def _115():
    return lambda kernel: lambda a0, a1, a2, a3, a4, a5: kernel(None if a0 is None else a0._a, a1, a2, a3, a4, a5)

def _116():
    return lambda kernel: lambda a0, a1, a2, a3: kernel(None if a0 is None else a0._a, a1, a2, a3)

def _117():
    return lambda kernel: lambda a0, a1, a2: kernel(None if a0 is None else a0._a, None if a1 is None else a1._a, None if a2 is None else a2._a)

def _118():
    return lambda kernel: lambda a0, a1, a2: kernel(None if a0 is None else a0._a, None if a1 is None else a1._a, a2)

def _119():
    return lambda kernel: lambda a0, a1, a2: kernel(None if a0 is None else a0._a, a1, a2)

def _120():
    return lambda kernel: lambda a0, a1: kernel(None if a0 is None else a0._a, None if a1 is None else a1._a)

def _121():
    return lambda kernel: lambda a0, a1: kernel(None if a0 is None else a0._a, a1)

def _122():
    return lambda kernel: lambda a0, a1: kernel(a0, None if a1 is None else a1._a)

def _123():
    return lambda kernel: lambda a0: kernel(None if a0 is None else a0._a)

def _124(Tensor, default_device, grad_state, meta, tls_state):
    return lambda p0, k0, k1, k2, k3, k4, k5: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), k0, k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device())

def _125(MISSING, TENSORS, default_device, element):
    return lambda p0, k0, k1, k2, k3, k4, k5: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), default_device(),)

def _126(default_device, grad_state, meta, tls_state):
    return lambda p0, k0, k1, k2, k3, k4, k5: (meta(p0), k0, k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device())

def _127(MISSING, default_device, element):
    return lambda p0, k0, k1, k2, k3, k4, k5: (p0._sig, (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), default_device(),)

def _128(grad_state, meta, tls_state):
    return lambda p0, k0: (meta(p0), (None if k0 is None else meta(k0)), grad_state() | tls_state())

def _129(grad_state, meta, tls_state):
    return lambda p0, k0: (meta(p0), k0, grad_state() | tls_state())

def _130(MISSING, element):
    return lambda p0, k0: (p0._sig, (k0 if k0 is MISSING or k0 is None else element(k0, 'value')),)

def _131():
    return lambda p0, k0: (p0._sig, (k0 if k0 is None else k0._sig),)

def _132(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1, k2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (None if k0 is None else meta(k0)), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state())

def _133(MISSING, TENSORS, element):
    return lambda p0, p1, k0, k1, k2: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is None else k0._sig), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')), (k2 if k2 is MISSING or k2 is None else element(k2, 'number')),)

def _134(MISSING, element):
    return lambda p0, p1, k0, k1: ((p0 if p0 is MISSING or p0 is None else element(p0, 'list')), (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is None else k1._sig),)

def _135(grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: ((tuple([t if t is None else meta(t) for t in p0]) if p0.__class__ is list or p0.__class__ is tuple else p0), p1, k0, (None if k1 is None else meta(k1)), grad_state() | tls_state())

def _136(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (None if k0 is None else meta(k0)), (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state())

def _137(grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: (meta(p0), p1, k0, (None if k1 is None else meta(k1)), grad_state() | tls_state())

def _138(MISSING, element):
    return lambda p0, p1, k0, k1: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is None else k1._sig),)

def _139(MISSING, TENSORS, element):
    return lambda p0, p1, k0, k1: (p0._sig, (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is None else k0._sig), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')),)

def _140(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _141(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _142(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), p1, k0, grad_state() | tls_state())

def _143(MISSING, TENSORS, element):
    return lambda p0, p1, k0: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'number')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _144(MISSING, TENSORS, element):
    return lambda p0, p1, k0: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')),)

def _145(MISSING, TENSORS, element):
    return lambda p0, p1, k0: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _146(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _147(grad_state, meta, tls_state):
    return lambda p0, p1, k0: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state())

def _148(grad_state, meta, tls_state):
    return lambda p0, p1, k0: (meta(p0), meta(p1), (None if k0 is None else meta(k0)), grad_state() | tls_state())

def _149(grad_state, meta, tls_state):
    return lambda p0, p1, k0: (meta(p0), p1, k0, grad_state() | tls_state())

def _150(MISSING, element):
    return lambda p0, p1, k0: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')),)

def _151(MISSING, element):
    return lambda p0, p1, k0: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')),)

def _152(MISSING, TENSORS, element):
    return lambda p0, p1, k0: (p0._sig, (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _153():
    return lambda p0, p1, k0: (p0._sig, p1._sig, (k0 if k0 is None else k0._sig),)

def _154(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1, k2, k3: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), p2, k0, (tuple(k1) if k1.__class__ is list else k1), k2, (None if k3 is None else meta(k3)), grad_state() | tls_state())

def _155(MISSING, element):
    return lambda p0, p1, p2, k0, k1, k2, k3: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is None else k3._sig),)

def _156(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1, k2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), p1, p2, k0, k1, k2, grad_state() | tls_state())

def _157(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0, k1, k2: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _158(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1, k2: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (meta(p2) if isinstance(p2, Tensor) else p2 if p2.__class__ is bool else p2.__class__), (None if k0 is None else meta(k0)), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state())

def _159(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1, k2: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), p2, k0, (tuple(k1) if k1.__class__ is list else k1), k2, grad_state() | tls_state())

def _160(MISSING, element):
    return lambda p0, p1, p2, k0, k1, k2: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _161(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0, k1, k2: (p0._sig, (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2._sig if p2.__class__ in TENSORS else element(p2, 'mixed')), (k0 if k0 is None else k0._sig), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')), (k2 if k2 is MISSING or k2 is None else element(k2, 'number')),)

def _162(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), p1, p2, k0, k1, grad_state() | tls_state())

def _163(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0, k1: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _164(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), (p2 if p2.__class__ is bool else p2.__class__), (tuple(k0) if k0.__class__ is list else k0), (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state())

def _165(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), p2, (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state())

def _166(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), p1, p2, k0, k1, grad_state() | tls_state())

def _167(MISSING, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'number')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')),)

def _168(MISSING, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _169(MISSING, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _170(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), p2, k0, grad_state() | tls_state())

def _171(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0: (meta(p0), meta(p1), (meta(p2) if isinstance(p2, Tensor) else p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _172(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0: (p0._sig, (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')),)

def _173(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0: (p0._sig, p1._sig, (p2._sig if p2.__class__ in TENSORS else element(p2, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _174(grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2, k3: (meta(p0), meta(p1), meta(p2), p3, (k0 if k0.__class__ is bool else k0.__class__), (k1 if k1.__class__ is bool else k1.__class__), (None if k2 is None else meta(k2)), k3, grad_state() | tls_state())

def _175(MISSING, element):
    return lambda p0, p1, p2, p3, k0, k1, k2, k3: (p0._sig, p1._sig, p2._sig, (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')), (k2 if k2 is None else k2._sig), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')),)

def _176(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, (tuple(k0) if k0.__class__ is list else k0), k1, k2, grad_state() | tls_state())

def _177(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, k0, k1, k2: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _178(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2: (meta(p0), p1, (meta(p2) if isinstance(p2, Tensor) else p2), p3, k0, k1, k2, grad_state() | tls_state())

def _179(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2: (meta(p0), p1, meta(p2), (meta(p3) if isinstance(p3, Tensor) else p3 if p3.__class__ is bool else p3.__class__), k0, k1, (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state())

def _180(grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2: (meta(p0), p1, p2, p3, k0, k1, k2, grad_state() | tls_state())

def _181(MISSING, element):
    return lambda p0, p1, p2, p3, k0, k1, k2: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'either')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _182(MISSING, element):
    return lambda p0, p1, p2, p3, k0, k1, k2: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _183(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, k0, k1, k2: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), p2._sig, (p3._sig if p3.__class__ in TENSORS else element(p3, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'number')),)

def _184(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2, k3: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, p4, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, grad_state() | tls_state())

def _185(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2, k3: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')),)

def _186(grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2, k3: (meta(p0), p1, p2, p3, p4, k0, k1, k2, k3, grad_state() | tls_state())

def _187(MISSING, element):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2, k3: (p0._sig, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')),)

def _188(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, p4, p5, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, grad_state() | tls_state())

def _189(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (p5 if p5 is MISSING or p5 is None else element(p5, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')),)

def _190(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (meta(p2) if isinstance(p2, Tensor) else p2 if p2.__class__ is bool else p2.__class__), grad_state() | tls_state())

def _191(TENSORS, element):
    return lambda p0, p1, p2: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2._sig if p2.__class__ in TENSORS else element(p2, 'mixed')),)

def _192(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), grad_state() | tls_state())

def _193(TENSORS, element):
    return lambda p0, p1: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')),)

def _194(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), grad_state() | tls_state())

def _195(grad_state, meta, tls_state):
    return lambda p0, p1: (meta(p0), meta(p1), grad_state() | tls_state())

def _196(TENSORS, element):
    return lambda p0, p1: (p0._sig, (p1._sig if p1.__class__ in TENSORS else element(p1, 'mixed')),)

def _197():
    return lambda p0, p1: (p0._sig, p1._sig,)

def _198(default_device, grad_state, listed, meta, tls_state):
    return lambda p0, rest, k0, k1, k2, k3, k4, k5: (meta(p0), listed(rest), (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device())

def _199(MISSING, default_device, element):
    return lambda p0, rest, k0, k1, k2, k3, k4, k5: (p0._sig, element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), default_device(),)

def _200(grad_state, listed, meta, tls_state):
    return lambda p0, rest, k0, k1: (meta(p0), listed(rest), (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state())

def _201(grad_state, listed, meta, tls_state):
    return lambda p0, rest, k0, k1: (meta(p0), listed(rest), k0, (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state())

def _202(MISSING, element):
    return lambda p0, rest, k0, k1: (p0._sig, element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _203(MISSING, element):
    return lambda p0, rest, k0, k1: (p0._sig, element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')),)

def _204(grad_state, listed, meta, tls_state):
    return lambda p0, rest, k0: (meta(p0), listed(rest), (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state())

def _205(MISSING, element):
    return lambda p0, rest, k0: (p0._sig, element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')),)

def _206(Tensor, grad_state, meta, tls_state):
    return lambda p0: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), grad_state() | tls_state())

def _207(TENSORS, element):
    return lambda p0: ((p0._sig if p0.__class__ in TENSORS else element(p0, 'mixed')),)

def _208(grad_state, meta, tls_state):
    return lambda p0: (meta(p0), grad_state() | tls_state())

def _209():
    return lambda p0: (p0._sig,)

def _210(MISSING, default_device, element):
    return lambda rest, k0, k1, k2, k3, k4: (element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), default_device(),)

def _211(default_device, grad_state, listed, tls_state):
    return lambda rest, k0, k1, k2, k3, k4: (listed(rest), (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, grad_state() | tls_state(), default_device())


#: Digest of a text -> what makes its function.
MAKERS: dict[int, Callable[..., Any]] = {
    10182120700673609356: _0,
    17095540418023734043: _1,
    15955830408453229766: _2,
    17347957760726527964: _3,
    16952557254934850981: _4,
    12371608247370604152: _5,
    16786598111038517135: _6,
    17789713397232104267: _7,
    11235767739348352778: _8,
    2780375565245637975: _9,
    7509186088479246970: _10,
    14121604088038058346: _11,
    5889377607680542072: _12,
    8797856046339722468: _13,
    5715858335559388884: _14,
    8170269289074087018: _15,
    4301041731778654328: _16,
    10725163092348606467: _17,
    2221666140480935658: _18,
    17131438612810276573: _19,
    6119382699197734809: _20,
    9083048894805712797: _21,
    10330745437819195197: _22,
    15016904555694041595: _23,
    14247017391218182714: _24,
    2187279330002619233: _25,
    5924023418469837393: _26,
    9327916076359173727: _27,
    14006656065714326987: _28,
    513206853569679782: _29,
    8236981135130711377: _30,
    8629513550746104159: _31,
    13528667782186882609: _32,
    5954748529873548543: _33,
    18060168390235676237: _34,
    1868706084749736632: _35,
    1666915133903361734: _36,
    11155878032047280302: _37,
    7437144912685175183: _38,
    6434103355772852018: _39,
    10687715322775941952: _40,
    12913218993942592415: _41,
    3137479702675281837: _42,
    1223477610806559073: _43,
    2116328340290208831: _44,
    3424132597349209934: _45,
    17159788706077026015: _46,
    11933311531966302932: _47,
    8680011030032711024: _48,
    8516251862498135903: _49,
    1041419243158180651: _50,
    18376064281601566266: _51,
    544734920822371540: _52,
    14270960652696199471: _53,
    13119933270735048930: _54,
    6448631993342404053: _55,
    1394485967280392472: _56,
    6552549211274926615: _57,
    10107061676065148641: _58,
    9966391734759961521: _59,
    11613521165644060103: _60,
    2324124707842281309: _61,
    16937575645746413975: _62,
    10940621235995733732: _63,
    12182220789374828861: _64,
    5655062800027727091: _65,
    11702178676624435370: _66,
    7503739810610322530: _67,
    5857847870922822343: _68,
    13119577633089918274: _69,
    11839985474863492246: _70,
    8251577215056470092: _71,
    13642058558789833731: _72,
    633192414387181833: _73,
    2688577434385500091: _74,
    14132860571217630127: _75,
    1734217874546537576: _76,
    11999621141491194458: _77,
    1046831470751755144: _78,
    7391051332760740148: _79,
    730825936546684547: _80,
    8266527072957555744: _81,
    7478666729551874578: _82,
    18260848967512151974: _83,
    1836658823326588884: _84,
    17878107106173381959: _85,
    16592387438703854138: _86,
    13827333890170012508: _87,
    4620818922410390708: _88,
    4561658253753965197: _89,
    9636864480401351790: _90,
    1905146357937912160: _91,
    16705174562708001850: _92,
    1170689887868484333: _93,
    1633241279957487638: _94,
    8547893252808240854: _95,
    1004065314418701832: _96,
    10903345004005611258: _97,
    2619371350364921203: _98,
    4159317338087352670: _99,
    14390216492462373164: _100,
    10635638334821103397: _101,
    4672043796073875243: _102,
    11719529250522517982: _103,
    18285241171898209573: _104,
    11659763441265914492: _105,
    3884755113118895076: _106,
    15278270719991386204: _107,
    16955817956246982995: _108,
    14530098715028240819: _109,
    7907679813803982644: _110,
    14742881734537449587: _111,
    14490719764219028629: _112,
    945196929867835499: _113,
    12953732142693556773: _114,
    5170116564675731551: _115,
    15769651434616265945: _116,
    671684290053876866: _117,
    15654445291683718093: _118,
    2781557576523782937: _119,
    4781880648721768975: _120,
    7749417640332564827: _121,
    1438504849879996764: _122,
    4996125081216882591: _123,
    5064723756226330197: _124,
    10916395050278688877: _125,
    5633702762612532227: _126,
    5615665220228253427: _127,
    12749711254517194406: _128,
    2345752449362433166: _129,
    1136696314451860742: _130,
    5446567138887865330: _131,
    9863002224747771990: _132,
    2280026442823394099: _133,
    2554354096457075643: _134,
    12181169301322220414: _135,
    6137249614156287335: _136,
    15618597532404687441: _137,
    1918834494326520782: _138,
    14638944272415931750: _139,
    16117216336768818127: _140,
    4365736791593799252: _141,
    7741417384037265594: _142,
    8353109043845677907: _143,
    3736504168747713147: _144,
    17825622488619107346: _145,
    15651240159531909501: _146,
    18096947333472465304: _147,
    4149463035616109176: _148,
    10253212192108582504: _149,
    12117104000678441251: _150,
    6069561229146075393: _151,
    1605096784548999832: _152,
    2279855178826127260: _153,
    5809526168380785415: _154,
    9139304551182202817: _155,
    773008164264228408: _156,
    14922417538692251204: _157,
    9354000761582222386: _158,
    4043897783892457240: _159,
    13481351147727580396: _160,
    12629651066773858019: _161,
    13366603884995032166: _162,
    13783929593585560157: _163,
    8696162675615486690: _164,
    17228447151782835524: _165,
    6387381764609612308: _166,
    201530251828877789: _167,
    17822935041351047429: _168,
    5668347605359220963: _169,
    18199851545453999250: _170,
    16960850678923150677: _171,
    14085691433954657836: _172,
    13791356436455568966: _173,
    8614196003243576114: _174,
    1318922564254854104: _175,
    17314551793832645446: _176,
    1063769841306341995: _177,
    5176438334871776146: _178,
    15588540958147431133: _179,
    7485579834802380228: _180,
    8936396166466732339: _181,
    17820137910868672719: _182,
    386668595602616848: _183,
    13895083325420099322: _184,
    5153557934336555617: _185,
    16989636736636428664: _186,
    6556451693339781317: _187,
    2005218440072944306: _188,
    11316994371651756641: _189,
    8523679786891635048: _190,
    2337652476639724787: _191,
    4066889479220448058: _192,
    2589777942938857417: _193,
    11648718456861372648: _194,
    16590393079431894674: _195,
    17998049337894968911: _196,
    13058019496085359827: _197,
    3329545466363721855: _198,
    1455560263950700715: _199,
    16492795887763729114: _200,
    951343700546366172: _201,
    11230945223737948832: _202,
    7480378965309668000: _203,
    1350346067663464714: _204,
    6344649692572427966: _205,
    1117837359282662674: _206,
    11924642018520472227: _207,
    17455045407053517504: _208,
    12097930256774465833: _209,
    16947831672068667661: _210,
    16430446323291337431: _211,
}
