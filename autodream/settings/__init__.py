"""The configuration: what can be set (table), how it is written (parse), where it comes from (load)."""
