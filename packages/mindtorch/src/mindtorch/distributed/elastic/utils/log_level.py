"""The level of the logs of agents."""


def get_log_level() -> str:
    """``"WARNING"``."""
    return "WARNING"
