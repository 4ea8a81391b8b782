// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Text command for a whole server (protocol.txt, sections "Statistics" and "Other commands").
 *
 * <p>Its reply has no opaque, so a {@code version} command follows. If the last line does not reply to {@code version},
 * decoding fails, because the lines before may belong to another command.
 */
public final class OperatorCommand<T> extends Command<T> {

    public static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final int BYTES_TO_KEEP_A_LINE = 128;

    private static final byte[] BARRIER_REPLY = "VERSION ".getBytes(US_ASCII);
    private static final byte[] STAT = "STAT ".getBytes(US_ASCII);
    private static final byte[] PREFIX = "PREFIX ".getBytes(US_ASCII);
    private static final String END = "END";

    private final String line;
    private final String last;
    private final Function<Map<String, String>, T> outcome;
    private final Map<String, String> stats = new LinkedHashMap<>();
    private long bytes;
    private boolean answered;

    private OperatorCommand(String line, String last, Function<Map<String, String>, T> outcome) {
        this.line = line;
        this.last = last;
        this.outcome = outcome;
    }

    private static OperatorCommand<String> action(String line, String acknowledgement) {
        return new OperatorCommand<>(line, acknowledgement, none -> acknowledgement);
    }

    public static OperatorCommand<Map<String, String>> stats(String group) {
        return new OperatorCommand<>(group.isEmpty() ? "stats" : "stats " + group, END, Collections::unmodifiableMap);
    }

    public static OperatorCommand<String> flushAll(int exptime) {
        return action("flush_all " + exptime, "OK");
    }

    public static OperatorCommand<String> verbosity(int level) {
        return action("verbosity " + level, "OK");
    }

    public static OperatorCommand<String> resetStats() {
        return action("stats reset", "RESET");
    }

    public static OperatorCommand<String> countPrefixes(boolean on) {
        return action(on ? "stats detail on" : "stats detail off", "OK");
    }

    @Override
    public String verb() {
        return operation().equals("stats") ? line : operation();
    }

    @Override
    public String operation() {
        return line.split(" ", 2)[0];
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        out.append(line).endLine().append("version").endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (in.nextLine()) {
            if (!answered) {
                answered = takeLine(in);
            } else if (in.lineStartsWith(BARRIER_REPLY)) {
                return true;
            } else {
                throw in.malformed("the server sent a line that is not a reply to version after " + verb());
            }
        }
        return false;
    }

    private boolean takeLine(ReplyBuffer in) throws MalformedReplyException {
        boolean isStat = in.lineStartsWith(STAT);
        if (last.equals(END) && (isStat || in.lineStartsWith(PREFIX))) {
            keep(in.line(), isStat ? STAT.length : PREFIX.length);
            return false;
        }
        if (!in.line().equals(last)) {
            if (bytes > 0) {
                throw in.malformed("the server sent a line that is not a reply to stats");
            }
            takeErrorOrReject(in);
        } else if (bytes > MAX_BYTES) {
            fail(new ErrorReply(
                    ErrorReply.Kind.VALUE_TOO_LARGE,
                    "the reply to stats would need more than this client's limit of " + MAX_BYTES + " bytes"));
        }
        return true;
    }

    private void keep(String stat, int nameStart) {
        bytes += stat.length() + BYTES_TO_KEEP_A_LINE;
        if (bytes > MAX_BYTES) {
            stats.clear();
            return;
        }
        int nameEnd = stat.indexOf(' ', nameStart);
        String name = stat.substring(nameStart, nameEnd < 0 ? stat.length() : nameEnd);
        stats.put(name, nameEnd < 0 ? "" : stat.substring(nameEnd + 1));
    }

    @Override
    public T result() {
        return outcome.apply(stats);
    }
}
