import asyncio
import time

import pytest

from groundwire.errors import BackendTimeout, MissingExtra
from groundwire.llm import Caller, CallPolicy, PerLoop
from groundwire.llm._http import load_extra

pytestmark = pytest.mark.anyio


async def closed(_: object) -> None:
    """There is nothing to close."""


async def test_a_package_that_is_slow_to_import_holds_no_deadline_up() -> None:
    """[SPEC-08.38] the first call through an SDK that takes seconds to load ends in time."""
    pool = PerLoop(lambda: time.sleep(1), object, closed)
    with pytest.raises(BackendTimeout):
        await Caller("x", CallPolicy(max_retries=0)).run(pool.get, deadline_s=0.05)


async def test_each_event_loop_has_its_own_and_keeps_it() -> None:
    pool = PerLoop(object, object, closed)
    here = await pool.get()
    assert await pool.get() is here
    elsewhere = await asyncio.to_thread(lambda: asyncio.run(pool.get()))
    assert elsewhere is not here
    await pool.aclose()
    assert await pool.get() is not here


def test_a_missing_package_says_how_to_install_it() -> None:
    with pytest.raises(MissingExtra, match=r'pip install "groundwire\[gemini\]"'):
        load_extra("no_such_module", "gemini")()
