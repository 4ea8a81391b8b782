// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.faults;

import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/**
 * Errors that places in the client's code throw: none, or one at random in so many places reached. Code that {@link
 * FaultyClassLoader} has rewritten calls {@link #reached}.
 *
 * <p>Threading: thread-safe, but for one test at a time.
 */
public final class FaultPoints {

    /** Kind of a place: the entry of a method, where the stack may end. */
    static final int METHOD = 0;

    /** Kind of a place: an allocation, or a call of another library that may allocate. */
    static final int ALLOCATION = 1;

    private static final String INJECTED = "injected";

    private static final Random RANDOM = new Random(42);
    private static final LongAdder PASSES = new LongAdder();
    private static final LongAdder THROWN = new LongAdder();

    private static volatile int oneIn;

    private FaultPoints() {}

    /** Throws an Error at one in {@code places} of the places reached from now on, chosen at random. */
    public static void throwAtOneIn(int places) {
        oneIn = places;
    }

    public static void stop() {
        oneIn = 0;
    }

    public static long passes() {
        return PASSES.sum();
    }

    public static long thrown() {
        return THROWN.sum();
    }

    /** Returns whether this is an Error thrown here, or has one as its cause. */
    public static boolean isInjected(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof Error && INJECTED.equals(e.getMessage())) {
                return true;
            }
        }
        return false;
    }

    /** Called by the rewritten code. */
    public static void reached(int kind) {
        PASSES.increment();
        int places = oneIn;
        if (places > 0 && RANDOM.nextInt(places) == 0 && !isInitializing()) {
            THROWN.increment();
            throw kind == METHOD ? new StackOverflowError(INJECTED) : new OutOfMemoryError(INJECTED);
        }
    }

    /** A class whose initializer has failed never works again. */
    private static boolean isInitializing() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("<clinit>")));
    }
}
