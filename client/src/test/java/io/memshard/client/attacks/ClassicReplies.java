// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import io.memshard.client.attacks.HostileReply.Asked;
import io.memshard.client.attacks.HostileReply.Ending;
import io.memshard.client.options.Protocol;
import java.util.List;

/** What a hostile server answers to classic commands, whose replies only their order and their keys can tell apart. */
final class ClassicReplies {

    private static final String MIB = "x".repeat(1 << 20);
    private static final String HIT = "VALUE a 0 10\r\nvalue of a\r\n";
    private static final String VERSION = "VERSION 1.6.18\r\n";
    private static final String STATS = "STAT maxconns 1024\r\nEND\r\n";
    private static final String LONG_LINE = "x".repeat(5_000);

    private ClassicReplies() {}

    static List<HostileReply> rows() {
        return List.of(
                // Whose reply is it?
                row("value of another key", Asked.GET, Ending.DISTRUSTED, "VALUE b 0 1\r\nx\r\nEND\r\n"),
                row("value of a longer key", Asked.GET, Ending.DISTRUSTED, "VALUE aa 0 1\r\nx\r\nEND\r\n"),
                row("value of the key in upper case", Asked.GET, Ending.DISTRUSTED, "VALUE A 0 1\r\nx\r\nEND\r\n"),
                row("value of an empty key", Asked.GET, Ending.DISTRUSTED, "VALUE  0 1\r\nx\r\nEND\r\n"),
                row("two values", Asked.GET, Ending.DISTRUSTED, HIT + HIT + "END\r\n"),
                row("value, then another key's", Asked.GET, Ending.DISTRUSTED, HIT + "VALUE b 0 1\r\nx\r\nEND\r\n"),
                row("reply twice", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\n" + HIT + "END\r\n"),
                row("bytes after END", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\n\0\0"),
                row("8 MiB after END", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\n" + MIB.repeat(8)),
                row("END twice", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\nEND\r\n"),
                row("status", Asked.GET, Ending.DISTRUSTED, "STORED\r\n"),
                row("number", Asked.GET, Ending.DISTRUSTED, "5\r\n"),
                row("statistics", Asked.GET, Ending.DISTRUSTED, STATS),
                row("version", Asked.GET, Ending.DISTRUSTED, VERSION),
                row("meta reply", Asked.GET, Ending.DISTRUSTED, "VA 1 f0 O0\r\nx\r\n"),
                row("meta miss", Asked.GET, Ending.DISTRUSTED, "EN\r\n"),
                row(
                        "binary reply",
                        Asked.GET,
                        Ending.DISTRUSTED,
                        "\u0081\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\r\n"),
                row("HTTP", Asked.GET, Ending.DISTRUSTED, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
                row("lower case", Asked.GET, Ending.DISTRUSTED, "value a 0 1\r\nx\r\nend\r\n"),
                row("NUL bytes", Asked.GET, Ending.DISTRUSTED, "\0\0\0\0\r\n"),
                // Sizes, flags, cas uniques.
                row("VALUE alone", Asked.GET, Ending.DISTRUSTED, "VALUE\r\n"),
                row("VALUE and a space", Asked.GET, Ending.DISTRUSTED, "VALUE \r\n"),
                row("key alone", Asked.GET, Ending.DISTRUSTED, "VALUE a\r\n"),
                row("no size", Asked.GET, Ending.DISTRUSTED, "VALUE a 0\r\n"),
                row("size negative", Asked.GET, Ending.DISTRUSTED, "VALUE a 0 -1\r\n\r\nEND\r\n"),
                row("size no number", Asked.GET, Ending.DISTRUSTED, "VALUE a 0 0x1\r\nx\r\nEND\r\n"),
                row("size of 4 GiB", Asked.GET, Ending.DISTRUSTED, "VALUE a 0 4294967296\r\nx\r\nEND\r\n"),
                row(
                        "size above 64 bits",
                        Asked.GET,
                        Ending.DISTRUSTED,
                        "VALUE a 0 18446744073709551617\r\nx\r\nEND\r\n"),
                row("1 GiB that does not come", Asked.GET, Ending.SILENT, "VALUE a 0 1073741824\r\nx"),
                cut("2 GiB, then closed", Asked.GET, Ending.LOST, "VALUE a 0 2147483647\r\nx"),
                row("64 MiB", Asked.GET, Ending.TOO_LARGE, "VALUE a 0 67108864\r\n", MIB, 64, "\r\nEND\r\n"),
                row("size too short", Asked.GET, Ending.DISTRUSTED, "VALUE a 0 1\r\nvalue of a\r\nEND\r\n"),
                row("size too long", Asked.GET, Ending.SILENT, "VALUE a 0 100\r\nvalue of a\r\nEND\r\n"),
                row("flags no number", Asked.GET, Ending.DISTRUSTED, "VALUE a x 1\r\nx\r\nEND\r\n"),
                row("flags negative", Asked.GET, Ending.DISTRUSTED, "VALUE a -1 1\r\nx\r\nEND\r\n"),
                row(
                        "flags above 64 bits",
                        Asked.GET,
                        Ending.DISTRUSTED,
                        "VALUE a 18446744073709551616 1\r\nx\r\nEND\r\n"),
                row("no cas unique", Asked.GETS, Ending.UNSUPPORTED, "VALUE a 0 1\r\nx\r\nEND\r\n"),
                row("cas unique no number", Asked.GETS, Ending.DISTRUSTED, "VALUE a 0 1 x\r\nx\r\nEND\r\n"),
                row(
                        "cas unique above 64 bits",
                        Asked.GETS,
                        Ending.DISTRUSTED,
                        "VALUE a 0 1 18446744073709551616\r\nx\r\nEND\r\n"),
                // Line ends.
                row("line feed alone", Asked.GET, Ending.DISTRUSTED, "END\n"),
                row("empty line", Asked.GET, Ending.DISTRUSTED, "\r\n"),
                row("line without end", Asked.GET, Ending.DISTRUSTED, LONG_LINE),
                row("value without line end", Asked.GET, Ending.DISTRUSTED, "VALUE a 0 10\r\nvalue of aEND\r\n"),
                row("value without END", Asked.GET, Ending.SILENT, HIT),
                cut("closed before END", Asked.GET, Ending.LOST, HIT),
                cut("closed within END", Asked.GET, Ending.LOST, HIT + "END\r"),
                // Errors.
                row("error", Asked.GET, Ending.REFUSED, "ERROR\r\n"),
                row("error of the server", Asked.GET, Ending.REFUSED, "SERVER_ERROR out of memory\r\n"),
                row("error of the client", Asked.GET, Ending.REFUSED, "CLIENT_ERROR bad command line format\r\n"),
                row("error, then a body", Asked.GET, Ending.REFUSED_THEN_REPLACED, "SERVER_ERROR x\r\nbody\r\n"),
                row("error, then the value", Asked.GET, Ending.REFUSED_THEN_REPLACED, "ERROR\r\n" + HIT + "END\r\n"),
                row("error after the value", Asked.GET, Ending.REFUSED, HIT + "SERVER_ERROR out of memory\r\n"),
                row("error without end", Asked.GET, Ending.DISTRUSTED, "SERVER_ERROR " + LONG_LINE),
                row("bad chunk", Asked.GET, Ending.DISTRUSTED, "CLIENT_ERROR bad data chunk\r\n"),
                row("too many connections", Asked.GET, Ending.DISTRUSTED, "ERROR Too many open connections\r\n"),
                // Many keys.
                row("key not asked for", Asked.MANY, Ending.DISTRUSTED, "VALUE b 0 1\r\nx\r\nEND\r\n"),
                row("key twice", Asked.MANY, Ending.DISTRUSTED, HIT + HIT + "END\r\n"),
                row("third value", Asked.MANY, Ending.DISTRUSTED, HIT + "VALUE z 0 1\r\nx\r\n" + HIT + "END\r\n"),
                row("END twice", Asked.MANY, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\nEND\r\n"),
                row("no END", Asked.MANY, Ending.SILENT, HIT),
                row("above the limit", Asked.MANY, Ending.TOO_LARGE, "VALUE a 0 1048577\r\n", MIB, 1, "x\r\nEND\r\n"),
                row("error among values", Asked.MANY, Ending.REFUSED, HIT + "SERVER_ERROR out of memory\r\n"),
                // Writes.
                row("stored twice", Asked.SET, Ending.REPLIED_THEN_REPLACED, "STORED\r\nSTORED\r\n"),
                row("stored, and more", Asked.SET, Ending.DISTRUSTED, "STORED x\r\n"),
                row("value", Asked.SET, Ending.DISTRUSTED, HIT + "END\r\n"),
                row("deleted", Asked.SET, Ending.DISTRUSTED, "DELETED\r\n"),
                row("OK", Asked.SET, Ending.DISTRUSTED, "OK\r\n"),
                row("too large", Asked.SET, Ending.TOO_LARGE, "SERVER_ERROR object too large for cache\r\n"),
                row("error after the data", Asked.SET, Ending.DISTRUSTED, "ERROR\r\n"),
                row("bad chunk", Asked.SET, Ending.DISTRUSTED, "CLIENT_ERROR bad data chunk\r\n"),
                row("touched", Asked.ADD, Ending.DISTRUSTED, "TOUCHED\r\n"),
                row("stored", Asked.DELETE, Ending.DISTRUSTED, "STORED\r\n"),
                row("meta status", Asked.DELETE, Ending.DISTRUSTED, "HD O1\r\n"),
                row("deleted", Asked.TOUCH, Ending.DISTRUSTED, "DELETED\r\n"),
                row("number", Asked.TOUCH, Ending.DISTRUSTED, "5\r\n"),
                row("value at once", Asked.GET_AND_TOUCH, Ending.DISTRUSTED, HIT + "END\r\n"),
                row("other value", Asked.GET_AND_TOUCH, Ending.DISTRUSTED, "TOUCHED\r\nVALUE b 0 1\r\nx\r\nEND\r\n"),
                row("no number", Asked.INCR, Ending.DISTRUSTED, "abc\r\n"),
                row("negative", Asked.INCR, Ending.DISTRUSTED, "-1\r\n"),
                row("above 64 bits", Asked.INCR, Ending.DISTRUSTED, "18446744073709551616\r\n"),
                row("two numbers", Asked.INCR, Ending.DISTRUSTED, "5 6\r\n"),
                row("with spaces", Asked.INCR, Ending.REPLIED, "5  \r\n"),
                row("NUL byte", Asked.INCR, Ending.DISTRUSTED, "5\0\r\n"),
                row("spaces alone", Asked.INCR, Ending.DISTRUSTED, "   \r\n"),
                row("twice", Asked.INCR, Ending.REPLIED_THEN_REPLACED, "5\r\n6\r\n"),
                // Operators' commands.
                row("no version", Asked.VERSION, Ending.DISTRUSTED, "VERSION\r\n"),
                row("no barrier", Asked.STATS, Ending.DISTRUSTED, "STAT a b\r\nEND\r\nEND\r\n"),
                row("line without end", Asked.STATS, Ending.DISTRUSTED, "STAT " + LONG_LINE),
                row(
                        "32 MiB",
                        Asked.STATS,
                        Ending.TOO_LARGE,
                        "",
                        "STAT a b\r\n".repeat(1 << 14),
                        205,
                        "END\r\n" + VERSION),
                row("twice", Asked.STATS, Ending.REPLIED_THEN_REPLACED, STATS + VERSION + STATS));
    }

    private static HostileReply row(String name, Asked asked, Ending ending, String bytes) {
        return HostileReply.sent(Protocol.CLASSIC, name, asked, ending, bytes);
    }

    private static HostileReply cut(String name, Asked asked, Ending ending, String bytes) {
        return HostileReply.cut(Protocol.CLASSIC, name, asked, ending, bytes);
    }

    private static HostileReply row(
            String name, Asked asked, Ending ending, String before, String piece, int times, String after) {
        return HostileReply.repeated(Protocol.CLASSIC, name, asked, ending, List.of(before, after), piece, times);
    }
}
