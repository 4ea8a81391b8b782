// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Time for which a caller holds a borrowed object, with the time that the holds really took. For example, a park of 200
 * microseconds takes 250 or more.
 *
 * <p>Threading: confined to one caller.
 */
public final class Hold {

    /** Parameter of a condition with the text that {@link #of} takes. */
    public static final String PARAMETER = "hold";

    private final boolean parks;
    private final long nanos;
    private long count;
    private long heldNanos;

    private Hold(boolean parks, long nanos) {
        this.parks = parks;
        this.nanos = nanos;
    }

    /** Returns the hold {@code none}, {@code spin-20us} or {@code park-200us}. */
    public static Hold of(String text) {
        if (text.equals("none") || text.equals("0")) {
            return new Hold(false, 0);
        }
        if (!text.matches("(spin|park)-\\d{1,9}us")) {
            throw new IllegalArgumentException("a hold must be none, spin-Nus or park-Nus, not \"" + text + "\"");
        }
        long micros = Long.parseLong(text.substring("spin-".length(), text.length() - "us".length()));
        return new Hold(text.startsWith("park"), TimeUnit.MICROSECONDS.toNanos(micros));
    }

    /** Returns whether callers give back a borrowed object at once under {@code condition}. */
    static boolean isNone(Condition condition) {
        return of(condition).nanos == 0;
    }

    /** Returns the hold that {@code condition} names; none if it names none. */
    public static Hold of(Condition condition) {
        return of(condition.text(PARAMETER, "none"));
    }

    /** Holds the borrowed object for this time. */
    public void hold() {
        if (nanos == 0) {
            return;
        }
        long start = System.nanoTime();
        long now = start;
        while (now - start < nanos) {
            if (parks) {
                LockSupport.parkNanos(nanos - (now - start));
            } else {
                Thread.onSpinWait();
            }
            now = System.nanoTime();
        }
        count++;
        heldNanos += now - start;
    }

    /** Returns the mean over callers of the mean time of a hold in microseconds; 0 if there was none. */
    public static double meanMicros(Stream<Hold> callers) {
        return callers.mapToDouble(hold -> hold.count == 0 ? 0 : hold.heldNanos / 1e3 / hold.count)
                .average()
                .orElse(0);
    }
}
