"""Lambda entry of ``POST /github/{connection}``."""

from autoswe.runtime.intake import webhook

handler = webhook.receive_delivery
