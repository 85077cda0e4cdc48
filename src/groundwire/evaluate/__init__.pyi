from groundwire.evaluate._answers import (
    AnswerRow as AnswerRow,
    AnswerSet as AnswerSet,
    AnswersReport as AnswersReport,
    benchmark_answers as benchmark_answers,
)
from groundwire.evaluate._claims import (
    ClaimsReport as ClaimsReport,
    Judgement as Judgement,
    SetScores as SetScores,
    benchmark_claims as benchmark_claims,
    judge_rows as judge_rows,
    report_claims as report_claims,
)
from groundwire.evaluate._rows import (
    LabelledClaim as LabelledClaim,
    read_claims as read_claims,
    read_rows as read_rows,
)
from groundwire.evaluate._scores import (
    Figure as Figure,
    auroc as auroc,
    balanced_accuracy as balanced_accuracy,
    calibration_error as calibration_error,
    f1 as f1,
    once as once,
    reliability as reliability,
    with_interval as with_interval,
)
from groundwire.evaluate._spans import (
    SpanRow as SpanRow,
    SpansReport as SpansReport,
    benchmark_spans as benchmark_spans,
)
from groundwire.evaluate._status import (
    StatusReport as StatusReport,
    StatusRow as StatusRow,
    benchmark_status as benchmark_status,
)
from groundwire.evaluate._traces import (
    TraceCounts as TraceCounts,
    TraceFile as TraceFile,
    TracesReport as TracesReport,
    benchmark_traces as benchmark_traces,
)
