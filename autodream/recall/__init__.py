"""Recall: a query becomes ranked memories, each with its diary lines and why it ranks where it does.

``question`` reads the query, ``scoring`` weighs what the store found, ``surroundings`` lets neighbouring
diary lines support each other, ``ranking`` drops repeats and puts the newer before the older, ``search``
runs it all.
"""

from autodream.recall.ranking import repeats
from autodream.recall.search import Query, recall

__all__ = ["Query", "recall", "repeats"]
