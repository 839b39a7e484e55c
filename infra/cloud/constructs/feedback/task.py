"""The task that runs a model and repository code: three containers without any AWS role or GitHub credential."""

import json

from infra.cloud.constructs.container_task import Part, TaskPlan
from infra.cloud.deployment import Deployment
from infra.cloud.names import ROUNDS, SecretKind

# Fargate adds no capability but one, so a container that needs four has to name all the others that Docker grants.
_GRANTED_BY_DOCKER = {
    *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "NET_RAW"),
    *("SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
}
_NEEDED_BY_GATES = {"CHOWN", "KILL", "SETGID", "SETUID"}

_PARTS = (
    # Its first process is our own, which hides its variables from the programs of the agent and ends what they leave.
    Part("agent", None, "10001:10001", "write", ["ALL"], read_only_root=True, init=False),
    Part("collect", "agent", "10001:10001", "read", ["ALL"], read_only_root=True, init=True),
    # A repository's own programs expect a /tmp that they can write to.
    Part(
        "gates", "collect", "0:0", None, sorted(_GRANTED_BY_DOCKER - _NEEDED_BY_GATES), read_only_root=False, init=True
    ),
)


def plan_fixer_task(deployment: Deployment) -> TaskPlan:
    """Plan that an agent edits the workspace, its change is collected, and the repository's gates judge it.

    Where the agent asks a model, its container alone is given the model's credential.
    """
    agent = deployment.agent_settings
    variables = {
        "AUTOSWE_MODEL": agent.model,
        "AUTOSWE_AGENT_COMMAND": json.dumps(agent.command) if agent.command else "",
    }
    return TaskPlan(
        name="fixer_task",
        stage=deployment.agent,
        cpu=2048,
        memory=4096,
        folders=[ROUNDS],
        parts=_PARTS,
        variables={name: value for name, value in variables.items() if value},
        credential=SecretKind.MODEL_CREDENTIAL if agent.asks_a_model else None,
    )
