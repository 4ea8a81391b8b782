// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;

/**
 * Command that changes the state of the server. The server acknowledges it with one word.
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
     * Returns a {@code flush_all} command, which expires every item that was stored before a given time.
     *
     * @param exptime the time in memcached's terms: 0 for now, a number of seconds from now up to 30 days, or else a
     *     unix time
     */
    public static ServerAction flushAll(int exptime) {
        return new ServerAction("flush_all " + exptime, "OK");
    }

    /** Returns a {@code verbosity} command, which sets how much the server logs; the lowest level is 0. */
    public static ServerAction verbosity(int level) {
        return new ServerAction("verbosity " + level, "OK");
    }

    /** Returns a {@code stats reset} command, which sets the counters to 0. */
    public static ServerAction resetStats() {
        return new ServerAction("stats reset", "RESET");
    }

    /**
     * Returns a {@code stats detail on} or {@code stats detail off} command. The command starts or stops the counting
     * of commands by key prefix.
     */
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

    /** Returns the word with which the server acknowledges the command. */
    @Override
    public String result() {
        return acknowledgement;
    }
}
