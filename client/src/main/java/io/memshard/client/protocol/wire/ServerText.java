// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Converter of a server's lines to short, printable text for messages, without parts of values. */
public final class ServerText {

    public static final int MAX_CHARS = 200;

    private static final Set<String> ERRORS = Set.of("ERROR", "CLIENT_ERROR", "SERVER_ERROR");

    /** Frequent error lines without keys. Other error lines may repeat the request with its key. */
    private static final Set<String> MEMCACHEDS_OWN = Set.of(
            "ERROR",
            MalformedReplyException.SERVER_FULL,
            "CLIENT_ERROR authentication failure",
            "CLIENT_ERROR bad command line format",
            "CLIENT_ERROR bad data chunk",
            "CLIENT_ERROR cannot increment or decrement non-numeric value",
            "CLIENT_ERROR invalid flag",
            "CLIENT_ERROR invalid or duplicate flag",
            "CLIENT_ERROR line too long",
            "CLIENT_ERROR unauthenticated",
            "SERVER_ERROR Out of memory allocating item",
            "SERVER_ERROR object too large for cache",
            "SERVER_ERROR out of memory",
            "SERVER_ERROR out of memory storing object",
            "SERVER_ERROR out of memory writing get response");

    /** First words of replies that messages show. */
    private static final Set<String> FIRST_WORDS = Set.of(
            "VA HD EN NS EX NF MN ME VALUE END STORED NOT_STORED EXISTS NOT_FOUND DELETED TOUCHED VERSION STAT PREFIX"
                    .concat(" RESET OK BUSY HTTP/1.0 HTTP/1.1 -ERR")
                    .split(" "));

    private static final Map<String, String> OTHERS = Map.of(
            "HTTP/", "a web server",
            "-ERR ", "Redis",
            "-NOAUTH ", "Redis",
            "-DENIED ", "Redis",
            "\25\3", "a server that speaks TLS; set tls");

    /** Number, or flag with or without a number, except the flag {@code k}, whose token is the key. */
    private static final Pattern NUMBER = Pattern.compile("[A-Za-jl-z]?[0-9]{0,20}");

    private ServerText() {}

    public static String ofError(String line) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            String escaped = c >= ' ' && c <= '~' ? String.valueOf(c) : String.format("\\x%02x", c & 0xff);
            if (shown.length() + escaped.length() > MAX_CHARS) {
                return shown.append("... (")
                        .append(line.length())
                        .append(" bytes)")
                        .toString();
            }
            shown.append(escaped);
        }
        return shown.toString();
    }

    public static String ofError(String line, boolean hidesKeys) {
        return hidesKeys && !isMemcachedsOwn(line) ? withoutText(line) : ofError(line);
    }

    public static boolean isMemcachedsOwn(String line) {
        return MEMCACHEDS_OWN.contains(line.stripTrailing());
    }

    public static boolean isError(String line) {
        return ERRORS.contains(line.split(" ", 2)[0]);
    }

    public static String ofReply(String line, boolean hidesKeys) {
        String shown = shown(line, hidesKeys);
        return OTHERS.entrySet().stream()
                .filter(other -> line.startsWith(other.getKey()))
                .map(other -> shown + ", like " + other.getValue())
                .findAny()
                .orElse(shown);
    }

    private static String shown(String line, boolean hidesKeys) {
        String[] words = line.split(" ", -1);
        if (ERRORS.contains(words[0])) {
            return '"' + ofError(line, hidesKeys) + '"';
        }
        if (!FIRST_WORDS.contains(words[0])) {
            return line.length() + " bytes that are not a reply";
        }
        for (int i = 1; i < words.length; i++) {
            boolean isKey = i == 1 && (words[0].equals("VALUE") || words[0].equals("ME"));
            words[i] = !isKey && NUMBER.matcher(words[i]).matches() ? words[i] : "...";
        }
        return '"' + ofError(String.join(" ", words)) + '"';
    }

    public static String withoutText(String line) {
        String word = isError(line) ? line.split(" ", 2)[0] : "";
        return (word.isEmpty() ? "" : word + " and ") + (line.length() - word.length()) + " bytes that are not shown";
    }
}
