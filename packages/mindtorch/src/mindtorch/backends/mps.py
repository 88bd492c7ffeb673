"""``torch.backends.mps`` of a build without it."""


def is_available() -> bool:
    """False: there is no MPS here."""
    return False


is_built = is_available
