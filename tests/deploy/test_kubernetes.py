"""The Kubernetes example: one pod, confined, with what must last outside of it."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import typer.main
import yaml

from autodream.cli.commands import app
from autodream.config import DEFAULT_PORT, STOP_WITHIN
from autodream.settings.load import load
from autodream.settings.table import SETTINGS_BY_VARIABLE

FILE = Path(__file__).parents[2] / "deploy" / "kubernetes" / "autodream.yaml"
OBJECTS: list[dict[str, Any]] = list(yaml.safe_load_all(FILE.read_text(encoding="utf-8")))
VERSIONS = {
    "Secret": "v1",
    "ConfigMap": "v1",
    "PersistentVolumeClaim": "v1",
    "Service": "v1",
    "Deployment": "apps/v1",
    "NetworkPolicy": "networking.k8s.io/v1",
}


def of(kind: str, name: str = "autodream") -> dict[str, Any]:
    [found] = [one for one in OBJECTS if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    return found


DEPLOYMENT = of("Deployment")["spec"]
POD = DEPLOYMENT["template"]["spec"]
[CONTAINER] = POD["containers"]
LABELS = DEPLOYMENT["template"]["metadata"]["labels"]


def test_every_object_has_its_version_a_name_and_the_label() -> None:
    assert Counter(one["kind"] for one in OBJECTS) == Counter([*VERSIONS, "PersistentVolumeClaim"])
    for one in OBJECTS:
        assert one["apiVersion"] == VERSIONS[one["kind"]]
        assert re.fullmatch(r"[a-z][a-z-]*", one["metadata"]["name"])
        assert one["metadata"]["labels"].items() <= LABELS.items()
        assert "namespace" not in one["metadata"]  # chosen with kubectl -n


def test_there_is_one_pod_and_the_old_one_ends_first() -> None:
    assert DEPLOYMENT["replicas"] == 1
    assert DEPLOYMENT["strategy"] == {"type": "Recreate"}
    assert of("PersistentVolumeClaim", "autodream-data")["spec"]["accessModes"] == ["ReadWriteOncePod"]
    assert not {"hostname", "hostNetwork", "hostPID"} & set(POD)
    assert POD["terminationGracePeriodSeconds"] > max(10, STOP_WITHIN.total_seconds())


def test_selectors_find_the_pod() -> None:
    for selector in (
        DEPLOYMENT["selector"]["matchLabels"],
        of("Service")["spec"]["selector"],
        of("NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
    ):
        assert selector.items() <= LABELS.items()


def test_settings_exist_are_valid_and_are_not_drowned_by_the_clusters_own(tmp_path: Path) -> None:
    [own] = CONTAINER["env"]
    given = of("ConfigMap")["data"] | of("Secret")["stringData"] | {own["name"]: own["value"]}
    assert set(given) <= set(SETTINGS_BY_VARIABLE)
    settings = load({}, given, tmp_path)
    assert [agent for agent, _ in settings.agents] == ["dev", "blog"]
    assert all(str(path).startswith("/agents/") for _, path in settings.agents)
    # A service named autodream makes the cluster set AUTODREAM_SERVICE_HOST, an unknown setting.
    assert POD["enableServiceLinks"] is False


def test_secrets_are_in_the_secret_and_ask_to_be_changed() -> None:
    assert set(of("Secret")["stringData"]) == {"AUTODREAM_TOKEN", "QDRANT_API_KEY"}
    assert set(of("Secret")["stringData"].values()) == {"change-me"}
    secret = {one.variable for one in SETTINGS_BY_VARIABLE.values() if one.secret}
    assert secret.isdisjoint(of("ConfigMap")["data"])
    sources = [next(iter(source.items())) for source in CONTAINER["envFrom"]]
    assert sources == [("configMapRef", {"name": "autodream"}), ("secretRef", {"name": "autodream"})]


def test_the_container_runs_serve_on_the_default_port() -> None:
    command, *options = CONTAINER["args"]
    typer.main.get_command(app).commands[command].make_context(command, options).close()
    [port] = CONTAINER["ports"]
    assert port["containerPort"] == DEFAULT_PORT
    [outer] = of("Service")["spec"]["ports"]
    assert (outer["port"], outer["targetPort"]) == (DEFAULT_PORT, port["name"])


def test_probes_ask_the_right_routes() -> None:
    paths = {
        name: CONTAINER[name]["httpGet"]["path"]
        for name in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    assert paths == {
        "startupProbe": "/health/live",
        "livenessProbe": "/health/live",  # a full disk or a Qdrant that is away is not cured by a restart
        "readinessProbe": "/health/ready",
    }
    patience = CONTAINER["startupProbe"]["periodSeconds"] * CONTAINER["startupProbe"]["failureThreshold"]
    assert patience >= 120  # what a crash left open is completed before anything is answered


def test_the_pod_is_confined() -> None:
    assert POD["automountServiceAccountToken"] is False
    pod, own = POD["securityContext"], CONTAINER["securityContext"]
    assert pod["runAsNonRoot"] is True
    assert pod["seccompProfile"] == {"type": "RuntimeDefault"}
    assert own == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    dockerfile = (FILE.parents[1] / "Dockerfile").read_text(encoding="utf-8")
    assert f"USER {pod['runAsUser']}:{pod['runAsGroup']}" in dockerfile
    assert pod["fsGroup"] == pod["runAsGroup"]


def test_it_has_requests_and_a_limit_of_memory() -> None:
    resources = CONTAINER["resources"]
    assert set(resources["requests"]) == {"cpu", "memory"}
    assert set(resources["limits"]) == {"memory"}  # a limit of CPU would only make recalls slow


def test_every_mount_has_a_volume_and_every_claim_exists() -> None:
    volumes = {volume["name"]: volume for volume in POD["volumes"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in CONTAINER["volumeMounts"]}
    assert set(volumes) == set(mounts)
    assert mounts == {"data": CONTAINER["env"][0]["value"], "agents": "/agents", "tmp": "/tmp"}
    for volume in volumes.values():
        if claim := volume.get("persistentVolumeClaim"):
            assert of("PersistentVolumeClaim", claim["claimName"])["spec"]["resources"]["requests"]["storage"]


def test_the_network_is_closed_but_for_clients_names_and_qdrant() -> None:
    policy = of("NetworkPolicy")["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    [incoming] = policy["ingress"]
    assert [port["port"] for port in incoming["ports"]] == [DEFAULT_PORT]
    assert incoming["from"]
    outgoing = {port["port"] for rule in policy["egress"] for port in rule["ports"]}
    qdrant = int(of("ConfigMap")["data"]["AUTODREAM_QDRANT"].rpartition(":")[2])
    assert outgoing == {53, qdrant}
    assert all(rule["to"] for rule in policy["egress"])


def test_no_image_is_latest() -> None:
    assert re.search(r":\d+\.\d+\.\d+$", CONTAINER["image"])
