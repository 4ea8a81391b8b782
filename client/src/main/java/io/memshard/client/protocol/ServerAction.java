// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;

/**
 * Command that changes the state of the server, which acknowledges the command with one word.
 *
 * <p>Protocol: {@code flush_all <exptime>}, {@code verbosity <level>}, {@code stats detail on|off}, replied {@code OK},
 * and {@code stats reset}, replied {@code RESET}; protocol.txt, section "Other commands".
 */
public final class ServerAction extends OperatorCommand<String> {

    private final String acknowledgement;

    private ServerAction(String request, String acknowledgement) {
        super(request);
        this.acknowledgement = acknowledgement;
    }

    /**
     * Returns a {@code flush_all} command, which expires every item that was stored before {@code exptime}. An exptime
     * of 0 means now; up to 2,592,000 (30 days) it is in seconds from now; a greater number is a unix time.
     */
    public static ServerAction flushAll(int exptime) {
        return new ServerAction("flush_all " + exptime, "OK");
    }

    /** Returns a {@code verbosity} command; at level 0 the server logs the least. */
    public static ServerAction verbosity(int level) {
        return new ServerAction("verbosity " + level, "OK");
    }

    public static ServerAction resetStats() {
        return new ServerAction("stats reset", "RESET");
    }

    /** Returns a command that starts or stops the counting of commands by key prefix. */
    public static ServerAction countPrefixes(boolean on) {
        return new ServerAction(on ? "stats detail on" : "stats detail off", "OK");
    }

    @Override
    boolean takeLine(ReplyBuffer in) throws MalformedReplyException {
        if (in.line().equals(acknowledgement)) {
            return true;
        }
        if (errorIn(in) == null) {
            throw in.malformed("not a reply to " + verb());
        }
        return false;
    }

    @Override
    public String result() {
        return acknowledgement;
    }
}
