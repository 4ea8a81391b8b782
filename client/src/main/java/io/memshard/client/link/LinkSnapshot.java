// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;

/**
 * State of a link when a command has timed out, for the message of the failure. Times too short to matter are 0.
 *
 * @param position position of the command among those in flight, from 1 for the oldest; 0 if it is not in flight
 * @param readerHeldUpNanos time for which other code kept the reader from reading
 * @param timerHeldUpNanos time for which the process stood still or had no CPU
 */
public record LinkSnapshot(
        int position, int inFlight, long silenceNanos, String reader, long readerHeldUpNanos, long timerHeldUpNanos) {

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (position > 0) {
            text.append(position).append(" of ");
        }
        text.append(Math.max(position, inFlight)).append(" in flight, nothing received for ");
        append(text, silenceNanos);
        if (readerHeldUpNanos > 0) {
            text.append(", its ").append(reader).append(" was blocked for ");
            append(text, readerHeldUpNanos);
        }
        if (timerHeldUpNanos > 0) {
            text.append(", this process stood still or had no CPU for ");
            append(text, timerHeldUpNanos);
        }
        return text.toString();
    }

    boolean blamesReader() {
        return readerHeldUpNanos - timerHeldUpNanos >= StallDetector.NOTEWORTHY_NANOS;
    }

    private static void append(StringBuilder text, long nanos) {
        text.append(TimeUnit.NANOSECONDS.toMillis(nanos)).append(" ms");
    }
}
