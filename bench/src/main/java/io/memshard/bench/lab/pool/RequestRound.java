// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.OpenedArm;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Pattern of a client: callers offer a request and wait for its answer; one thread takes requests and answers them.
 *
 * <p>The answering thread sleeps when the queue is empty. A caller that finds it sleeping after an offer wakes it. All
 * queues are used with this kind of waiting, which spymemcached's selector has too, so only the queues differ. Every
 * wait has a time limit, so that no caller hangs if a request is lost.
 *
 * <p>Memory effects: {@code sleeping} is volatile. A caller offers, executes a full fence and then reads {@code
 * sleeping}. The answering thread sets {@code sleeping} and then checks the queue again. So at least one thread sees
 * the other's write.
 */
final class RequestRound implements OpenedArm {

    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Queue<Object> queue;
    private final boolean drains;
    private final List<Asker> askers = new ArrayList<>();
    private final Thread answering;
    private volatile boolean sleeping;
    private volatile boolean closed;

    /** Number of answered requests. Written by the answering thread, read after it has been joined. */
    private long answered;

    private long rounds;
    private long sleeps;

    RequestRound(Queue<Object> queue, boolean drains, int callers) {
        this.queue = queue;
        this.drains = drains;
        answering = new Thread(() -> answerAll(callers), "answering");
        answering.setDaemon(true);
        answering.start();
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        Asker asker = new Asker();
        askers.add(asker);
        return asker;
    }

    /**
     * Returns, among others, {@code consumed}, the number of answers, and {@code lost}, the number of requests without
     * an answer.
     */
    @Override
    public Map<String, Double> figures() {
        close();
        try {
            answering.join(TimeUnit.NANOSECONDS.toMillis(LONGEST_WAIT_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        long asked = askers.stream().mapToLong(asker -> asker.asked).sum();
        double aRound = rounds == 0 ? 0 : (double) answered / rounds;
        double lost = (double) (asked - answered);
        return Map.of(
                "consumed", (double) answered, "lost", lost, "requests_a_round", aRound, "sleeps", (double) sleeps);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(answering);
    }

    private void answerAll(int callers) {
        List<Object> batch = new ArrayList<>(callers);
        while (true) {
            if (drains ? answerDrained(batch) : answerPolled()) {
                rounds++;
            } else if (closed) {
                return;
            } else {
                sleep();
            }
        }
    }

    private boolean answerDrained(List<Object> batch) {
        if (QueueKind.drain(queue, batch) == 0) {
            return false;
        }
        batch.forEach(this::answer);
        batch.clear();
        return true;
    }

    private boolean answerPolled() {
        Object request = queue.poll();
        if (request == null) {
            return false;
        }
        do {
            answer(request);
            request = queue.poll();
        } while (request != null);
        return true;
    }

    private void answer(Object request) {
        answered++;
        ((Request) request).complete();
    }

    private void sleep() {
        sleeping = true;
        if (queue.isEmpty() && !closed) {
            sleeps++;
            LockSupport.parkNanos(this, LONGEST_SLEEP_NANOS);
        }
        sleeping = false;
    }

    /** Request of one caller. A caller makes a new one each time, as clients do. */
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

    private final class Asker implements Cycle {

        private long asked;
        private @Nullable Thread self;

        @Override
        public long run(long number) throws TimeoutException {
            Thread caller = self;
            if (caller == null) {
                caller = Thread.currentThread();
                self = caller;
            }
            Request request = new Request(number, caller);
            if (!queue.offer(request)) {
                throw new IllegalStateException("the queue is full, at the capacity of " + QueueKind.CAPACITY);
            }
            asked++;
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
                LockSupport.parkNanos(RequestRound.this, left);
            }
            if (request.answer != number + 1) {
                throw new IllegalStateException("the answer belongs to another request");
            }
            return request.answer;
        }
    }
}
