// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The places in the client's code where an {@link Error} can be made to happen. Code that {@link FaultyClassLoader} has
 * rewritten calls {@link #reached} at each of them.
 *
 * <p>Public is what the rewritten code and {@link Trial} call, which another class loader has loaded.
 *
 * <p>Threading: thread-safe, but for one trial at a time.
 */
public final class FaultPoints {

    /** More places than there are. */
    private static final int MOST = 64 * 1024;

    private static final String MARK = "injected: ";

    /** What happens at a place, and which Error it can meet. */
    enum Kind {
        METHOD,
        ALLOCATION,
        PARK,
        UNPARK,
        START,
        EXECUTE,
        CALL;

        private Error newError(String message) {
            return this == METHOD ? new StackOverflowError(message) : new OutOfMemoryError(message);
        }
    }

    /**
     * A place in the code.
     *
     * @param method its class and method
     * @param line its line; 0 for that of the method's first statement
     * @param target the type allocated or the method called; empty for the entry of a method
     */
    record Point(Kind kind, String method, int line, String target) {

        @Override
        public String toString() {
            return kind + " " + method + (line == 0 ? "" : ":" + line) + (target.isEmpty() ? "" : " -> " + target);
        }
    }

    /** A part of a trial, which an injection is meant for. */
    public enum Phase {
        LOAD,
        CLOSE
    }

    /**
     * One Error to come.
     *
     * @param point the index of its place
     * @param hit the how many-th time that the place is reached within the phase, from 1
     * @param times how many times in a row it happens
     */
    record Injection(Phase phase, int point, int hit, int times) {

        @Override
        public String toString() {
            return FaultPoints.point(point) + ", time " + hit + (times == 1 ? "" : " to " + (hit + times - 1))
                    + ", phase " + phase;
        }
    }

    /** The first Error that was thrown for an injection, and by which thread. */
    record Thrown(Thread thread, Error error) {}

    private static final List<Point> POINTS = new ArrayList<>();
    private static final AtomicIntegerArray HITS = new AtomicIntegerArray(MOST);
    private static final LongAdder PASSES = new LongAdder();

    private static volatile List<Injection> planned = List.of();
    private static volatile List<Injection> armed = List.of();
    private static volatile @Nullable Thrown thrown;

    /** Whether no allocation of the client succeeds. */
    private static volatile boolean stormy;

    private FaultPoints() {}

    /** Adds a place, and returns its index. */
    static int add(Point point) {
        synchronized (POINTS) {
            POINTS.add(point);
            if (POINTS.size() > MOST) {
                throw new IllegalStateException("more than " + MOST + " places");
            }
            return POINTS.size() - 1;
        }
    }

    static Point point(int index) {
        synchronized (POINTS) {
            return POINTS.get(index);
        }
    }

    /** How many places there are by now. */
    static int size() {
        synchronized (POINTS) {
            return POINTS.size();
        }
    }

    /** Plans the Errors of the next trial. */
    static void plan(List<Injection> injections) {
        planned = List.copyOf(injections);
        armed = List.of();
        thrown = null;
    }

    /** Counts from zero, and lets those planned Errors happen that are for this phase. */
    public static void begin(Phase phase) {
        for (int i = 0; i < size(); i++) {
            HITS.set(i, 0);
        }
        armed = planned.stream().filter(each -> each.phase == phase).toList();
    }

    /** Lets nothing happen from now on. Returns how often each place was reached since {@link #begin}. */
    public static int[] end() {
        armed = List.of();
        int[] hits = new int[size()];
        for (int i = 0; i < hits.length; i++) {
            hits[i] = HITS.get(i);
        }
        return hits;
    }

    /** What was thrown for the plan; null if nothing was. */
    static @Nullable Thrown thrown() {
        return thrown;
    }

    /** How often a place was reached, by any thread, ever: it grows fast while a thread spins. */
    public static long passes() {
        return PASSES.sum();
    }

    /** Whether this is an Error thrown here, or has one as its cause. */
    public static boolean isInjected(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            String message = e.getMessage();
            if (e instanceof Error && message != null && message.startsWith(MARK)) {
                return true;
            }
        }
        return false;
    }

    /** Has each allocation fail from now on, as where the heap is full, or none. */
    public static void storm(boolean begins) {
        stormy = begins;
    }

    private static boolean allocates(Kind kind) {
        return switch (kind) {
            case ALLOCATION, START, EXECUTE, CALL -> true;
            case METHOD, PARK, UNPARK -> false;
        };
    }

    /** Called by the rewritten code. */
    public static void reached(int index) {
        int hit = HITS.incrementAndGet(index);
        PASSES.increment();
        if (stormy && allocates(POINTS.get(index).kind)) {
            throw POINTS.get(index).kind.newError(MARK + "storm");
        }
        List<Injection> injections = armed;
        for (int i = 0; i < injections.size(); i++) {
            Injection injection = injections.get(i);
            if (injection.point == index && hit >= injection.hit && hit < injection.hit + injection.times) {
                Error error = POINTS.get(index).kind.newError(MARK + injection);
                if (thrown == null) {
                    thrown = new Thrown(Thread.currentThread(), error);
                }
                throw error;
            }
        }
    }
}
