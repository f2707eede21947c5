"""Checks that are printed as TAP; each is a function, plain or asynchronous."""

import asyncio
import inspect
import sys
import traceback
from typing import Any, Callable

_checks: list[tuple[str, Callable[[], Any]]] = []


def check(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def register(body: Callable[[], Any]) -> Callable[[], Any]:
        _checks.append((name, body))
        return body

    return register


def run() -> None:
    failed = 0
    print(f"1..{len(_checks)}")
    for number, (name, body) in enumerate(_checks, 1):
        try:
            if inspect.iscoroutinefunction(body):
                asyncio.run(body())
            else:
                body()
            print(f"ok {number} - {name}")
        except Exception:
            failed += 1
            print(f"not ok {number} - {name}")
            print("  # " + traceback.format_exc().replace("\n", "\n  # "))
    sys.exit(1 if failed > 0 else 0)
