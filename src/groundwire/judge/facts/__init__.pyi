from groundwire.judge.facts._arithmetic import notes as notes
from groundwire.judge.facts._check import (
    EvidenceValues as EvidenceValues,
    Finding as Finding,
    check_values as check_values,
)
from groundwire.judge.facts._comparison import turned as turned
from groundwire.judge.facts._gloss import Gloss as Gloss
