// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;

/**
 * What a link looks like from a command that has run out of time: what its message and its event say.
 *
 * @param position of the command among those in flight, the oldest being 1; 0 if it is not among them
 * @param inFlight how many commands are queued or await their reply
 * @param silenceNanos how long ago bytes last came from the server
 * @param reader the thread that decodes replies: {@code event loop} or {@code reading thread}
 * @param readerHeldUpNanos for how long the reader was kept from reading, by what it ran instead; 0 if it was not
 * @param timerHeldUpNanos for how long no timer ran, because the process stood still or had no CPU; 0 if one did
 */
public record LinkSnapshot(
        int position, int inFlight, long silenceNanos, String reader, long readerHeldUpNanos, long timerHeldUpNanos) {

    /** As a message goes on with: {@code 3rd of 12 in flight, nothing received for 900 ms}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (position > 0) {
            text.append(ordinal(position)).append(" of ");
        }
        text.append(Math.max(position, inFlight)).append(" in flight, nothing received for ");
        append(text, silenceNanos);
        if (readerHeldUpNanos > 0) {
            text.append(", its ").append(reader).append(" was held up for ");
            append(text, readerHeldUpNanos);
        }
        if (timerHeldUpNanos > 0) {
            text.append(", this process stood still or had no CPU for ");
            append(text, timerHeldUpNanos);
        }
        return text.toString();
    }

    /** Whether a reply may be there that was not read, or a request that was not written, for want of a thread. */
    boolean blamesThisProcess() {
        return readerHeldUpNanos > 0 || timerHeldUpNanos > 0;
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
