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
 * Work as in a client: callers queue requests, and one thread answers all queued requests.
 *
 * <p>Memory effects: a caller queues its request, and then reads {@code sleeping} after a full fence. The answering
 * thread sets {@code sleeping} (volatile), and then checks the queue again. So at least one of the two threads sees
 * what the other wrote.
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
