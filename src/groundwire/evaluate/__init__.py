"""How good the judges are: labelled claims, measures with intervals, baselines beside them."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.evaluate._claims import (
        BitsAnswer,
        ClaimsReport,
        Contradicted,
        SetScores,
        benchmark_claims,
        report_claims,
    )
    from groundwire.evaluate._judged import Judgement, judge_rows
    from groundwire.evaluate._rows import LabelledClaim, read_claims, read_rows
    from groundwire.evaluate._scores import (
        Bin,
        Figure,
        auroc,
        balanced_accuracy,
        calibration_error,
        f1,
        once,
        reliability,
        shortness,
        with_interval,
        word_overlap,
    )
    from groundwire.evaluate._status import (
        LabelScore,
        StatusReport,
        StatusRow,
        StatusSet,
        benchmark_status,
    )

__all__ = [
    "Bin",
    "BitsAnswer",
    "ClaimsReport",
    "Contradicted",
    "Figure",
    "Judgement",
    "LabelScore",
    "LabelledClaim",
    "SetScores",
    "StatusReport",
    "StatusRow",
    "StatusSet",
    "auroc",
    "balanced_accuracy",
    "benchmark_claims",
    "benchmark_status",
    "calibration_error",
    "f1",
    "judge_rows",
    "once",
    "read_claims",
    "read_rows",
    "reliability",
    "report_claims",
    "shortness",
    "with_interval",
    "word_overlap",
]

__getattr__ = door(
    __name__,
    {
        "_claims": """
            BitsAnswer ClaimsReport Contradicted SetScores benchmark_claims report_claims
        """,
        "_judged": "Judgement judge_rows",
        "_rows": "LabelledClaim read_claims read_rows",
        "_scores": """
            Bin Figure auroc balanced_accuracy calibration_error f1 once reliability
            shortness with_interval word_overlap
        """,
        "_status": "LabelScore StatusReport StatusRow StatusSet benchmark_status",
    },
)
