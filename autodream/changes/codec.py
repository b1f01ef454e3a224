"""A memory as JSON: the public form, and the lossless record that the journal keeps."""

from autodream.journal.records import (
    content_hash,
    evidence_to_json,
    memory_from_record,
    memory_to_json,
    memory_to_record,
)

__all__ = ["content_hash", "evidence_to_json", "memory_from_record", "memory_to_json", "memory_to_record"]
