"""What every room of the engine's calls works with."""

from groundwire.config import Config
from groundwire.engine._parts import Parts
from groundwire.guard import LoopThread


class Calls:
    """`Engine` sets these."""

    config: Config
    loop: LoopThread
    parts: Parts
