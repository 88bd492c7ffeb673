"""``torch._vendor``: what torch ships of other projects."""
