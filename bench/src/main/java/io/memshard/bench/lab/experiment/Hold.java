// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Time for which a caller keeps a borrowed object. */
public final class Hold {

    /** Parameter with the time for which a caller keeps an object: {@code none} or, for example, {@code park-200us}. */
    public static final String PARAMETER = "hold";

    private final long nanos;
    private long count;
    private long heldNanos;

    private Hold(long nanos) {
        this.nanos = nanos;
    }

    static boolean isNone(Condition condition) {
        return of(condition).nanos == 0;
    }

    public static Hold of(Condition condition) {
        String text = condition.text(PARAMETER, "none");
        if (!text.matches("none|park-\\d{1,9}us")) {
            throw new IllegalArgumentException(
                    "hold is \"" + text + "\", but must be none or a time such as park-200us");
        }
        String micros = text.replaceAll("\\D", "");
        return new Hold(micros.isEmpty() ? 0 : TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros)));
    }

    public void hold() {
        if (nanos == 0) {
            return;
        }
        long start = System.nanoTime();
        long now = start;
        while (now - start < nanos) {
            LockSupport.parkNanos(nanos - (now - start));
            now = System.nanoTime();
        }
        count++;
        heldNanos += now - start;
    }

    public static double meanMicros(Stream<Hold> callers) {
        return callers.mapToDouble(hold -> hold.count == 0 ? 0 : hold.heldNanos / 1e3 / hold.count)
                .average()
                .orElse(0);
    }
}
