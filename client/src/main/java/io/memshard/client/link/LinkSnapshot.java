// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;

/** State of a link when a command has timed out, for the message of the failure. */
public record LinkSnapshot(
        int position, int inFlight, long silenceNanos, String reader, long readerHeldUpNanos, long timerHeldUpNanos) {

    @Override
    public String toString() {
        return (position > 0 ? position + " of " : "")
                + Math.max(position, inFlight) + " in flight, nothing received for " + millis(silenceNanos)
                + (readerHeldUpNanos > 0 ? ", its " + reader + " was blocked for " + millis(readerHeldUpNanos) : "")
                + (timerHeldUpNanos > 0
                        ? ", this process was suspended or had no CPU for " + millis(timerHeldUpNanos)
                        : "");
    }

    boolean blamesReader() {
        return readerHeldUpNanos - timerHeldUpNanos >= StallDetector.NOTEWORTHY_NANOS;
    }

    private static String millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }
}
