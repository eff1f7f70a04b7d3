"""BLAS's threads are limited while vectors are made, and given back afterwards."""

import threading
import time

import numpy  # noqa: F401  # its BLAS is what is limited
from threadpoolctl import ThreadpoolController

from hermes_core.blas import _line, one_thread


def threads_now():
    return [library.num_threads for library in ThreadpoolController().select(user_api="blas").lib_controllers]


def test_one_thread_inside_and_what_was_before_outside():
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        before = threads_now()
        with one_thread():
            assert set(threads_now()) == {1}
            with one_thread():
                pass
            assert set(threads_now()) == {1}
        assert threads_now() == before


def test_many_threads_leave_it_as_it_was():
    before, seen = threads_now(), []

    def work():
        for _ in range(20):
            with one_thread():
                seen.append(set(threads_now()) == {1})

    run(work, 6)
    assert seen == [True] * 120
    assert threads_now() == before


def test_whoever_asks_first_is_served_first():
    order, started = [], threading.Barrier(2)

    def batch():
        for step in range(3):
            with one_thread():
                order.append("batch")
                if step == 0:
                    started.wait()
                    while not _line._waiting:  # the query is in line now
                        time.sleep(0.001)

    def query():
        started.wait()
        with one_thread():
            order.append("query")

    threads = [threading.Thread(target=batch), threading.Thread(target=query)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert order == ["batch", "query", "batch", "batch"]


def test_a_failure_inside_lets_the_next_one_in():
    for _ in range(2):
        try:
            with one_thread():
                raise ValueError
        except ValueError:
            pass
    assert not _line._held


def run(work, count):
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
