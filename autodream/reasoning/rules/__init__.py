"""The built-in reasoner: six questions answered by rules, with no model and no network."""
