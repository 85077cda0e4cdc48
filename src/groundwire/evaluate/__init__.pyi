from groundwire.evaluate._answers import (
    AnswerRow as AnswerRow,
    AnswerSet as AnswerSet,
    AnswersReport as AnswersReport,
    benchmark_answers as benchmark_answers,
)
from groundwire.evaluate._calibrate import (
    Calibration as Calibration,
    calibrate as calibrate,
    isotonic as isotonic,
    platt as platt,
)
from groundwire.evaluate._claims import (
    ClaimsReport as ClaimsReport,
    Judgement as Judgement,
    SetScores as SetScores,
    benchmark_claims as benchmark_claims,
    judge_rows as judge_rows,
    report_claims as report_claims,
)
from groundwire.evaluate._compare import (
    Change as Change,
    Comparison as Comparison,
    compare as compare,
    difference_intervals as difference_intervals,
    read_results as read_results,
)
from groundwire.evaluate._conformal import (
    ConformalThreshold as ConformalThreshold,
    Scored as Scored,
    conformal_threshold as conformal_threshold,
)
from groundwire.evaluate._golden import (
    Corpus as Corpus,
    Expected as Expected,
    GoldenQuery as GoldenQuery,
    GoldenSet as GoldenSet,
    blob_hash as blob_hash,
    corpus_of as corpus_of,
    is_questions as is_questions,
    read_golden as read_golden,
    write_lines as write_lines,
)
from groundwire.evaluate._labelled import (
    ClaimCase as ClaimCase,
    judge_claims as judge_claims,
    read_claim_cases as read_claim_cases,
)
from groundwire.evaluate._measures import (
    document_measures as document_measures,
    latency_ms as latency_ms,
    measured as measured,
    rates as rates,
    results_of as results_of,
    wilson as wilson,
)
from groundwire.evaluate._questions import ask_questions as ask_questions
from groundwire.evaluate._report import (
    to_html as to_html,
    to_junit as to_junit,
    to_sarif as to_sarif,
)
from groundwire.evaluate._results import (
    CaseOutcome as CaseOutcome,
    Metrics as Metrics,
    Rates as Rates,
    Results as Results,
)
from groundwire.evaluate._rows import (
    LabelledClaim as LabelledClaim,
    read_claims as read_claims,
    read_rows as read_rows,
)
from groundwire.evaluate._run import (
    calibrate_judge as calibrate_judge,
    calibration_text as calibration_text,
    corpus_beside as corpus_beside,
    over_corpus as over_corpus,
    results_text as results_text,
    run_evaluation as run_evaluation,
    settings_for as settings_for,
    tune_on as tune_on,
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
from groundwire.evaluate._sessions import (
    RecordedSession as RecordedSession,
    unpacked_sessions as unpacked_sessions,
)
from groundwire.evaluate._spans import (
    SpanRow as SpanRow,
    SpansReport as SpansReport,
    benchmark_spans as benchmark_spans,
)
from groundwire.evaluate._starter import (
    add_line as add_line,
    corrected_case as corrected_case,
    starter_set as starter_set,
)
from groundwire.evaluate._status import (
    StatusReport as StatusReport,
    StatusRow as StatusRow,
    benchmark_status as benchmark_status,
)
from groundwire.evaluate._steps import (
    LabelledTrace as LabelledTrace,
    StepSet as StepSet,
    StepsReport as StepsReport,
    benchmark_steps as benchmark_steps,
    read_traces as read_traces,
)
from groundwire.evaluate._suites import SUITES as SUITES
from groundwire.evaluate._traces import (
    TraceCounts as TraceCounts,
    TraceFile as TraceFile,
    TracesReport as TracesReport,
    benchmark_traces as benchmark_traces,
)
from groundwire.evaluate._tune import (
    TuneReport as TuneReport,
    thresholds_text as thresholds_text,
    tune as tune,
)
