"""Followers of the table: each gets the newest snapshot, and none can hold up another."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from web.live.borders import Snapshot


class Subscription:
    """One follower's place for one snapshot; a newer one takes the place of an unread one."""

    def __init__(self, subscriptions: Subscriptions) -> None:
        self._subscriptions = subscriptions
        self._arrived = threading.Condition()
        self._waiting: Snapshot | None = None
        self._closed = False

    def get(self, timeout_s: float) -> Snapshot | None:
        """Wait for the next snapshot; None where none came in time, or after the end."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._waiting is not None or self._closed, timeout_s)
            snapshot, self._waiting = self._waiting, None
            return snapshot

    def put(self, snapshot: Snapshot) -> None:
        """Leave a snapshot; never waits."""
        with self._arrived:
            self._waiting = snapshot
            self._arrived.notify_all()

    def close(self) -> None:
        """Follow no longer; whoever waits is let go."""
        self._subscriptions.forget(self)
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Subscriptions:
    """All who follow the table."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Subscription] = []

    def __len__(self) -> int:
        """Return how many follow."""
        return len(self._all)

    def open(self) -> Subscription:
        """Return a place for one more follower."""
        subscription = Subscription(self)
        with self._lock:
            self._all.append(subscription)
        return subscription

    def forget(self, subscription: Subscription) -> None:
        """Send this one nothing more."""
        with self._lock:
            if subscription in self._all:
                self._all.remove(subscription)

    def publish(self, snapshot: Snapshot) -> None:
        """Give a snapshot to everyone."""
        with self._lock:
            everyone = tuple(self._all)
        for subscription in everyone:
            subscription.put(snapshot)

    def close(self) -> None:
        """Let all go."""
        with self._lock:
            everyone = tuple(self._all)
        for subscription in everyone:
            subscription.close()
