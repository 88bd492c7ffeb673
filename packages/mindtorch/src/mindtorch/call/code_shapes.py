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

def _2(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(*rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, k6=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((), rest, (k0, k1, k2, k3, k4, k5, k6, ), more)
            try:
                found = table[rest, (tuple(k0) if k0.__class__ is list else k0), (None if k1 is None else k1._meta_), k2, k3, k4, k5, k6, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[(tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), (None if k1 is None else k1._meta_), k2, k3, k4, k5, k6, grad_state() | tls_state(), default_device()]
                except (KeyError, AttributeError, TypeError, IndexError):
                    pass
                else:
                    return found(rest, k0, k1, k2, k3, k4, k5, k6)
            else:
                return found(rest, k0, k1, k2, k3, k4, k5, k6)
            return miss((), rest, (k0, k1, k2, k3, k4, k5, k6, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _3(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(*rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, k6=MISSING, k7=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((), rest, (k0, k1, k2, k3, k4, k5, k6, k7, ), more)
            try:
                found = table[rest, (tuple(k0) if k0.__class__ is list else k0), k1, (None if k2 is None else k2._meta_), k3, k4, k5, k6, k7, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[(tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), k1, (None if k2 is None else k2._meta_), k3, k4, k5, k6, k7, grad_state() | tls_state(), default_device()]
                except (KeyError, AttributeError, TypeError, IndexError):
                    pass
                else:
                    return found(rest, k0, k1, k2, k3, k4, k5, k6, k7)
            else:
                return found(rest, k0, k1, k2, k3, k4, k5, k6, k7)
            return miss((), rest, (k0, k1, k2, k3, k4, k5, k6, k7, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _4(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(*rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, k6=MISSING, k7=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((), rest, (k0, k1, k2, k3, k4, k5, k6, k7, ), more)
            try:
                found = table[rest, (tuple(k0) if k0.__class__ is list else k0), k1.__class__, (None if k2 is None else k2._meta_), k3, k4, k5, k6, k7, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[(tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), k1.__class__, (None if k2 is None else k2._meta_), k3, k4, k5, k6, k7, grad_state() | tls_state(), default_device()]
                except (KeyError, AttributeError, TypeError, IndexError):
                    pass
                else:
                    return found(rest, k0, k1, k2, k3, k4, k5, k6, k7)
            else:
                return found(rest, k0, k1, k2, k3, k4, k5, k6, k7)
            return miss((), rest, (k0, k1, k2, k3, k4, k5, k6, k7, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _5(F0, Leaf, Node, add_viewer, alias_of, bits, blank, creation, mark_view, meta, new_leaf_edge, next_key, part, sig):
    def call(a0, a1):
        e0 = a0._edge_
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(a0)
        base = a0
        a = base._a_
        shared = base._shared_
        if shared is None: shared = alias_of(base)
        if base._state_ is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a_ = a.reshape(part)
        t._sig_ = sig
        t._shared_ = shared
        t._edge_ = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state_ = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta_ = meta
        result = t
        f0 = F0
        node = Node()
        node._key_ = next_key()
        node._extra_ = None
        node._edges_ = (e0,)
        node.kept = (f0, f0,)
        result._edge_ = node
        return result
    return call

def _6(again, alias_of, below, n2, run, same, store):
    def call(a0, a1, a2):
        target = a0
        shared = target._shared_
        if shared is not None and ((other := a1._shared_) is not None and a1 is not target and (other is shared or shared.known_storage is not None and shared.known_storage is other.known_storage)): below(a0, a1, a2)
        else:
            if a2 is not n2 and not same(a2, n2): store(target._a_, again((a0, a1, a2,))(a0, a1, a2))
            else: run(a0._a_, a1._a_, a2)
            if shared is None: shared = alias_of(target)
            shared.value += 1
        return target
    return call

def _7(F0, Leaf, Node, add_viewer, alias_of, bits, blank, creation, dtype, mark_view, meta, ndarray, new_leaf_edge, next_key, offset, shape, sig, strides):
    def call(a0, a1, a2, a3, a4):
        e0 = a0._edge_
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(a0)
        base = a0
        a = base._a_
        shared = base._shared_
        if shared is None: shared = alias_of(base)
        if base._state_ is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a_ = ndarray(shape, dtype, a, offset, strides)
        t._sig_ = sig
        t._shared_ = shared
        t._edge_ = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state_ = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta_ = meta
        result = t
        f0 = F0
        node = Node()
        node._key_ = next_key()
        node._extra_ = None
        node._edges_ = (e0,)
        node.kept = (a1, a3, f0, a2, a4, f0,)
        result._edge_ = node
        return result
    return call

def _8(add_viewer, alias_of, blank, meta, part, sig):
    def call(p0):
        base = p0
        a = base._a_
        shared = base._shared_
        if shared is None: shared = alias_of(base)
        t = blank()
        t._a_ = a.reshape(part)
        t._sig_ = sig
        t._shared_ = shared
        t._edge_ = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state_ = None
        t._meta_ = meta
        return t
    return call

def _9(inner):
    def call(p0):
        return inner(p0)
    return call

def _10(blank, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0):
        x0 = run(p0._a_)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _11(blank, meta0, run, sig0):
    def call(p0):
        x0 = run(p0._a_)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _12(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (), more)
            try:
                found = table[p0._meta_, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0)
            return miss((p0, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _13(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((p0, ), rest, (k0, ), more)
            try:
                found = table[p0._meta_, rest, (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[p0._meta_, (tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state()]
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

def _14(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, ), more)
            try:
                found = table[p0._meta_, k0, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0)
            return miss((p0, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _15(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((p0, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, rest, (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[p0._meta_, (tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state()]
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

def _16(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((p0, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, rest, k0, (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[p0._meta_, (tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), k0, (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state()]
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

def _17(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if more:
                return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
            try:
                found = table[p0._meta_, rest, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError):
                pass
            except TypeError:
                try:
                    found = table[p0._meta_, (tuple(rest[0]) if rest[0].__class__ is list else rest[0], *rest[1:]), (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device()]
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

def _18(blank, c1, dtype0, finish0, inner, is_stale, meta0, ndarray, run, sig0, strides0):
    def call(p0, k0):
        if p0._shared_.touched and is_stale(p0):
            return inner(p0, c1)
        x0 = run(p0._a_, c1)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _19(blank, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0, k0):
        x0 = run(p0._a_)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _20(blank, meta0, run, sig0):
    def call(p0, k0):
        x0 = run(p0._a_)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _21(blank, c1, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0, k0):
        x0 = run(p0._a_, c1)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _22(NONE, blank, c1, c2, c3, c4, c5, c6, dtype0, finish0, meta0, miss, ndarray, run, sig0, strides0):
    def call(p0, k0, k1, k2, k3, k4, k5):
        if k4 is not False:
            return miss((p0,), (), (k0, k1, k2, k3, k4, k5,), NONE)
        x0 = run(p0._a_, c1, c2, c3, c4, c5, c6)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _23(blank, c1, c2, c3, c4, c5, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0, k0, k1, k2, k3, k4, k5):
        x0 = run(p0._a_, c1, c2, c3, c4, c5)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _24(inner):
    def call(p0, p1):
        return inner(p0, p1)
    return call

def _25(blank, dtype0, finish0, meta0, ndarray, run, sig0, strides0):
    def call(p0, p1):
        x0 = run(p0._a_, p1._a_)
        if x0.__class__ is not ndarray or not (x0.dtype is dtype0 and x0.strides == strides0):
            x0 = finish0(x0)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _26(blank, meta0, run, sig0):
    def call(p0, p1):
        x0 = run(p0._a_, p1._a_)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _27(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, p1, k0):
        if p1.__class__ is not int:
            return miss((p0, p1,), (), (k0,), NONE)
        base = p0
        a = base._a_
        shared = base._shared_
        if shared is None: shared = alias_of(base)
        if base._state_ is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a_ = a.reshape(part)
        t._sig_ = sig
        t._shared_ = shared
        t._edge_ = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state_ = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta_ = meta
        return t
    return call

def _28(NONE, inner, miss):
    def call(p0, p1, k0):
        if p1.__class__ is not int:
            return miss((p0, p1,), (), (k0,), NONE)
        return inner(p0, p1)
    return call

def _29(alias_of, below, c2, run):
    def call(p0, p1, k0):
        target = p0
        shared = target._shared_
        if shared is not None and ((other := p1._shared_) is not None and p1 is not target and (other is shared or shared.known_storage is not None and shared.known_storage is other.known_storage)): below(p0, p1, c2)
        else:
            run(p0._a_, p1._a_, out=target._a_)
            if shared is None: shared = alias_of(target)
            shared.value += 1
        return target
    return call

def _30(blank, meta0, run, sig0):
    def call(p0, p1, k0):
        x0 = run(p0._a_, p1._a_)
        r0 = blank()
        r0._a_ = x0
        r0._sig_ = sig0
        r0._meta_ = meta0
        r0._shared_ = r0._edge_ = r0._state_ = None
        return r0
    return call

def _31(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, p1, p2, k0, k1):
        if p1.__class__ is not int or p2.__class__ is not int:
            return miss((p0, p1, p2,), (), (k0, k1,), NONE)
        base = p0
        a = base._a_
        shared = base._shared_
        if shared is None: shared = alias_of(base)
        if base._state_ is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a_ = a.transpose(part)
        t._sig_ = sig
        t._shared_ = shared
        t._edge_ = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state_ = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta_ = meta
        return t
    return call

def _32(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (), more)
            try:
                found = table[p0._meta_, p1._meta_, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1)
            return miss((p0, p1, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _33(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[p0._meta_, (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _34(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[p0._meta_, p1, k0, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _35(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), k0, (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _36(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, (p1._meta_ if p1.__class__ in TENSORS else p1), k0.__class__, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _37(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, p1, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _38(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, ), more)
            try:
                found = table[p0._meta_, p1._meta_, (p2._meta_ if p2.__class__ in TENSORS else p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0)
            return miss((p0, p1, p2, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _39(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (p2._meta_ if p2.__class__ in TENSORS else p2 if p2.__class__ is bool else p2.__class__), (k0._meta_ if k0.__class__ in TENSORS else k0 if k0.__class__ is bool else k0.__class__), (k1._meta_ if k1.__class__ in TENSORS else k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _40(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, (p1._meta_ if p1.__class__ in TENSORS else p1), p2, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _41(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, (tuple(p1) if p1.__class__ is list else p1), p2, (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _42(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, p1, p2, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _43(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, p1, p2._meta_, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _44(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta_, (tuple(p1) if p1.__class__ is list else p1), p2, k0, (tuple(k1) if k1.__class__ is list else k1), k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1, k2)
            return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _45(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta_, p1, (p2._meta_ if p2.__class__ in TENSORS else p2), p3, k0, k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _46(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[p0._meta_, (tuple(p1) if p1.__class__ is list else p1), p2, p3, (tuple(k0) if k0.__class__ is list else k0), k1, k2, (k3 if k3.__class__ is bool else k3.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _47(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[p0._meta_, p1, p2, p3, p4, k0, k1, k2, k3, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _48(NONE, Tensor, add_viewer, alias_of, m_5, mark_view, miss, new, s_3):
    def call(p0, rest, k0):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int:
            return miss((p0,), rest, (k0,), NONE)
        a_1 = p0._a_
        t_2 = new(Tensor)
        t_2._a_ = a_1
        t_2._sig_ = s_3
        t_2._shared_ = p0._shared_ or alias_of(p0)
        t_2._edge_ = t_2._state_ = None
        if t_2._shared_.viewers is not None: add_viewer(t_2._shared_, t_2)
        v_4 = t_2._shared_.value
        if p0._state_ is not None: mark_view(t_2, p0, 1099511627776, '')
        elif v_4: t_2._state_ = (p0, v_4, '')
        else: t_2._state_ = p0
        t_2._meta_ = m_5
        return t_2
    return call

def _49():
    def call(p0, rest, k0):
        return (p0, rest[0],)
    return call

def _50(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, rest, k0, k1):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int or rest[0][2].__class__ is not int:
            return miss((p0,), rest, (k0, k1,), NONE)
        base = p0
        a = base._a_
        shared = base._shared_
        if shared is None: shared = alias_of(base)
        if base._state_ is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a_ = a.reshape(part)
        t._sig_ = sig
        t._shared_ = shared
        t._edge_ = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state_ = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta_ = meta
        return t
    return call

def _51(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, rest, k0, k1):
        if rest[0][0].__class__ is not int or rest[0][1].__class__ is not int:
            return miss((p0,), rest, (k0, k1,), NONE)
        base = p0
        a = base._a_
        shared = base._shared_
        if shared is None: shared = alias_of(base)
        if base._state_ is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a_ = a.reshape(part)
        t._sig_ = sig
        t._shared_ = shared
        t._edge_ = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state_ = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta_ = meta
        return t
    return call

def _52(NONE, add_viewer, alias_of, bits, blank, creation, mark_view, meta, miss, part, sig):
    def call(p0, rest, k0, k1):
        if rest[0][0].__class__ is not int:
            return miss((p0,), rest, (k0, k1,), NONE)
        base = p0
        a = base._a_
        shared = base._shared_
        if shared is None: shared = alias_of(base)
        if base._state_ is None:
            changes = shared.value
            state = (base, changes, creation) if changes or creation else base
        else:
            state = None
        t = blank()
        t._a_ = a.reshape(part)
        t._sig_ = sig
        t._shared_ = shared
        t._edge_ = None
        if shared.viewers is not None: add_viewer(shared, t)
        t._state_ = state
        if state is None: mark_view(t, base, bits, creation)
        t._meta_ = meta
        return t
    return call

def _53():
    def call(p0, rest, k0, k1):
        return (p0, rest[0],)
    return call

def _54(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (), more)
            try:
                found = table[p0._meta_, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0)
            return miss((p0, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _55(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, ), more)
            try:
                found = table[p0._meta_, (None if k0 is None else k0._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0)
            return miss((p0, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _56(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, k0, (None if k1 is None else k1._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0, k1)
            return miss((p0, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _57(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
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

def _58(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), k0, k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0, k1, k2, k3, k4, k5)
            return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _59(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
            try:
                found = table[p0._meta_, k0, k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, k0, k1, k2, k3, k4, k5)
            return miss((p0, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _60(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1)
            return miss((p0, p1, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _61(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple([t if t is None else t._meta_ for t in p1]) if p1.__class__ is list or p1.__class__ is tuple else p1), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1)
            return miss((p0, p1, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _62(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _63(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (None if k0 is None else k0._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _64(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _65(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[p0._meta_, (tuple(p1) if p1.__class__ is list else p1), (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _66(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, ), more)
            try:
                found = table[p0._meta_, p1._meta_, (None if k0 is None else k0._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0)
            return miss((p0, p1, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _67(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), (None if k1 is None else k1._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _68(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[(tuple([t if t is None else t._meta_ for t in p0]) if p0.__class__ is list or p0.__class__ is tuple else p0), p1, k0, (None if k1 is None else k1._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _69(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[p0, (tuple([t if t is None else t._meta_ for t in p1]) if p1.__class__ is list or p1.__class__ is tuple else p1), k0, (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _70(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (None if k0 is None else k0._meta_), (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1)
            return miss((p0, p1, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _71(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (None if k0 is None else k0._meta_), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1, k2)
            return miss((p0, p1, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _72(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), (tuple(k0) if k0.__class__ is list else k0), (k1 if k1.__class__ is bool else k1.__class__), k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1, k2)
            return miss((p0, p1, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _73(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, k6=MISSING, k7=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, ), rest, (k0, k1, k2, k3, k4, k5, k6, k7, ), more)
            try:
                found = table[(tuple(p0) if p0.__class__ is list else p0), (p1 if p1.__class__ is bool else p1.__class__), (tuple(k0) if k0.__class__ is list else k0), (k1 if k1.__class__ is bool else k1.__class__), (None if k2 is None else k2._meta_), k3, k4, k5, k6, k7, grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, k0, k1, k2, k3, k4, k5, k6, k7)
            return miss((p0, p1, ), rest, (k0, k1, k2, k3, k4, k5, k6, k7, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _74(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (p2._meta_ if p2.__class__ in TENSORS else p2 if p2.__class__ is bool else p2.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2)
            return miss((p0, p1, p2, ), rest, (), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _75(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0)
            return miss((p0, p1, p2, ), rest, (k0, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _76(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), (tuple(p2) if p2.__class__ is list else p2), (tuple(k0) if k0.__class__ is list else k0), (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _77(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), p1, p2, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _78(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _79(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, (tuple(p1) if p1.__class__ is list else p1), p2, (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _80(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, p1, p2, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _81(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, p1._meta_, (None if p2 is None else p2._meta_), (None if k0 is None else k0._meta_), (None if k1 is None else k1._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _82(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
            try:
                found = table[p0._meta_, p1._meta_, p2, k0, (None if k1 is None else k1._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1)
            return miss((p0, p1, p2, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _83(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta_, (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (p2._meta_ if p2.__class__ in TENSORS else p2 if p2.__class__ is bool else p2.__class__), (None if k0 is None else k0._meta_), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1, k2)
            return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _84(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta_, p1, p2, k0, k1, (None if k2 is None else k2._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1, k2)
            return miss((p0, p1, p2, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _85(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, k6=MISSING, k7=MISSING, k8=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, ), rest, (k0, k1, k2, k3, k4, k5, k6, k7, k8, ), more)
            try:
                found = table[(p0 if p0.__class__ is bool else p0.__class__), (p1 if p1.__class__ is bool else p1.__class__), (p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), (None if k1 is None else k1._meta_), k2, k3, k4, k5, k6, (k7 if k7.__class__ is bool else k7.__class__), (k8 if k8.__class__ is bool else k8.__class__), grad_state() | tls_state(), default_device()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, k0, k1, k2, k3, k4, k5, k6, k7, k8)
            return miss((p0, p1, p2, ), rest, (k0, k1, k2, k3, k4, k5, k6, k7, k8, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _86(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), p2, p3, k0, k1, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _87(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, (tuple(k0) if k0.__class__ is list else k0), k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _88(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[p0._meta_, p1._meta_, p2._meta_, p3, (k0 if k0.__class__ is bool else k0.__class__), (k1 if k1.__class__ is bool else k1.__class__), (None if k2 is None else k2._meta_), k3, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _89(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, k3, k4, ), more)
            try:
                found = table[p0._meta_, (p1 if p1.__class__ is bool else p1.__class__), (tuple(p2) if p2.__class__ is list else p2), p3, (k0 if k0.__class__ is bool else k0.__class__), (tuple(k1) if k1.__class__ is list else k1), k2, k3, (None if k4 is None else k4._meta_), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, k0, k1, k2, k3, k4)
            return miss((p0, p1, p2, p3, ), rest, (k0, k1, k2, k3, k4, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _90(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (None if p2 is None else p2._meta_), p3, p4, (None if k0 is None else k0._meta_), k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, k0, k1, k2)
            return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _91(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta_, p1._meta_, (None if p2 is None else p2._meta_), p3, p4, (None if k0 is None else k0._meta_), k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, k0, k1, k2)
            return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _92(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[p0._meta_, p1._meta_, p2, p3, p4, k0, k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, k0, k1, k2)
            return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _93(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), (None if p2 is None else p2._meta_), (None if p3 is None else p3._meta_), p4, (tuple(k0) if k0.__class__ is list else k0), (None if k1 is None else k1._meta_), (None if k2 is None else k2._meta_), k3, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _94(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[p0._meta_, p1, p2, p3, p4, k0, k1, k2, k3, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, p4, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _95(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, ), more)
            try:
                found = table[p0._meta_, p1._meta_, (None if p2 is None else p2._meta_), p3, p4, p5, (None if k0 is None else k0._meta_), k1, k2, k3, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, k0, k1, k2, k3)
            return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _96(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, p4, p5, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4)
            return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _97(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, ), more)
            try:
                found = table[p0._meta_, (tuple(p1) if p1.__class__ is list else p1), (None if p2 is None else p2._meta_), (None if p3 is None else p3._meta_), p4, p5, (tuple(k0) if k0.__class__ is list else k0), (None if k1 is None else k1._meta_), (None if k2 is None else k2._meta_), k3, k4, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4)
            return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _98(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, ), more)
            try:
                found = table[p0._meta_, (tuple(p1) if p1.__class__ is list else p1), (tuple(p2) if p2.__class__ is list else p2), (tuple(p3) if p3.__class__ is list else p3), (tuple(p4) if p4.__class__ is list else p4), p5, (tuple(k0) if k0.__class__ is list else k0), (tuple(k1) if k1.__class__ is list else k1), (tuple(k2) if k2.__class__ is list else k2), (tuple(k3) if k3.__class__ is list else k3), k4, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4)
            return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _99(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
            try:
                found = table[p0._meta_, (tuple(p1) if p1.__class__ is list else p1), (tuple(p2) if p2.__class__ is list else p2), (tuple(p3) if p3.__class__ is list else p3), (tuple(p4) if p4.__class__ is list else p4), p5, (tuple(k0) if k0.__class__ is list else k0), (tuple(k1) if k1.__class__ is list else k1), (tuple(k2) if k2.__class__ is list else k2), (tuple(k3) if k3.__class__ is list else k3), k4, (tuple([t if t is None else t._meta_ for t in k5]) if k5.__class__ is list or k5.__class__ is tuple else k5), grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4, k5)
            return miss((p0, p1, p2, p3, p4, p5, ), rest, (k0, k1, k2, k3, k4, k5, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _100(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, p6=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, p6, ), rest, (k0, k1, k2, ), more)
            try:
                found = table[(p0._meta_ if p0.__class__ in TENSORS else p0 if p0.__class__ is bool else p0.__class__), (p1._meta_ if p1.__class__ in TENSORS else p1 if p1.__class__ is bool else p1.__class__), (p2._meta_ if p2.__class__ in TENSORS else p2 if p2.__class__ is bool else p2.__class__), (None if p3 is None else p3._meta_), p4, p5, (p6._meta_ if p6.__class__ in TENSORS else p6 if p6.__class__ is bool else p6.__class__), (None if k0 is None else k0._meta_), k1, k2, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, p6, k0, k1, k2)
            return miss((p0, p1, p2, p3, p4, p5, p6, ), rest, (k0, k1, k2, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _101(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, p6=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, p6, ), rest, (k0, k1, k2, k3, k4, ), more)
            try:
                found = table[p0._meta_, p1._meta_, (None if p2 is None else p2._meta_), (tuple(p3) if p3.__class__ is list else p3), (tuple(p4) if p4.__class__ is list else p4), (tuple(p5) if p5.__class__ is list else p5), p6, (None if k0 is None else k0._meta_), (tuple(k1) if k1.__class__ is list else k1), (tuple(k2) if k2.__class__ is list else k2), (tuple(k3) if k3.__class__ is list else k3), k4, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, p6, k0, k1, k2, k3, k4)
            return miss((p0, p1, p2, p3, p4, p5, p6, ), rest, (k0, k1, k2, k3, k4, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _102(MISSING, NONE, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state):
    def call(p0=MISSING, p1=MISSING, p2=MISSING, p3=MISSING, p4=MISSING, p5=MISSING, p6=MISSING, p7=MISSING, p8=MISSING, /, *rest, k0=MISSING, k1=MISSING, k2=MISSING, k3=MISSING, k4=MISSING, k5=MISSING, k6=MISSING, **more):
        if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, tls_state
        try:
            if rest or more:
                return miss((p0, p1, p2, p3, p4, p5, p6, p7, p8, ), rest, (k0, k1, k2, k3, k4, k5, k6, ), more)
            try:
                found = table[p0._meta_, p1._meta_, (None if p2 is None else p2._meta_), (tuple(p3) if p3.__class__ is list else p3), (tuple(p4) if p4.__class__ is list else p4), (tuple(p5) if p5.__class__ is list else p5), p6, (tuple(p7) if p7.__class__ is list else p7), p8, (None if k0 is None else k0._meta_), (tuple(k1) if k1.__class__ is list else k1), (tuple(k2) if k2.__class__ is list else k2), (tuple(k3) if k3.__class__ is list else k3), k4, (tuple(k5) if k5.__class__ is list else k5), k6, grad_state() | tls_state()]
            except (KeyError, AttributeError, TypeError):
                pass
            else:
                return found(p0, p1, p2, p3, p4, p5, p6, p7, p8, k0, k1, k2, k3, k4, k5, k6)
            return miss((p0, p1, p2, p3, p4, p5, p6, p7, p8, ), rest, (k0, k1, k2, k3, k4, k5, k6, ), more)
        except Exception as error:
            shorten(error)
            raise
    return call

def _103(Leaf, Node, REQUIRES_GRAD, STALE, describe, inner, new_leaf_edge, next_key, requires_grad):
    def forward(a0):
        e0 = a0._edge_
        if type(e0) is Leaf: e0 = e0() or new_leaf_edge(a0)
        if e0 is None and not requires_grad(a0): return inner(a0)
        result = inner(a0)
        shape = result._a_.shape
        node = Node()
        node._key_ = next_key()
        node._extra_ = None
        node._edges_ = (e0,)
        node._saved_ = (a0, (0 if a0._shared_ is None else a0._shared_.value), None if e0 is None or (a0._a_.shape == shape and a0._a_.dtype is result._a_.dtype) else describe(a0),)
        result._edge_ = node
        result._sig_ |= REQUIRES_GRAD
        result._meta_ = STALE
        return result
    return forward

def _104(Tensor, add_viewer, alias_of, k_1, m_6, mark_view, new, s_4):
    def plan(node, grad):
        a_2 = grad._a_.reshape(k_1)
        t_3 = new(Tensor)
        t_3._a_ = a_2
        t_3._sig_ = s_4
        t_3._shared_ = grad._shared_ or alias_of(grad)
        t_3._edge_ = t_3._state_ = None
        if t_3._shared_.viewers is not None: add_viewer(t_3._shared_, t_3)
        v_5 = t_3._shared_.value
        if grad._state_ is not None: mark_view(t_3, grad, 1152922604118474752, '')
        elif v_5: t_3._state_ = (grad, v_5, '')
        else: t_3._state_ = grad
        t_3._meta_ = m_6
        return t_3
    return plan

def _105(Tensor, add_viewer, alias_of, k_1, m_6, mark_view, new, s_4):
    def plan(node, grad):
        a_2 = grad._a_.transpose(k_1)
        t_3 = new(Tensor)
        t_3._a_ = a_2
        t_3._sig_ = s_4
        t_3._shared_ = grad._shared_ or alias_of(grad)
        t_3._edge_ = t_3._state_ = None
        if t_3._shared_.viewers is not None: add_viewer(t_3._shared_, t_3)
        v_5 = t_3._shared_.value
        if grad._state_ is not None: mark_view(t_3, grad, 1152922604118474752, '')
        elif v_5: t_3._state_ = (grad, v_5, '')
        else: t_3._state_ = grad
        t_3._meta_ = m_6
        return t_3
    return plan

def _106(Tensor, k_1, m_6, new, r_2, s_5):
    def plan(node, grad):
        a_3 = r_2(grad._a_, k_1)
        t_4 = new(Tensor)
        t_4._a_ = a_3
        t_4._sig_ = s_5
        t_4._meta_ = m_6
        t_4._shared_ = t_4._edge_ = t_4._state_ = None
        return t_4
    return plan

def _107():
    def plan(node, grad):
        return grad
    return plan

def _108(Tensor, called, find, formulas, grad_state, have_metas, plans, tls_state):
    def quick(node, grad):
        if type(grad) is not Tensor:
            return formulas(node, grad)
        saved = node._saved_
        if type(saved) is not tuple: return formulas(node, grad)
        x0 = saved[0]
        try:
            plan = plans[(grad._meta_, x0._meta_,)]
        except (AttributeError, KeyError, TypeError):
            plan = None
        if plan is None:
            plan = find((grad._meta_, x0._meta_,)) if have_metas(grad, x0) else called
        alias = x0._shared_
        if alias is not None and alias.value != saved[1]: node.self
        return plan(node, grad, x0)
    def apply(node, grad):
        if grad_state() or tls_state():
            return formulas(node, grad)
        return quick(node, grad)
    apply.quick = quick
    apply.formulas = formulas
    return apply

def _109(Tensor, called, find, formulas, grad_state, have_metas, plans, tls_state):
    def quick(node, grad):
        if type(grad) is not Tensor:
            return formulas(node, grad)
        saved = node.kept
        if type(saved) is not tuple: return formulas(node, grad)
        m0 = saved[-1]
        try:
            plan = plans[(grad._meta_, m0 and (m0.sizes, m0.np_dtype.num, m0.sig, m0.byte_strides),)]
        except (AttributeError, KeyError, TypeError):
            plan = None
        if plan is None:
            plan = find((grad._meta_, m0 and (m0.sizes, m0.np_dtype.num, m0.sig, m0.byte_strides),)) if have_metas(grad) else called
        return plan(node, grad)
    def apply(node, grad):
        if grad_state() or tls_state():
            return formulas(node, grad)
        return quick(node, grad)
    apply.quick = quick
    apply.formulas = formulas
    return apply

def _110():
    return lambda kernel: lambda a0, a1, a2, a3, a4, a5: kernel(None if a0 is None else a0._a_, a1, a2, a3, a4, a5)

def _111():
    return lambda kernel: lambda a0, a1, a2, a3: kernel(None if a0 is None else a0._a_, a1, a2, a3)

def _112():
    return lambda kernel: lambda a0, a1, a2: kernel(None if a0 is None else a0._a_, None if a1 is None else a1._a_, a2)

def _113():
    return lambda kernel: lambda a0, a1, a2: kernel(None if a0 is None else a0._a_, a1, a2)

def _114():
    return lambda kernel: lambda a0, a1: kernel(None if a0 is None else a0._a_, None if a1 is None else a1._a_)

def _115():
    return lambda kernel: lambda a0, a1: kernel(None if a0 is None else a0._a_, a1)

def _116():
    return lambda kernel: lambda a0: kernel(None if a0 is None else a0._a_)

def _117(Tensor, default_device, grad_state, meta, tls_state):
    return lambda p0, k0, k1, k2, k3, k4, k5: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), k0, k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device())

def _118(MISSING, TENSORS, default_device, element):
    return lambda p0, k0, k1, k2, k3, k4, k5: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), default_device(),)

def _119(default_device, grad_state, meta, tls_state):
    return lambda p0, k0, k1, k2, k3, k4, k5: (meta(p0), k0, k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device())

def _120(MISSING, default_device, element):
    return lambda p0, k0, k1, k2, k3, k4, k5: (p0._sig_, (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), default_device(),)

def _121(MISSING, grad_state, meta, tls_state):
    return lambda p0, k0, k1: (meta(p0), k0, (k1 if k1 is MISSING or k1 is None else meta(k1)), grad_state() | tls_state())

def _122(MISSING, element):
    return lambda p0, k0, k1: (p0._sig_, (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is None else k1._sig_),)

def _123(MISSING, grad_state, meta, tls_state):
    return lambda p0, k0: (meta(p0), (k0 if k0 is MISSING or k0 is None else meta(k0)), grad_state() | tls_state())

def _124(grad_state, meta, tls_state):
    return lambda p0, k0: (meta(p0), k0, grad_state() | tls_state())

def _125(MISSING, element):
    return lambda p0, k0: (p0._sig_, (k0 if k0 is MISSING or k0 is None else element(k0, 'value')),)

def _126():
    return lambda p0, k0: (p0._sig_, (k0 if k0 is None else k0._sig_),)

def _127(MISSING, default_device, element):
    return lambda p0, p1, k0, k1, k2, k3, k4, k5, k6, k7: ((p0 if p0 is MISSING or p0 is None else element(p0, 'sizes')), (p1 if p1 is MISSING or p1 is None else element(p1, 'number')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')), (k2 if k2 is None else k2._sig_), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), (k6 if k6 is MISSING or k6 is None else element(k6, 'value')), (k7 if k7 is MISSING or k7 is None else element(k7, 'value')), default_device(),)

def _128(MISSING, default_device, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1, k2, k3, k4, k5, k6, k7: ((tuple(p0) if p0.__class__ is list else p0), (p1 if p1.__class__ is bool else p1.__class__), (tuple(k0) if k0.__class__ is list else k0), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2 is MISSING or k2 is None else meta(k2)), k3, k4, k5, k6, k7, grad_state() | tls_state(), default_device())

def _129(MISSING, Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1, k2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0 is MISSING or k0 is None else meta(k0)), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state())

def _130(MISSING, TENSORS, element):
    return lambda p0, p1, k0, k1, k2: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')), (k2 if k2 is MISSING or k2 is None else element(k2, 'number')),)

def _131(MISSING, Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), (k1 if k1 is MISSING or k1 is None else meta(k1)), grad_state() | tls_state())

def _132(MISSING, element):
    return lambda p0, p1, k0, k1: ((p0 if p0 is MISSING or p0 is None else element(p0, 'list')), (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is None else k1._sig_),)

def _133(MISSING, element):
    return lambda p0, p1, k0, k1: ((p0 if p0 is MISSING or p0 is None else element(p0, 'value')), (p1 if p1 is MISSING or p1 is None else element(p1, 'list')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')),)

def _134(MISSING, TENSORS, element):
    return lambda p0, p1, k0, k1: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')), (k1 if k1 is None else k1._sig_),)

def _135(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: ((tuple([t if t is None else meta(t) for t in p0]) if p0.__class__ is list or p0.__class__ is tuple else p0), p1, k0, (k1 if k1 is MISSING or k1 is None else meta(k1)), grad_state() | tls_state())

def _136(MISSING, Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0 is MISSING or k0 is None else meta(k0)), (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state())

def _137(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), k0, (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state())

def _138(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1), k0.__class__, k1, grad_state() | tls_state())

def _139(grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: (meta(p0), p1, k0, k1, grad_state() | tls_state())

def _140(grad_state, meta, tls_state):
    return lambda p0, p1, k0, k1: (p0, (tuple([t if t is None else meta(t) for t in p1]) if p1.__class__ is list or p1.__class__ is tuple else p1), k0, (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state())

def _141(MISSING, element):
    return lambda p0, p1, k0, k1: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'either')), (k0 if k0 is MISSING or k0 is None else element(k0, 'object')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _142(MISSING, element):
    return lambda p0, p1, k0, k1: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _143(MISSING, TENSORS, element):
    return lambda p0, p1, k0, k1: (p0._sig_, (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')),)

def _144(MISSING, TENSORS, element):
    return lambda p0, p1, k0, k1: (p0._sig_, (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')),)

def _145(MISSING, Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0 is MISSING or k0 is None else meta(k0)), grad_state() | tls_state())

def _146(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _147(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _148(MISSING, TENSORS, element):
    return lambda p0, p1, k0: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'number')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _149(MISSING, TENSORS, element):
    return lambda p0, p1, k0: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _150(TENSORS, element):
    return lambda p0, p1, k0: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is None else k0._sig_),)

def _151(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, k0: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _152(grad_state, meta, tls_state):
    return lambda p0, p1, k0: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state())

def _153(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, k0: (meta(p0), meta(p1), (k0 if k0 is MISSING or k0 is None else meta(k0)), grad_state() | tls_state())

def _154(grad_state, meta, tls_state):
    return lambda p0, p1, k0: (meta(p0), p1, k0, grad_state() | tls_state())

def _155(MISSING, element):
    return lambda p0, p1, k0: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')),)

def _156(MISSING, element):
    return lambda p0, p1, k0: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')),)

def _157(MISSING, TENSORS, element):
    return lambda p0, p1, k0: (p0._sig_, (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _158():
    return lambda p0, p1, k0: (p0._sig_, p1._sig_, (k0 if k0 is None else k0._sig_),)

def _159(MISSING, default_device, element):
    return lambda p0, p1, p2, k0, k1, k2, k3, k4, k5, k6, k7, k8: ((p0 if p0 is MISSING or p0 is None else element(p0, 'number')), (p1 if p1 is MISSING or p1 is None else element(p1, 'number')), (p2 if p2 is MISSING or p2 is None else element(p2, 'number')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')), (k1 if k1 is None else k1._sig_), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), (k6 if k6 is MISSING or k6 is None else element(k6, 'value')), (k7 if k7 is MISSING or k7 is None else element(k7, 'number')), (k8 if k8 is MISSING or k8 is None else element(k8, 'number')), default_device(),)

def _160(MISSING, default_device, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1, k2, k3, k4, k5, k6, k7, k8: ((p0 if p0.__class__ is bool else p0.__class__), (p1 if p1.__class__ is bool else p1.__class__), (p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), (k1 if k1 is MISSING or k1 is None else meta(k1)), k2, k3, k4, k5, k6, (k7 if k7.__class__ is bool else k7.__class__), (k8 if k8.__class__ is bool else k8.__class__), grad_state() | tls_state(), default_device())

def _161(MISSING, Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1, k2: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (meta(p2) if isinstance(p2, Tensor) else p2 if p2.__class__ is bool else p2.__class__), (k0 if k0 is MISSING or k0 is None else meta(k0)), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2.__class__ is bool else k2.__class__), grad_state() | tls_state())

def _162(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1, k2: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), p2, k0, (tuple(k1) if k1.__class__ is list else k1), k2, grad_state() | tls_state())

def _163(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1, k2: (meta(p0), p1, p2, k0, k1, (k2 if k2 is MISSING or k2 is None else meta(k2)), grad_state() | tls_state())

def _164(MISSING, element):
    return lambda p0, p1, p2, k0, k1, k2: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _165(MISSING, element):
    return lambda p0, p1, p2, k0, k1, k2: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is None else k2._sig_),)

def _166(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0, k1, k2: (p0._sig_, (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2._sig_ if p2.__class__ in TENSORS else element(p2, 'mixed')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')), (k2 if k2 is MISSING or k2 is None else element(k2, 'number')),)

def _167(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), (tuple(p2) if p2.__class__ is list else p2), (tuple(k0) if k0.__class__ is list else k0), (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state())

def _168(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), p1, p2, k0, k1, grad_state() | tls_state())

def _169(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0, k1: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'sizes')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')),)

def _170(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0, k1: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _171(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (meta(p2) if isinstance(p2, Tensor) else p2 if p2.__class__ is bool else p2.__class__), (meta(k0) if isinstance(k0, Tensor) else k0 if k0.__class__ is bool else k0.__class__), (meta(k1) if isinstance(k1, Tensor) else k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state())

def _172(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), (k1 if k1.__class__ is bool else k1.__class__), grad_state() | tls_state())

def _173(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1), p2, k0, k1, grad_state() | tls_state())

def _174(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), p2, (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state())

def _175(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), meta(p1), (p2 if p2 is MISSING or p2 is None else meta(p2)), (k0 if k0 is MISSING or k0 is None else meta(k0)), (k1 if k1 is MISSING or k1 is None else meta(k1)), grad_state() | tls_state())

def _176(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), meta(p1), p2, k0, (k1 if k1 is MISSING or k1 is None else meta(k1)), grad_state() | tls_state())

def _177(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), p1, meta(p2), k0, k1, grad_state() | tls_state())

def _178(grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0, k1: (meta(p0), p1, p2, k0, k1, grad_state() | tls_state())

def _179(MISSING, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'either')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _180(MISSING, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _181(MISSING, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _182(MISSING, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), p2._sig_, (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _183(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig_, (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2 if p2 is MISSING or p2 is None else element(p2, 'number')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')),)

def _184(TENSORS, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig_, (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2._sig_ if p2.__class__ in TENSORS else element(p2, 'mixed')), (k0._sig_ if k0.__class__ in TENSORS else element(k0, 'mixed')), (k1._sig_ if k1.__class__ in TENSORS else element(k1, 'mixed')),)

def _185(MISSING, element):
    return lambda p0, p1, p2, k0, k1: (p0._sig_, p1._sig_, (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is None else k1._sig_),)

def _186():
    return lambda p0, p1, p2, k0, k1: (p0._sig_, p1._sig_, (p2 if p2 is None else p2._sig_), (k0 if k0 is None else k0._sig_), (k1 if k1 is None else k1._sig_),)

def _187(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _188(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2 if p2 is MISSING or p2 is None else element(p2, 'number')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _189(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, k0: (meta(p0), meta(p1), (meta(p2) if isinstance(p2, Tensor) else p2 if p2.__class__ is bool else p2.__class__), (k0 if k0.__class__ is bool else k0.__class__), grad_state() | tls_state())

def _190(MISSING, TENSORS, element):
    return lambda p0, p1, p2, k0: (p0._sig_, p1._sig_, (p2._sig_ if p2.__class__ in TENSORS else element(p2, 'mixed')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')),)

def _191(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2, k3, k4: (meta(p0), (p1 if p1.__class__ is bool else p1.__class__), (tuple(p2) if p2.__class__ is list else p2), p3, (k0 if k0.__class__ is bool else k0.__class__), (tuple(k1) if k1.__class__ is list else k1), k2, k3, (k4 if k4 is MISSING or k4 is None else meta(k4)), grad_state() | tls_state())

def _192(MISSING, element):
    return lambda p0, p1, p2, p3, k0, k1, k2, k3, k4: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'number')), (p2 if p2 is MISSING or p2 is None else element(p2, 'sizes')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is None else k4._sig_),)

def _193(grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2, k3: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), p2, p3, (tuple(k0) if k0.__class__ is list else k0), k1, k2, (k3 if k3.__class__ is bool else k3.__class__), grad_state() | tls_state())

def _194(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2, k3: (meta(p0), meta(p1), meta(p2), p3, (k0 if k0.__class__ is bool else k0.__class__), (k1 if k1.__class__ is bool else k1.__class__), (k2 if k2 is MISSING or k2 is None else meta(k2)), k3, grad_state() | tls_state())

def _195(MISSING, element):
    return lambda p0, p1, p2, p3, k0, k1, k2, k3: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'number')),)

def _196(MISSING, element):
    return lambda p0, p1, p2, p3, k0, k1, k2, k3: (p0._sig_, p1._sig_, p2._sig_, (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'number')), (k1 if k1 is MISSING or k1 is None else element(k1, 'number')), (k2 if k2 is None else k2._sig_), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')),)

def _197(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, (tuple(k0) if k0.__class__ is list else k0), k1, k2, grad_state() | tls_state())

def _198(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, k0, k1, k2: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _199(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1, k2: (meta(p0), p1, (meta(p2) if isinstance(p2, Tensor) else p2), p3, k0, k1, k2, grad_state() | tls_state())

def _200(MISSING, element):
    return lambda p0, p1, p2, p3, k0, k1, k2: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'either')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _201(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, k0, k1: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), p2, p3, k0, k1, grad_state() | tls_state())

def _202(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, k0, k1: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _203(MISSING, Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2, k3: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), (p2 if p2 is MISSING or p2 is None else meta(p2)), (p3 if p3 is MISSING or p3 is None else meta(p3)), p4, (tuple(k0) if k0.__class__ is list else k0), (k1 if k1 is MISSING or k1 is None else meta(k1)), (k2 if k2 is MISSING or k2 is None else meta(k2)), k3, grad_state() | tls_state())

def _204(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2, k3: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is None else p2._sig_), (p3 if p3 is None else p3._sig_), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is None else k1._sig_), (k2 if k2 is None else k2._sig_), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')),)

def _205(grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2, k3: (meta(p0), p1, p2, p3, p4, k0, k1, k2, k3, grad_state() | tls_state())

def _206(MISSING, element):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2, k3: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'value')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')),)

def _207(MISSING, Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (p2 if p2 is MISSING or p2 is None else meta(p2)), p3, p4, (k0 if k0 is MISSING or k0 is None else meta(k0)), k1, k2, grad_state() | tls_state())

def _208(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2 if p2 is None else p2._sig_), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _209(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2: (meta(p0), meta(p1), (p2 if p2 is MISSING or p2 is None else meta(p2)), p3, p4, (k0 if k0 is MISSING or k0 is None else meta(k0)), k1, k2, grad_state() | tls_state())

def _210(grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2: (meta(p0), meta(p1), p2, p3, p4, k0, k1, k2, grad_state() | tls_state())

def _211(MISSING, element):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2: (p0._sig_, p1._sig_, (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _212(MISSING, element):
    return lambda p0, p1, p2, p3, p4, k0, k1, k2: (p0._sig_, p1._sig_, (p2 if p2 is None else p2._sig_), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _213(grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4, k5: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), (tuple(p2) if p2.__class__ is list else p2), (tuple(p3) if p3.__class__ is list else p3), (tuple(p4) if p4.__class__ is list else p4), p5, (tuple(k0) if k0.__class__ is list else k0), (tuple(k1) if k1.__class__ is list else k1), (tuple(k2) if k2.__class__ is list else k2), (tuple(k3) if k3.__class__ is list else k3), k4, (tuple([t if t is None else meta(t) for t in k5]) if k5.__class__ is list or k5.__class__ is tuple else k5), grad_state() | tls_state())

def _214(MISSING, element):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4, k5: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'sizes')), (p3 if p3 is MISSING or p3 is None else element(p3, 'sizes')), (p4 if p4 is MISSING or p4 is None else element(p4, 'sizes')), (p5 if p5 is MISSING or p5 is None else element(p5, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')), (k2 if k2 is MISSING or k2 is None else element(k2, 'sizes')), (k3 if k3 is MISSING or k3 is None else element(k3, 'sizes')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'list')),)

def _215(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (tuple(p1) if p1.__class__ is list else p1), p2, p3, p4, p5, (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, grad_state() | tls_state())

def _216(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'value')), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (p5 if p5 is MISSING or p5 is None else element(p5, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')),)

def _217(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), (p2 if p2 is MISSING or p2 is None else meta(p2)), (p3 if p3 is MISSING or p3 is None else meta(p3)), p4, p5, (tuple(k0) if k0.__class__ is list else k0), (k1 if k1 is MISSING or k1 is None else meta(k1)), (k2 if k2 is MISSING or k2 is None else meta(k2)), k3, k4, grad_state() | tls_state())

def _218(grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4: (meta(p0), (tuple(p1) if p1.__class__ is list else p1), (tuple(p2) if p2.__class__ is list else p2), (tuple(p3) if p3.__class__ is list else p3), (tuple(p4) if p4.__class__ is list else p4), p5, (tuple(k0) if k0.__class__ is list else k0), (tuple(k1) if k1.__class__ is list else k1), (tuple(k2) if k2.__class__ is list else k2), (tuple(k3) if k3.__class__ is list else k3), k4, grad_state() | tls_state())

def _219(MISSING, element):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is MISSING or p2 is None else element(p2, 'sizes')), (p3 if p3 is MISSING or p3 is None else element(p3, 'sizes')), (p4 if p4 is MISSING or p4 is None else element(p4, 'sizes')), (p5 if p5 is MISSING or p5 is None else element(p5, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')), (k2 if k2 is MISSING or k2 is None else element(k2, 'sizes')), (k3 if k3 is MISSING or k3 is None else element(k3, 'sizes')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')),)

def _220(MISSING, element):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3, k4: (p0._sig_, (p1 if p1 is MISSING or p1 is None else element(p1, 'sizes')), (p2 if p2 is None else p2._sig_), (p3 if p3 is None else p3._sig_), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (p5 if p5 is MISSING or p5 is None else element(p5, 'value')), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is None else k1._sig_), (k2 if k2 is None else k2._sig_), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')),)

def _221(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3: (meta(p0), meta(p1), (p2 if p2 is MISSING or p2 is None else meta(p2)), p3, p4, p5, (k0 if k0 is MISSING or k0 is None else meta(k0)), k1, k2, k3, grad_state() | tls_state())

def _222(MISSING, element):
    return lambda p0, p1, p2, p3, p4, p5, k0, k1, k2, k3: (p0._sig_, p1._sig_, (p2 if p2 is None else p2._sig_), (p3 if p3 is MISSING or p3 is None else element(p3, 'value')), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (p5 if p5 is MISSING or p5 is None else element(p5, 'value')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')),)

def _223(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, p6, k0, k1, k2, k3, k4: (meta(p0), meta(p1), (p2 if p2 is MISSING or p2 is None else meta(p2)), (tuple(p3) if p3.__class__ is list else p3), (tuple(p4) if p4.__class__ is list else p4), (tuple(p5) if p5.__class__ is list else p5), p6, (k0 if k0 is MISSING or k0 is None else meta(k0)), (tuple(k1) if k1.__class__ is list else k1), (tuple(k2) if k2.__class__ is list else k2), (tuple(k3) if k3.__class__ is list else k3), k4, grad_state() | tls_state())

def _224(MISSING, element):
    return lambda p0, p1, p2, p3, p4, p5, p6, k0, k1, k2, k3, k4: (p0._sig_, p1._sig_, (p2 if p2 is None else p2._sig_), (p3 if p3 is MISSING or p3 is None else element(p3, 'sizes')), (p4 if p4 is MISSING or p4 is None else element(p4, 'sizes')), (p5 if p5 is MISSING or p5 is None else element(p5, 'sizes')), (p6 if p6 is MISSING or p6 is None else element(p6, 'value')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')), (k2 if k2 is MISSING or k2 is None else element(k2, 'sizes')), (k3 if k3 is MISSING or k3 is None else element(k3, 'sizes')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')),)

def _225(MISSING, Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, p6, k0, k1, k2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (meta(p2) if isinstance(p2, Tensor) else p2 if p2.__class__ is bool else p2.__class__), (p3 if p3 is MISSING or p3 is None else meta(p3)), p4, p5, (meta(p6) if isinstance(p6, Tensor) else p6 if p6.__class__ is bool else p6.__class__), (k0 if k0 is MISSING or k0 is None else meta(k0)), k1, k2, grad_state() | tls_state())

def _226(MISSING, TENSORS, element):
    return lambda p0, p1, p2, p3, p4, p5, p6, k0, k1, k2: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2._sig_ if p2.__class__ in TENSORS else element(p2, 'mixed')), (p3 if p3 is None else p3._sig_), (p4 if p4 is MISSING or p4 is None else element(p4, 'value')), (p5 if p5 is MISSING or p5 is None else element(p5, 'value')), (p6._sig_ if p6.__class__ in TENSORS else element(p6, 'mixed')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')),)

def _227(MISSING, grad_state, meta, tls_state):
    return lambda p0, p1, p2, p3, p4, p5, p6, p7, p8, k0, k1, k2, k3, k4, k5, k6: (meta(p0), meta(p1), (p2 if p2 is MISSING or p2 is None else meta(p2)), (tuple(p3) if p3.__class__ is list else p3), (tuple(p4) if p4.__class__ is list else p4), (tuple(p5) if p5.__class__ is list else p5), p6, (tuple(p7) if p7.__class__ is list else p7), p8, (k0 if k0 is MISSING or k0 is None else meta(k0)), (tuple(k1) if k1.__class__ is list else k1), (tuple(k2) if k2.__class__ is list else k2), (tuple(k3) if k3.__class__ is list else k3), k4, (tuple(k5) if k5.__class__ is list else k5), k6, grad_state() | tls_state())

def _228(MISSING, element):
    return lambda p0, p1, p2, p3, p4, p5, p6, p7, p8, k0, k1, k2, k3, k4, k5, k6: (p0._sig_, p1._sig_, (p2 if p2 is None else p2._sig_), (p3 if p3 is MISSING or p3 is None else element(p3, 'sizes')), (p4 if p4 is MISSING or p4 is None else element(p4, 'sizes')), (p5 if p5 is MISSING or p5 is None else element(p5, 'sizes')), (p6 if p6 is MISSING or p6 is None else element(p6, 'value')), (p7 if p7 is MISSING or p7 is None else element(p7, 'sizes')), (p8 if p8 is MISSING or p8 is None else element(p8, 'value')), (k0 if k0 is None else k0._sig_), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')), (k2 if k2 is MISSING or k2 is None else element(k2, 'sizes')), (k3 if k3 is MISSING or k3 is None else element(k3, 'sizes')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'sizes')), (k6 if k6 is MISSING or k6 is None else element(k6, 'value')),)

def _229(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1, p2: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), (meta(p2) if isinstance(p2, Tensor) else p2 if p2.__class__ is bool else p2.__class__), grad_state() | tls_state())

def _230(TENSORS, element):
    return lambda p0, p1, p2: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')), (p2._sig_ if p2.__class__ in TENSORS else element(p2, 'mixed')),)

def _231(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), grad_state() | tls_state())

def _232(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1: ((meta(p0) if isinstance(p0, Tensor) else p0 if p0.__class__ is bool else p0.__class__), (tuple([t if t is None else meta(t) for t in p1]) if p1.__class__ is list or p1.__class__ is tuple else p1), grad_state() | tls_state())

def _233(MISSING, TENSORS, element):
    return lambda p0, p1: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1 if p1 is MISSING or p1 is None else element(p1, 'list')),)

def _234(TENSORS, element):
    return lambda p0, p1: ((p0._sig_ if p0.__class__ in TENSORS else element(p0, 'mixed')), (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')),)

def _235(Tensor, grad_state, meta, tls_state):
    return lambda p0, p1: (meta(p0), (meta(p1) if isinstance(p1, Tensor) else p1 if p1.__class__ is bool else p1.__class__), grad_state() | tls_state())

def _236(grad_state, meta, tls_state):
    return lambda p0, p1: (meta(p0), meta(p1), grad_state() | tls_state())

def _237(TENSORS, element):
    return lambda p0, p1: (p0._sig_, (p1._sig_ if p1.__class__ in TENSORS else element(p1, 'mixed')),)

def _238():
    return lambda p0, p1: (p0._sig_, p1._sig_,)

def _239(default_device, grad_state, listed, meta, tls_state):
    return lambda p0, rest, k0, k1, k2, k3, k4, k5: (meta(p0), listed(rest), (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, k5, grad_state() | tls_state(), default_device())

def _240(MISSING, default_device, element):
    return lambda p0, rest, k0, k1, k2, k3, k4, k5: (p0._sig_, element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), default_device(),)

def _241(grad_state, listed, meta, tls_state):
    return lambda p0, rest, k0, k1: (meta(p0), listed(rest), (tuple(k0) if k0.__class__ is list else k0), k1, grad_state() | tls_state())

def _242(grad_state, listed, meta, tls_state):
    return lambda p0, rest, k0, k1: (meta(p0), listed(rest), k0, (tuple(k1) if k1.__class__ is list else k1), grad_state() | tls_state())

def _243(MISSING, element):
    return lambda p0, rest, k0, k1: (p0._sig_, element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')),)

def _244(MISSING, element):
    return lambda p0, rest, k0, k1: (p0._sig_, element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'value')), (k1 if k1 is MISSING or k1 is None else element(k1, 'sizes')),)

def _245(grad_state, listed, meta, tls_state):
    return lambda p0, rest, k0: (meta(p0), listed(rest), (tuple(k0) if k0.__class__ is list else k0), grad_state() | tls_state())

def _246(MISSING, element):
    return lambda p0, rest, k0: (p0._sig_, element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')),)

def _247(grad_state, meta, tls_state):
    return lambda p0: (meta(p0), grad_state() | tls_state())

def _248():
    return lambda p0: (p0._sig_,)

def _249(MISSING, default_device, element):
    return lambda rest, k0, k1, k2, k3, k4, k5, k6, k7: (element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'object')), (k2 if k2 is None else k2._sig_), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), (k6 if k6 is MISSING or k6 is None else element(k6, 'value')), (k7 if k7 is MISSING or k7 is None else element(k7, 'value')), default_device(),)

def _250(MISSING, default_device, element):
    return lambda rest, k0, k1, k2, k3, k4, k5, k6, k7: (element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is None else k2._sig_), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), (k6 if k6 is MISSING or k6 is None else element(k6, 'value')), (k7 if k7 is MISSING or k7 is None else element(k7, 'value')), default_device(),)

def _251(MISSING, default_device, grad_state, listed, meta, tls_state):
    return lambda rest, k0, k1, k2, k3, k4, k5, k6, k7: (listed(rest), (tuple(k0) if k0.__class__ is list else k0), k1, (k2 if k2 is MISSING or k2 is None else meta(k2)), k3, k4, k5, k6, k7, grad_state() | tls_state(), default_device())

def _252(MISSING, default_device, grad_state, listed, meta, tls_state):
    return lambda rest, k0, k1, k2, k3, k4, k5, k6, k7: (listed(rest), (tuple(k0) if k0.__class__ is list else k0), k1.__class__, (k2 if k2 is MISSING or k2 is None else meta(k2)), k3, k4, k5, k6, k7, grad_state() | tls_state(), default_device())

def _253(MISSING, default_device, element):
    return lambda rest, k0, k1, k2, k3, k4, k5, k6: (element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is None else k1._sig_), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), (k5 if k5 is MISSING or k5 is None else element(k5, 'value')), (k6 if k6 is MISSING or k6 is None else element(k6, 'value')), default_device(),)

def _254(MISSING, default_device, grad_state, listed, meta, tls_state):
    return lambda rest, k0, k1, k2, k3, k4, k5, k6: (listed(rest), (tuple(k0) if k0.__class__ is list else k0), (k1 if k1 is MISSING or k1 is None else meta(k1)), k2, k3, k4, k5, k6, grad_state() | tls_state(), default_device())

def _255(MISSING, default_device, element):
    return lambda rest, k0, k1, k2, k3, k4: (element(rest, 'rest'), (k0 if k0 is MISSING or k0 is None else element(k0, 'sizes')), (k1 if k1 is MISSING or k1 is None else element(k1, 'value')), (k2 if k2 is MISSING or k2 is None else element(k2, 'value')), (k3 if k3 is MISSING or k3 is None else element(k3, 'value')), (k4 if k4 is MISSING or k4 is None else element(k4, 'value')), default_device(),)

def _256(default_device, grad_state, listed, tls_state):
    return lambda rest, k0, k1, k2, k3, k4: (listed(rest), (tuple(k0) if k0.__class__ is list else k0), k1, k2, k3, k4, grad_state() | tls_state(), default_device())


#: Digest of a text -> what makes its function.
MAKERS: dict[int, Callable[..., Any]] = {
    10182120700673609356: _0,
    17095540418023734043: _1,
    2724175874119393824: _2,
    6098068817779911419: _3,
    15409059736877429371: _4,
    11282034516795716878: _5,
    1554672287113978897: _6,
    10706324740182967371: _7,
    7563902617612609615: _8,
    5715858335559388884: _9,
    15451629809081145091: _10,
    12240891944479699729: _11,
    4165744957555513442: _12,
    5927928580919007144: _13,
    10605251091103129404: _14,
    16120798969417375831: _15,
    10033164189656752219: _16,
    12167064061485862907: _17,
    6565180364808744713: _18,
    4612354272523343850: _19,
    2713005861643498488: _20,
    7421488305787918538: _21,
    2814545771027920792: _22,
    16497915181378396390: _23,
    11155878032047280302: _24,
    17579311444961417770: _25,
    1366053259497780792: _26,
    1929647167645402296: _27,
    17159788706077026015: _28,
    11284332240955215023: _29,
    11382110936089638687: _30,
    17596225541043835574: _31,
    9490044820122345965: _32,
    2547957999346373024: _33,
    13158401357169337908: _34,
    12204189843566811265: _35,
    4353976729613549302: _36,
    18332081967149329683: _37,
    1742542416236436276: _38,
    892775830675990155: _39,
    17439319154989711923: _40,
    474554700741988160: _41,
    10193920216341656592: _42,
    16886298806374872739: _43,
    1423115651160135206: _44,
    17939745821244051483: _45,
    465445007420420828: _46,
    6325957522673029094: _47,
    8195542094109126108: _48,
    5857847870922822343: _49,
    9574926516072735651: _50,
    541657438773040986: _51,
    1025136521921612562: _52,
    14132860571217630127: _53,
    2953492688397572793: _54,
    12548083902608878662: _55,
    6078571026542277414: _56,
    730825936546684547: _57,
    1318051135345517695: _58,
    409098599472286321: _59,
    11012270324230379620: _60,
    17393808954644881282: _61,
    968007576107409459: _62,
    10443743188585933297: _63,
    3041252503684967941: _64,
    17416381980073182139: _65,
    11400764038991558097: _66,
    1464171243886739352: _67,
    14411623047669996363: _68,
    8242012054938312238: _69,
    17646125369728165259: _70,
    410634656798676311: _71,
    13261490221624719957: _72,
    16420294573364224089: _73,
    3241537404963650570: _74,
    1237286733574570982: _75,
    17511916178223531752: _76,
    1527701361863807093: _77,
    10006098824132427633: _78,
    8005697269249724823: _79,
    5832944576964638311: _80,
    1082505618252552475: _81,
    1302296349122806702: _82,
    758305817358638831: _83,
    2274779900567472128: _84,
    1019963292701445753: _85,
    10082697666713220124: _86,
    15856649431732124043: _87,
    14329606065809782945: _88,
    10474822187830744504: _89,
    16088556072244549507: _90,
    15862490686489617236: _91,
    17746612810840133095: _92,
    15586667825040405096: _93,
    12622676858845975101: _94,
    7900474218786255177: _95,
    374655798355826052: _96,
    16873468010817857108: _97,
    17022606928801189150: _98,
    3671506274491529169: _99,
    8986108750283497219: _100,
    5869431174446665989: _101,
    4772004530757797991: _102,
    18129111105329346478: _103,
    4228161788739884430: _104,
    18400292677723985541: _105,
    4445303013907512396: _106,
    14742881734537449587: _107,
    15537132749480388303: _108,
    18273011772652906793: _109,
    15057407245205381310: _110,
    13788548124333907256: _111,
    862137446578791563: _112,
    10657893510377053048: _113,
    10530115036070159053: _114,
    1914626310562978234: _115,
    9194473377447679998: _116,
    5064723756226330197: _117,
    14940248521672005836: _118,
    5633702762612532227: _119,
    4049588437364606802: _120,
    6965792328467686518: _121,
    15758175634389411985: _122,
    18247703085052469923: _123,
    2345752449362433166: _124,
    6110295609462168933: _125,
    1663260062109406384: _126,
    8324787069889792890: _127,
    16968984367166746240: _128,
    11438922025772088403: _129,
    8728211341389489232: _130,
    4700032719663885239: _131,
    5741680324884843546: _132,
    11095852484434023649: _133,
    13630387590479433724: _134,
    3904610713972000637: _135,
    10485544488008372580: _136,
    2341525696289588047: _137,
    10005481109108238788: _138,
    13761727530989262904: _139,
    4109880156783658748: _140,
    7987053167406433792: _141,
    18004637557454095682: _142,
    10113145309377611576: _143,
    15108587649730363011: _144,
    18271351990331267869: _145,
    16117216336768818127: _146,
    4365736791593799252: _147,
    15776162127355397042: _148,
    9764711661170476240: _149,
    3672013211892071343: _150,
    15651240159531909501: _151,
    18096947333472465304: _152,
    16447495429444019829: _153,
    10253212192108582504: _154,
    9473145653483680130: _155,
    9179655333877068128: _156,
    4839583640071582550: _157,
    5675898040295495865: _158,
    5179745432911213838: _159,
    5411370548244419161: _160,
    6697725146616725551: _161,
    4043897783892457240: _162,
    9784319038578633217: _163,
    9715402427548855627: _164,
    6506339018886833266: _165,
    2504930522475227231: _166,
    4822375894450399946: _167,
    13366603884995032166: _168,
    7500005938020772608: _169,
    3614308360125049532: _170,
    7227063523404581668: _171,
    14594913553932640967: _172,
    6835559633181878240: _173,
    17228447151782835524: _174,
    9614370658998568547: _175,
    13758864160440396324: _176,
    14242560863699541004: _177,
    6387381764609612308: _178,
    13557561112705391014: _179,
    6451240684324542820: _180,
    16175423362342738242: _181,
    8812873815899195725: _182,
    9356702491615517712: _183,
    10639614726090219380: _184,
    14390972436552761498: _185,
    17768515177473912617: _186,
    5948514970826402944: _187,
    2798091706062231868: _188,
    16960850678923150677: _189,
    5623458506809096035: _190,
    1718623273629739101: _191,
    11355935198302478668: _192,
    4505151817210218901: _193,
    16390720746362588979: _194,
    5675208964607284648: _195,
    11796060258333125972: _196,
    17314551793832645446: _197,
    15074626172301120202: _198,
    5176438334871776146: _199,
    9741896171391123858: _200,
    9342110597384065682: _201,
    12913056627946913867: _202,
    14358119485424766852: _203,
    1752808010035533786: _204,
    16989636736636428664: _205,
    15713851721697110308: _206,
    4144349883290907267: _207,
    2071125296246789835: _208,
    6892633839199927771: _209,
    14152752004790100380: _210,
    6916225871669724486: _211,
    5849757393583764437: _212,
    7555452367510353669: _213,
    5974802166493799745: _214,
    2005218440072944306: _215,
    3096143306281312960: _216,
    15841837371456321770: _217,
    12529833823361864200: _218,
    4378395812822700460: _219,
    1765867686324842080: _220,
    11526397868655264145: _221,
    11010245645925129168: _222,
    5071083210732508921: _223,
    13664793225291285563: _224,
    9923100143695998720: _225,
    18339886995559793147: _226,
    10457558195133528511: _227,
    1546310985043022996: _228,
    8523679786891635048: _229,
    13351450409986311696: _230,
    4066889479220448058: _231,
    13346445801859731988: _232,
    5865101928168107676: _233,
    8228441642067636359: _234,
    11648718456861372648: _235,
    16590393079431894674: _236,
    7276427370289438477: _237,
    8053140659679923601: _238,
    3329545466363721855: _239,
    7133547748454142218: _240,
    16492795887763729114: _241,
    951343700546366172: _242,
    5480105558832462591: _243,
    12690808246574463743: _244,
    1350346067663464714: _245,
    12869447637268309789: _246,
    17455045407053517504: _247,
    16503802404616997256: _248,
    18317491899536026785: _249,
    14011307580280253511: _250,
    4098360653105874560: _251,
    921704680213072448: _252,
    8104620401369520200: _253,
    13046905206662972577: _254,
    16947831672068667661: _255,
    16430446323291337431: _256,
}
