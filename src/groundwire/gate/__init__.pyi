from groundwire.gate._confidence import (
    LOW_CONFIDENCE as LOW_CONFIDENCE,
    Curve as Curve,
    by_meaning as by_meaning,
    by_words as by_words,
    confidence_gate as confidence_gate,
    judge_confidence as judge_confidence,
    passage_confidence as passage_confidence,
)
from groundwire.gate._coverage import (
    coverage_gate as coverage_gate,
    is_low as is_low,
    judge_coverage as judge_coverage,
    judge_draft as judge_draft,
    leading as leading,
    low_coverage_gate as low_coverage_gate,
    the_root_cause as the_root_cause,
)
from groundwire.gate._gate import Gate as Gate
from groundwire.gate._health import (
    all_gates as all_gates,
    gate_health as gate_health,
    publish_gates as publish_gates,
)
from groundwire.gate._memory import judge_fact as judge_fact, memory_gate as memory_gate
from groundwire.gate._response import (
    LoadShedder as LoadShedder,
    judge_response as judge_response,
    response_gate as response_gate,
)
