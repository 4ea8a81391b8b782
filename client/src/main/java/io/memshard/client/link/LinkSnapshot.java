// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;

/**
 * State of a link as seen by a command that has timed out, for the message and the event of its failure.
 *
 * @param position position of the command among those in flight, from 1 for the oldest; 0 if it is not in flight
 * @param silenceNanos time since bytes last arrived from the server
 * @param reader the thread that decodes replies: {@code event loop} or {@code reading thread}
 * @param readerHeldUpNanos time for which other code on the reader's thread kept it from reading; 0 for none
 * @param timerHeldUpNanos time for which the process stood still or had no CPU; 0 for none
 */
public record LinkSnapshot(
        int position, int inFlight, long silenceNanos, String reader, long readerHeldUpNanos, long timerHeldUpNanos) {

    /** Returns the continuation of a message: {@code 3rd of 12 in flight, nothing received for 900 ms}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (position > 0) {
            text.append(ordinal(position)).append(" of ");
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

    /** Returns whether the reader was held up while the process was not, so that a reply may be unread. */
    boolean blamesReader() {
        return readerHeldUpNanos - timerHeldUpNanos >= StallDetector.NOTEWORTHY_NANOS;
    }

    private static void append(StringBuilder text, long nanos) {
        text.append(TimeUnit.NANOSECONDS.toMillis(nanos)).append(" ms");
    }

    private static String ordinal(int number) {
        boolean teen = number / 10 % 10 == 1;
        return number
                + switch (teen ? 0 : number % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
