// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Command {@code stats}, which reads the server's statistics as names and values.
 *
 * <p>If a reply is above {@link #MAX_BYTES}, the command fails, and the rest of the reply is dropped. So no reply can
 * exhaust the client's memory.
 *
 * <p>Protocol: {@code stats <group>\r\n}, replied {@code STAT <name> <value>\r\n} or, for {@code detail dump}, {@code
 * PREFIX <name> <counters>\r\n} any number of times, then {@code END\r\n}; protocol.txt, section "Statistics". A name
 * or a value may be empty.
 */
public final class Stats extends OperatorCommand<Map<String, String>> {

    public static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final int BYTES_TO_KEEP_A_LINE = 128;

    private static final byte[] STAT = "STAT ".getBytes(US_ASCII);
    private static final byte[] PREFIX = "PREFIX ".getBytes(US_ASCII);

    private final Map<String, String> stats = new LinkedHashMap<>();
    private long bytes;

    /** Creates a command for a group such as {@code items}; empty for the general statistics. */
    public Stats(String group) {
        super(group.isEmpty() ? "stats" : "stats " + group);
    }

    @Override
    boolean takeLine(ReplyBuffer in) throws MalformedReplyException {
        if (in.lineStartsWith(STAT)) {
            keep(in.line(), STAT.length);
            return false;
        }
        if (in.lineStartsWith(PREFIX)) {
            keep(in.line(), PREFIX.length);
            return false;
        }
        if (in.line().equals("END")) {
            if (bytes > MAX_BYTES) {
                fail(
                        ErrorReply.Kind.VALUE_TOO_LARGE,
                        "the reply to stats is above this client's limit of " + MAX_BYTES + " bytes");
            }
            return true;
        }
        if (!stats.isEmpty() || bytes > 0 || errorIn(in) == null) {
            throw in.malformed("not a reply to stats");
        }
        return false;
    }

    private void keep(String line, int nameStart) {
        bytes += line.length() + BYTES_TO_KEEP_A_LINE;
        if (bytes > MAX_BYTES) {
            stats.clear();
            return;
        }
        int nameEnd = line.indexOf(' ', nameStart);
        String name = line.substring(nameStart, nameEnd < 0 ? line.length() : nameEnd);
        stats.put(name, nameEnd < 0 ? "" : line.substring(nameEnd + 1));
    }

    @Override
    public Map<String, String> result() {
        return Collections.unmodifiableMap(stats);
    }
}
