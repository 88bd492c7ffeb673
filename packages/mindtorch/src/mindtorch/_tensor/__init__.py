"""The hand-written part of ``Tensor``, by subject; everything else comes from the op rows."""
