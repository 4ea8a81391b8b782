// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Authentication of a connection before its first command, if users exist, like memcached with {@code -Y}.
 *
 * <p>{@code Protocol}: protocol.txt, "Authentication": a {@code set} of any key whose data is {@code user password}.
 *
 * <p>{@code Threading}: confined to the event loop of its channel.
 */
final class PasswordCheck {

    static final String STORED = "STORED";

    private static final String UNAUTHENTICATED = "CLIENT_ERROR unauthenticated";

    private static final int SHORTEST_LINE = 2;
    private static final int LONGEST_UNFINISHED_LINE = 2048;

    /** Size of memcached's buffer for requests, which does not grow before the client is authenticated. */
    private static final int LONGEST_DATA = 16 * 1024;

    private static final int DATA_EXPECTED = 5;
    private static final String END_OF_LINE = "\r\n";

    private final Map<String, String> users;
    private final StatsCounters stats;

    /** Length of the data including its end of line; negative while a line is read. */
    private long awaitedLength = -1;

    PasswordCheck(Map<String, String> users, StatsCounters stats) {
        this.users = users;
        this.stats = stats;
    }

    /** Returns whether memcached would close the connection, because an unfinished line or data block is too long. */
    boolean isOverrunBy(ByteBuf in) {
        return awaitedLength < 0
                ? in.readableBytes() > LONGEST_UNFINISHED_LINE && in.bytesBefore((byte) '\n') < 0
                : awaitedLength > LONGEST_DATA && in.readableBytes() >= LONGEST_DATA;
    }

    /** Reads one complete line or data block; returns the reply, or null if the reply is not determined yet. */
    @Nullable
    String step(ByteBuf in) {
        if (awaitedLength < 0) {
            return line(in);
        }
        if (in.readableBytes() < awaitedLength) {
            return null;
        }
        String data = in.readCharSequence((int) awaitedLength, StandardCharsets.ISO_8859_1)
                .toString();
        awaitedLength = -1;
        return reply(data);
    }

    private @Nullable String line(ByteBuf in) {
        int length = in.bytesBefore((byte) '\n');
        if (length < 0 || in.readableBytes() < SHORTEST_LINE) {
            return null;
        }
        String line = in.readCharSequence(length, StandardCharsets.ISO_8859_1).toString();
        List<String> tokens = Session.split(Session.upToNul(line));
        in.skipBytes(1);
        OptionalLong dataLength =
                tokens.size() >= DATA_EXPECTED && tokens.get(0).equals("set")
                        ? Numbers.parseUnsigned(tokens.get(DATA_EXPECTED - 1))
                        : OptionalLong.empty();
        if (dataLength.isEmpty()) {
            return UNAUTHENTICATED;
        }
        awaitedLength = Integer.toUnsignedLong((int) dataLength.getAsLong()) + END_OF_LINE.length();
        return null;
    }

    private String reply(String data) {
        if (!data.endsWith(END_OF_LINE)) {
            return "CLIENT_ERROR bad command line termination";
        }
        String text = Session.upToNul(data.substring(0, data.length() - END_OF_LINE.length()));
        List<String> tokens = Session.split(text);
        if (tokens.size() < 2) {
            return "CLIENT_ERROR bad authentication token format";
        }
        stats.count("auth_cmds");
        if (tokens.get(1).equals(users.get(tokens.get(0)))) {
            return STORED;
        }
        stats.count("auth_errors");
        return "CLIENT_ERROR authentication failure";
    }
}
