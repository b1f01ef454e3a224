"""What Prometheus is told: counts and times, with few labels, and never a text."""

from collections.abc import Callable
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from autodream import __version__
from autodream.parts import Parts
from autodream.service.http.figures import FiguresCollector, figures_of

__all__ = ["Metrics"]

_RECALL: Final = "/v1/recall"
_BUCKETS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds
# A second line for each series, of which Prometheus makes nothing in this format
_without_created: Final[Callable[[], None]] = disable_created_metrics


class Metrics:
    """One registry for each application: two in one process never mix."""

    def __init__(self, parts: Parts) -> None:
        _without_created()
        registry = CollectorRegistry()
        self._registry = registry
        self._requests = Counter(
            "autodream_http_requests",
            "Requests answered; status 0: the client left first.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "autodream_http_request_seconds", "Until a request was answered.", ("route",), registry=registry
        )
        self._recalls = Counter("autodream_recalls", "Recalls answered.", registry=registry)
        self._recall_seconds = Histogram(
            "autodream_recall_seconds", "Until a recall was answered.", buckets=_BUCKETS, registry=registry
        )
        self._failures = Counter(
            "autodream_failures",
            "Requests that failed for no fault of the caller, by code.",
            ("code",),
            registry=registry,
        )
        Info("autodream", "The program.", registry=registry).info({"version": __version__})
        ProcessCollector(registry=registry)
        registry.register(FiguresCollector(lambda: figures_of(parts)))

    def observe(self, method: str, route: str, status: int, seconds: float, failure: str | None) -> None:
        """Count a request that was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if route == _RECALL and status == 200:
            self.recalled(seconds)
        if failure is not None:
            self._failures.labels(failure).inc()

    def recalled(self, seconds: float) -> None:
        """Count a recall that was answered, over whichever protocol."""
        self._recalls.inc()
        self._recall_seconds.observe(seconds)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self._registry)
