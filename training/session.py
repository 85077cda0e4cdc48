"""The whole training on one device, step by step; every step leaves files for the next.

    python -m training.session plan   --data DIR --name train|dev|open|scrubbed|written [--chat]
    python -m training.session teach-chat --data DIR --seconds 270
    python -m training.session label-chat --data DIR --seconds 240 --files answers train
    python -m training.session adapt-chat --data DIR --seconds 200
    python -m training.session rerank --data DIR
    python -m training.session teach  --data DIR --seconds 420
    python -m training.session write  --data DIR --seconds 240
    python -m training.session label  --data DIR --seconds 240
    python -m training.session distil --data DIR --part judge --base shipped --written --seconds 900
    python -m training.session distil --data DIR --part reader --base search --seconds 900
    python -m training.session distil --data DIR --part wide --base wide --seconds 900

`DIR` holds what `training.ship` put together: prepared groups, passages, tokenizers and bases.
`plan --name written` runs beside `write` and follows it.
"""

import argparse
import sys
from pathlib import Path

from training.chat_steps import adapt_chat_step, label_chat_step, teach_chat_step
from training.student_steps import distil_step, rerank_step
from training.teacher_steps import (
    WRITTEN_ROWS,
    label_step,
    plan_step,
    teach_step,
    write_step,
)

STEPS = {
    "plan": plan_step,
    "teach": teach_step,
    "teach-chat": teach_chat_step,
    "label-chat": label_chat_step,
    "adapt-chat": adapt_chat_step,
    "rerank": rerank_step,
    "write": write_step,
    "label": label_step,
    "distil": distil_step,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=tuple(STEPS))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--until", type=float, help="when the device goes back (seconds of Unix)")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--prompts", type=int, default=WRITTEN_ROWS, help="written to at once")
    parser.add_argument("--chat", action="store_true", help="plan for the teacher's chat form")
    parser.add_argument("--files", nargs="*", default=[], help="files of examples to label")
    parser.add_argument("--shares", default="", help="such as verdict=0.6,answers=0.15")
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("--written", action="store_true", help="learn from written claims, too")
    parser.add_argument("--keep-words", action="store_true", help="leave the word table as it is")
    parser.add_argument("--part", choices=("judge", "reader", "wide"), default="judge")
    parser.add_argument("--base", default="shipped")
    parser.add_argument("--name", default="msmarco")
    parser.add_argument("--tokens", type=int, default=65536)
    parser.add_argument("--texts", type=int, default=600_000)
    parser.add_argument("--rate", type=float, default=2e-4, help="of the student")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    STEPS[arguments.step](arguments.data, arguments)


if __name__ == "__main__":
    sys.exit(main())
