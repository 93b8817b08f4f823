"""A window and its events, for operators that Blender runs in windows only."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

TIMER = SimpleNamespace(type="TIMER", value="NOTHING")
ESC = SimpleNamespace(type="ESC", value="PRESS")
GOES_ON = {"RUNNING_MODAL"}


class Window:
    """The part of a window that an operator uses, with a record of its calls."""

    def __init__(self) -> None:
        self.timers = 0
        self.handlers = 0
        self.status: str | None = None
        self.window = None
        self.windows: list[Any] = []
        self.window_manager = self.workspace = self

    def event_timer_add(self, _seconds: float, *, window: Any) -> str:
        self.timers += 1
        return "timer"

    def event_timer_remove(self, _timer: str) -> None:
        self.timers -= 1

    def modal_handler_add(self, _operator: Any) -> None:
        self.handlers += 1

    def status_text_set(self, text: str | None) -> None:
        self.status = text
