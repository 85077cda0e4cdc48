from groundwire.encoder._adapter import (
    Change as Change,
    adapter_file as adapter_file,
    adapter_gguf as adapter_gguf,
    read_changes as read_changes,
)
from groundwire.encoder._asserted import AssertionReader as AssertionReader
from groundwire.encoder._calibration import (
    adapter_calibration as adapter_calibration,
    judge_calibration as judge_calibration,
    memory_calibration as memory_calibration,
    reader_calibration as reader_calibration,
)
from groundwire.encoder._models import (
    Answering as Answering,
    EmbeddedEmbedder as EmbeddedEmbedder,
    Embedder as Embedder,
    PairScorer as PairScorer,
    QuestionReader as QuestionReader,
    Scores as Scores,
    Span as Span,
    SpanReader as SpanReader,
    Told as Told,
)
from groundwire.encoder._tuned import (
    SpansCalibration as SpansCalibration,
    SupportCalibration as SupportCalibration,
)
from groundwire.encoder._weights import (
    card as card,
    weights_hash as weights_hash,
    word_piece as word_piece,
)
