"""Lambda entry of ``POST /github/{connection}``."""

from autoswe.runtime import webhook

handler = webhook.receive_delivery
