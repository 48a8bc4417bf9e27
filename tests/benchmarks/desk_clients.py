"""Graders without a browser: each speaks to the server as the desk's page does, over HTTP and its websocket.

Run by `grading_desk.py` in a process of its own, so that what the graders cost is not counted as the
server's. It reads one JSON object from its first line of input, says `ready` when all graders have an answer
on their desk, grades until its input ends or the time is over, and prints what it measured as JSON.
"""

import asyncio
import contextlib
import json
import random
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from desk_client import Grader

CALL_SECONDS = 30


async def work(grader, think, until, draw, told):
    """Think, keep a draft, think on, submit; and again, until the time is over."""
    await asyncio.sleep(draw.uniform(0, think))  # nobody begins with the others
    while not until.is_set():
        pause = think * draw.uniform(0.5, 1.5)
        await asyncio.sleep(pause / 2)
        async with asyncio.timeout(CALL_SECONDS):
            await grader.keep_draft()
        await asyncio.sleep(pause / 2)
        if until.is_set():
            return
        async with asyncio.timeout(CALL_SECONDS):
            told["round_trips_ms"].append(1000 * await grader.save())


async def attend(url, sessions, think, seconds):
    told = {"round_trips_ms": [], "errors": []}
    graders = [Grader(url, session) for session in sessions]
    gate = asyncio.Semaphore(4)

    async def enter(grader):
        async with gate:
            await grader.open()
            if grader.desk is None:
                raise RuntimeError("the page has no desk")

    await asyncio.gather(*(enter(grader) for grader in graders))
    print("ready", flush=True)
    until = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait_for_end_of_input():
        sys.stdin.read()
        with contextlib.suppress(RuntimeError):  # the time was over first
            loop.call_soon_threadsafe(until.set)

    threading.Thread(target=wait_for_end_of_input, daemon=True).start()
    tasks = [
        asyncio.create_task(work(grader, think, until, random.Random(f"grader {at}"), told))
        for at, grader in enumerate(graders)
    ]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(until.wait(), seconds)
    until.set()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, BaseException):
            told["errors"].append(f"{type(result).__name__}: {result}")
    await asyncio.gather(*(grader.close() for grader in graders), return_exceptions=True)
    return told


def main():
    asked = json.loads(sys.stdin.readline())
    print(json.dumps(asyncio.run(attend(**asked))), flush=True)


if __name__ == "__main__":
    main()
