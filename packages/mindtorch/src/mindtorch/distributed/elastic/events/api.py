"""Events of agents: what happened, when and where."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import Enum

__all__ = ["Event", "EventSource", "NodeState", "RdzvEvent"]

EventMetadataValue = str | int | float | bool | None


class EventSource(str, Enum):  # noqa: UP042  (torch's bases)
    """Where an event is from."""

    AGENT = "AGENT"
    WORKER = "WORKER"


@dataclass
class Event:
    """What happened."""

    name: str
    source: EventSource
    timestamp: int = 0
    metadata: dict[str, EventMetadataValue] = field(default_factory=dict)

    def serialize(self) -> str:
        """The event as JSON."""
        return json.dumps(asdict(self))

    def __str__(self) -> str:
        return self.serialize()

    @staticmethod
    def deserialize(data: str | Event) -> Event:
        """The event that :meth:`serialize` wrote."""
        if isinstance(data, Event):
            return data
        fields = json.loads(data)
        fields["source"] = EventSource[fields["source"]]
        return Event(**fields)


class NodeState(str, Enum):  # noqa: UP042  (torch's bases)
    """How a node of a rendezvous is."""

    INIT = "INIT"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


@dataclass
class RdzvEvent:
    """What happened in a rendezvous."""

    name: str
    run_id: str
    message: str
    hostname: str
    pid: int
    node_state: NodeState
    master_endpoint: str = ""
    rank: int | None = None
    local_id: int | None = None
    error_trace: str = ""

    def __str__(self) -> str:
        return self.serialize()

    @staticmethod
    def deserialize(data: str | RdzvEvent) -> RdzvEvent:
        """The event that :meth:`serialize` wrote."""
        if isinstance(data, RdzvEvent):
            return data
        fields = json.loads(data)
        fields["node_state"] = NodeState[fields["node_state"]]
        return RdzvEvent(**fields)

    def serialize(self) -> str:
        """The event as JSON."""
        return json.dumps(asdict(self))
