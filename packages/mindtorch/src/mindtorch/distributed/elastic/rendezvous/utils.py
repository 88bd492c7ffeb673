"""What the kinds of rendezvous share."""

from __future__ import annotations

import re

__all__ = ["parse_rendezvous_endpoint"]


def parse_rendezvous_endpoint(endpoint: str | None, default_port: int) -> tuple[str, int]:
    """The host and port that *endpoint*, ``host:port``, means. Raises ValueError for others."""
    text = endpoint = (endpoint or "").strip()
    if not text:
        return "localhost", default_port
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, ""
        number = default_port
    elif re.match(r"^\d{1,5}$", port) and 0 <= int(port) < 2**16:
        number = int(port)
    else:
        raise ValueError(
            f"The port number of the rendezvous endpoint '{endpoint}' must be an integer between 0 "
            "and 65536."
        )
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    if not re.match(r"^[\w\.:-]+$", host):
        raise ValueError(
            f"The hostname of the rendezvous endpoint '{endpoint}' must be a dot-separated list of "
            "labels, an IPv4 address, or an IPv6 address."
        )
    return host, number
