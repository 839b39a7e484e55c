"""What the execution of a decision's feedback round is called (feedback §1)."""

from autoswe.rules.records.decisions import decision_digest


def execution_name(decision_id: str, attempt: int = 0) -> str:
    """Name the one execution that an attempt of a decision may start: ``fb-`` and 64 hexadecimal digits.

    The number of an attempt after the first, from 1 to 9, stands behind them. The same attempt always gives the same
    name, so that starting twice is one start. The name keeps to the 80
    characters and the alphabet that Step Functions allows (Step Functions: "StartExecution").
    """
    return f"fb-{decision_digest(decision_id)}" + (f"-{attempt}" if attempt else "")
