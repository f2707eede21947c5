"""A search cluster for tests, started by the orrery command."""

from .cluster import Cluster, CommandMissing, StartFailed, find_command

__all__ = ["Cluster", "CommandMissing", "StartFailed", "find_command"]
