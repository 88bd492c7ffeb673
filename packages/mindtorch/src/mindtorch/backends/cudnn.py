"""``torch.backends.cudnn`` of a build without it: switches that programs set, and nothing else."""

enabled = True
deterministic = False
benchmark = False
benchmark_limit: int | None = None
allow_tf32 = True


def is_available() -> bool:
    """False: there is no cuDNN here."""
    return False


def version() -> int | None:
    """None: there is no cuDNN here."""
    return None
