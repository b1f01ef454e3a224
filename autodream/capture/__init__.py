"""What agents send, into their diaries: cleaned at the door, once for each event id, never in part."""

from autodream.capture.post import write_diary

__all__ = ["write_diary"]
