from groundwire.evaluate._claims import (
    BitsAnswer as BitsAnswer,
    ClaimsReport as ClaimsReport,
    Contradicted as Contradicted,
    SetScores as SetScores,
    benchmark_claims as benchmark_claims,
    report_claims as report_claims,
)
from groundwire.evaluate._judged import Judgement as Judgement, judge_rows as judge_rows
from groundwire.evaluate._rows import (
    LabelledClaim as LabelledClaim,
    read_claims as read_claims,
    read_rows as read_rows,
)
from groundwire.evaluate._scores import (
    Bin as Bin,
    Figure as Figure,
    auroc as auroc,
    balanced_accuracy as balanced_accuracy,
    calibration_error as calibration_error,
    f1 as f1,
    once as once,
    reliability as reliability,
    shortness as shortness,
    with_interval as with_interval,
    word_overlap as word_overlap,
)
from groundwire.evaluate._status import (
    LabelScore as LabelScore,
    StatusReport as StatusReport,
    StatusRow as StatusRow,
    StatusSet as StatusSet,
    benchmark_status as benchmark_status,
)
