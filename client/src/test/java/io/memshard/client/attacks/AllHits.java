// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replies of a server that has an item under each key. Only a {@code get} of a probe misses. The common meta and
 * classic commands succeed; any other line gets no reply. Tests use these replies to check the data that a {@code
 * ScriptedServer} received.
 */
final class AllHits {

    private static final Pattern OPAQUE = Pattern.compile(" O[\\d.]+");

    private AllHits() {}

    /**
     * Returns the reply to a line: empty for a block of data.
     *
     * @param line the line without its end; if it has several keys, the reply is for the first
     */
    static String replyTo(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0]) {
            case "mn" -> "MN\r\n";
            case "version" -> "VERSION 1.6.18\r\n";
            case "mg" -> "VA 1 f0 c1" + opaqueOf(line) + "\r\n1\r\n";
            case "ms", "md" -> "HD" + opaqueOf(line) + "\r\n";
            case "get" -> words[1].equals("memshard:probe") ? "END\r\n" : "VALUE " + words[1] + " 0 1\r\n1\r\nEND\r\n";
            case "gets" -> "VALUE " + words[1] + " 0 1 1\r\n1\r\nEND\r\n";
            case "set" -> "STORED\r\n";
            case "delete" -> "DELETED\r\n";
            case "touch" -> "TOUCHED\r\n";
            default -> "";
        };
    }

    private static String opaqueOf(String line) {
        Matcher opaque = OPAQUE.matcher(line);
        return opaque.find() ? opaque.group() : "";
    }
}
