"""One test file a fault of the field; each fails when its fault comes back."""
