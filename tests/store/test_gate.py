"""Readers together, a changer alone."""

import threading

from autodream.store.engines.gate import Gate


def test_readers_pass_together() -> None:
    gate, meeting = Gate(), threading.Barrier(3, timeout=10)

    def read() -> None:
        with gate.shared():
            meeting.wait()

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    with gate.shared():
        meeting.wait()
    for thread in threads:
        thread.join()
    assert not meeting.broken


def test_a_changer_waits_for_readers_and_keeps_others_out() -> None:
    gate, order, inside = Gate(), [], threading.Event()

    def change() -> None:
        inside.wait(10)
        with gate.exclusive():
            order.append("change")

    def late_read() -> None:
        changing.join()
        with gate.shared():
            order.append("late read")

    changing, reading = threading.Thread(target=change), threading.Thread(target=late_read)
    with gate.shared():
        changing.start()
        reading.start()
        inside.set()
        changing.join(0.05)
        order.append("first read")
    reading.join(10)
    assert order == ["first read", "change", "late read"]


def test_a_failing_holder_lets_go() -> None:
    gate = Gate()
    for enter in (gate.shared, gate.exclusive, gate.shared):
        try:
            with enter():
                raise RuntimeError
        except RuntimeError:
            continue
    entered = threading.Event()

    def change() -> None:
        with gate.exclusive():
            entered.set()

    threading.Thread(target=change, daemon=True).start()
    assert entered.wait(10)
