"""Which reasoner answers, by the settings."""

from autodream.config import Settings
from autodream.errors import AutoDreamError
from autodream.reasoning.base import Meter, Reasoner
from autodream.reasoning.providers import OPENAI_URL, build_llm, key_setting

__all__ = ["make_reasoner", "reachable"]

RULES = "rules"
_PROBE_TIMEOUT = 10.0  # seconds; doctor should not make a user wait for long


def make_reasoner(settings: Settings, *, agent_id: str, meter: Meter) -> Reasoner:
    """The built-in rules, or the configured model, which is built and contacted at its first question.

    Raises ``ConfigError`` for a provider without a model name.
    """
    if settings.llm == RULES:
        from autodream.reasoning.rules.reasoner import RulesReasoner

        return RulesReasoner()
    from autodream.reasoning.llm import LlmReasoner

    llm = build_llm(settings)
    return LlmReasoner(llm, model=llm.model, provider=llm.provider, agent_id=agent_id, meter=meter)


def reachable(settings: Settings) -> str | None:
    """What stands between us and the model, in one sentence, or None. Costs no tokens; ``rules`` asks nobody.

    An OpenAI-compatible endpoint is asked for its list of models; of others only the set-up is checked.
    """
    if settings.llm == RULES:
        return None
    try:
        build_llm(settings).prepare()
    except AutoDreamError as error:
        return str(error)
    return _probe(settings) if settings.llm in ("openai", "openai_structured") else None


def _probe(settings: Settings) -> str | None:
    import httpx

    url = (settings.openai_base_url or OPENAI_URL).rstrip("/") + "/models"
    headers = {"Authorization": f"Bearer {settings.openai_api_key or 'none'}"}
    try:
        answer = httpx.get(url, headers=headers, timeout=_PROBE_TIMEOUT)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return f"{url} cannot be reached ({type(error).__name__}); check OPENAI_BASE_URL"
    if answer.status_code in (401, 403):
        return f"{url} refused the key ({answer.status_code}); check {key_setting(settings.llm)}"
    if answer.status_code >= 500:
        return f"{url} answers {answer.status_code}"
    return None
