// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.OpenedArm;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Pattern of a client: callers offer a request and wait for its answer, and one thread answers all waiting requests.
 *
 * <p>Memory effects: {@code sleeping} is volatile. A caller offers, executes a full fence and then reads {@code
 * sleeping}. The answering thread sets {@code sleeping} and then checks the queue again. So at least one of the two
 * threads sees the write of the other thread.
 */
final class RequestRound implements OpenedArm {

    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final BlockingQueue<Request> queue;
    private final Thread answering = new Thread(this::answerAll, "answering");
    private volatile boolean sleeping;
    private volatile boolean closed;

    RequestRound(BlockingQueue<Request> queue) {
        this.queue = queue;
        answering.setDaemon(true);
        answering.start();
    }

    @Override
    public Cycle cycle(int caller) {
        return this::ask;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(answering);
    }

    private void answerAll() {
        List<Request> batch = new ArrayList<>();
        while (!closed) {
            if (queue.drainTo(batch) > 0) {
                batch.forEach(Request::complete);
                batch.clear();
            } else {
                sleep();
            }
        }
    }

    private void sleep() {
        sleeping = true;
        if (queue.isEmpty() && !closed) {
            LockSupport.parkNanos(this, LONGEST_SLEEP_NANOS);
        }
        sleeping = false;
    }

    private long ask(long number) throws TimeoutException {
        Request request = new Request(number, Thread.currentThread());
        queue.add(request);
        VarHandle.fullFence();
        if (sleeping) {
            LockSupport.unpark(answering);
        }
        long deadline = System.nanoTime() + LONGEST_WAIT_NANOS;
        while (request.answer < 0) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new TimeoutException("the request had no answer within 10 s");
            }
            LockSupport.parkNanos(this, left);
        }
        return request.answer;
    }

    static final class Request {

        private final long number;
        private final Thread caller;
        private volatile long answer = -1;

        Request(long number, Thread caller) {
            this.number = number;
            this.caller = caller;
        }

        void complete() {
            answer = number + 1;
            LockSupport.unpark(caller);
        }
    }
}
