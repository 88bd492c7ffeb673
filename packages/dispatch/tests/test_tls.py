"""Per-thread masks: inclusion, exclusion, and the word that stands for them."""

import threading

import pytest
from mindtorch_dispatch import (
    DispatchKey,
    DispatchKeySet,
    apply_tls_masks,
    current_masks,
    exclude_keys,
    include_keys,
    tls,
)

K = DispatchKey
S = DispatchKeySet


def test_default_masks_are_torchs_and_the_word_is_zero():
    """BackendSelect and ADInplaceOrView in, Autocast* out."""
    included, excluded = current_masks()
    assert included == S(K.BackendSelect, K.ADInplaceOrView)
    assert all(k.name.startswith("Autocast") for k in excluded) and K.AutocastCPU in excluded
    assert tls.state.get() == 0 and tls.masks(0) == (included.mask, excluded.mask)


def test_guards_change_the_masks_for_their_block():
    """And the word returns to zero."""
    with include_keys(K.Tracer, K.Python), exclude_keys(S(K.Meta)):
        keys = apply_tls_masks(S(K.CPU, K.Meta))
        assert K.Tracer in keys and K.Python in keys and K.Meta not in keys and K.CPU in keys
        assert tls.state.get() != 0
    assert tls.state.get() == 0


def test_excluded_key_stays_excluded_when_also_included():
    """Exclusion wins over inclusion, in either nesting."""
    with include_keys(K.Tracer), exclude_keys(K.Tracer):
        assert K.Tracer not in apply_tls_masks(S(K.CPU, K.Tracer))
    with exclude_keys(K.Tracer), include_keys(K.Tracer):
        assert K.Tracer not in apply_tls_masks(S(K.CPU, K.Tracer))


def test_guards_nest_and_reenter():
    """An inner guard for the same key does not end the outer one."""
    guard = exclude_keys(K.Meta)
    with guard:
        with guard, exclude_keys(K.Meta):
            assert K.Meta in current_masks()[1]
        assert K.Meta in current_masks()[1]
    assert K.Meta not in current_masks()[1]
    with include_keys(K.Tracer):
        with include_keys(K.Tracer, K.ADInplaceOrView):
            pass
        assert current_masks()[0] == S(K.Tracer, K.BackendSelect, K.ADInplaceOrView)


def test_guards_restore_on_exceptions():
    """A raising block leaves the thread as it was."""
    with pytest.raises(ValueError):
        with include_keys(K.Tracer), exclude_keys(K.CPU):
            raise ValueError
    assert tls.state.get() == 0


def test_guards_left_out_of_order_undo_only_themselves():
    """Generators may leave guards in any order."""
    one, two = exclude_keys(K.Meta), exclude_keys(K.CPU)
    one.__enter__()
    two.__enter__()
    one.__exit__()
    assert K.CPU in current_masks()[1] and K.Meta not in current_masks()[1]
    two.__exit__()
    assert tls.state.get() == 0


def test_autograd_excludes_every_autograd_key():
    """The alias and the functionality stand for all their keys."""
    with exclude_keys(K.Autograd):
        assert not apply_tls_masks(S(K.AutogradCPU, K.AutogradOther)) & S(
            K.AutogradCPU, K.AutogradOther
        )


def test_a_new_thread_starts_at_the_default():
    """Masks never leak into another thread, nor back."""
    seen = []

    def other():
        seen.append(tls.state.get())
        tls.state.set(tls.with_excluded(0, K.CPU))

    with exclude_keys(K.Meta):
        before = tls.state.get()
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert seen == [0] and tls.state.get() == before


def test_equal_states_have_equal_words():
    """So that a word can be part of a table key, whatever path led to it."""
    with include_keys(K.Tracer), exclude_keys(K.Meta):
        one = tls.state.get()
    with exclude_keys(K.Meta), include_keys(K.Tracer):
        two = tls.state.get()
    assert one == two != 0 and one % (1 << tls.STATE_SHIFT) == 0
    assert tls.with_included(tls.with_excluded(0, K.Meta), K.Tracer) == one


def test_words_decode_under_a_callers_signature():
    """masks() and extra() ignore the bits below the id."""
    word = tls.with_extra(tls.with_excluded(0, K.Meta), 7)
    included, excluded = tls.masks(word | 12345)
    assert excluded & K.Meta and included == tls.masks(0)[0]
    assert tls.extra(word | 12345) == 7 and tls.extra(0) == 0
    assert tls.with_extra(tls.with_masks(word, *tls.masks(0)), 0) == 0


def test_guards_keep_the_extra_component():
    """Masks and the caller's component change apart from each other."""
    token = tls.state.set(tls.with_extra(0, 5))
    try:
        with exclude_keys(K.Meta):
            assert tls.extra(tls.state.get()) == 5
        assert tls.state.get() == tls.with_extra(0, 5)
    finally:
        tls.state.reset(token)
