// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static io.memshard.client.attacks.HostileReply.cut;
import static io.memshard.client.attacks.HostileReply.distrusted;
import static io.memshard.client.attacks.HostileReply.row;
import static io.memshard.client.attacks.HostileReply.tooLarge;

import io.memshard.client.attacks.HostileReply.Asked;
import io.memshard.client.attacks.HostileReply.Ending;
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
                distrusted("value of another key", Asked.GET, "VALUE b 0 1\r\nx\r\nEND\r\n"),
                distrusted("value of a longer key", Asked.GET, "VALUE aa 0 1\r\nx\r\nEND\r\n"),
                distrusted("value of the key in upper case", Asked.GET, "VALUE A 0 1\r\nx\r\nEND\r\n"),
                distrusted("value of an empty key", Asked.GET, "VALUE  0 1\r\nx\r\nEND\r\n"),
                distrusted("two values", Asked.GET, HIT + HIT + "END\r\n"),
                distrusted("value, then another key's", Asked.GET, HIT + "VALUE b 0 1\r\nx\r\nEND\r\n"),
                row("reply twice", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\n" + HIT + "END\r\n"),
                row("bytes after END", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\n\0\0"),
                row("8 MiB after END", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\n" + MIB.repeat(8)),
                row("END twice", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\nEND\r\n"),
                distrusted("status", Asked.GET, "STORED\r\n"),
                distrusted("miss of a deletion", Asked.GET, "NOT_FOUND\r\n"),
                distrusted("number", Asked.GET, "5\r\n"),
                distrusted("statistics", Asked.GET, STATS),
                distrusted("version", Asked.GET, VERSION),
                distrusted("meta reply", Asked.GET, "VA 1 f0 O0\r\nx\r\n"),
                distrusted("meta miss", Asked.GET, "EN\r\n"),
                distrusted("barrier", Asked.GET, "MN\r\n"),
                distrusted("binary reply", Asked.GET, "\u0081" + "\0".repeat(23) + "\r\n"),
                distrusted("HTTP", Asked.GET, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
                distrusted("lower case", Asked.GET, "value a 0 1\r\nx\r\nend\r\n"),
                distrusted("NUL bytes", Asked.GET, "\0\0\0\0\r\n"),
                // Sizes, flags, cas uniques.
                distrusted("VALUE alone", Asked.GET, "VALUE\r\n"),
                distrusted("VALUE and a space", Asked.GET, "VALUE \r\n"),
                distrusted("key alone", Asked.GET, "VALUE a\r\n"),
                distrusted("no size", Asked.GET, "VALUE a 0\r\n"),
                distrusted("size negative", Asked.GET, "VALUE a 0 -1\r\n\r\nEND\r\n"),
                distrusted("size no number", Asked.GET, "VALUE a 0 0x1\r\nx\r\nEND\r\n"),
                distrusted("size of 4 GiB", Asked.GET, "VALUE a 0 4294967296\r\nx\r\nEND\r\n"),
                distrusted("size above 64 bits", Asked.GET, "VALUE a 0 18446744073709551617\r\nx\r\nEND\r\n"),
                row("1 GiB that does not come", Asked.GET, Ending.SILENT, "VALUE a 0 1073741824\r\nx"),
                cut("2 GiB, then closed", Asked.GET, Ending.LOST, "VALUE a 0 2147483647\r\nx"),
                tooLarge("64 MiB", Asked.GET, "VALUE a 0 67108864\r\n", MIB, 64, "\r\nEND\r\n"),
                distrusted("size too short", Asked.GET, "VALUE a 0 1\r\nvalue of a\r\nEND\r\n"),
                row("size too long", Asked.GET, Ending.SILENT, "VALUE a 0 100\r\nvalue of a\r\nEND\r\n"),
                distrusted("flags no number", Asked.GET, "VALUE a x 1\r\nx\r\nEND\r\n"),
                distrusted("flags negative", Asked.GET, "VALUE a -1 1\r\nx\r\nEND\r\n"),
                distrusted("flags above 64 bits", Asked.GET, "VALUE a 18446744073709551616 1\r\nx\r\nEND\r\n"),
                row("no cas unique", Asked.GETS, Ending.UNSUPPORTED, "VALUE a 0 1\r\nx\r\nEND\r\n"),
                distrusted("cas unique no number", Asked.GETS, "VALUE a 0 1 x\r\nx\r\nEND\r\n"),
                distrusted("cas unique above 64 bits", Asked.GETS, "VALUE a 0 1 18446744073709551616\r\nx\r\nEND\r\n"),
                // Line ends.
                distrusted("line feed alone", Asked.GET, "END\n"),
                distrusted("nothing but a line feed", Asked.GET, "\n"),
                distrusted("empty line", Asked.GET, "\r\n"),
                distrusted("line without end", Asked.GET, LONG_LINE),
                distrusted("value without line end", Asked.GET, "VALUE a 0 10\r\nvalue of aEND\r\n"),
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
                distrusted("error without end", Asked.GET, "SERVER_ERROR " + LONG_LINE),
                distrusted("bad chunk", Asked.GET, "CLIENT_ERROR bad data chunk\r\n"),
                distrusted("line too long", Asked.GET, "CLIENT_ERROR line too long\r\n"),
                distrusted("too many connections", Asked.GET, "ERROR Too many open connections\r\n"),
                // Many keys.
                distrusted("key not asked for", Asked.MANY, "VALUE b 0 1\r\nx\r\nEND\r\n"),
                distrusted("key twice", Asked.MANY, HIT + HIT + "END\r\n"),
                distrusted("third value", Asked.MANY, HIT + "VALUE z 0 1\r\nx\r\n" + HIT + "END\r\n"),
                row("END twice", Asked.MANY, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\nEND\r\n"),
                row("no END", Asked.MANY, Ending.SILENT, HIT),
                tooLarge("above the limit", Asked.MANY, "VALUE a 0 1048577\r\n", MIB, 1, "x\r\nEND\r\n"),
                row("error among values", Asked.MANY, Ending.REFUSED, HIT + "SERVER_ERROR out of memory\r\n"),
                // Writes.
                row("stored twice", Asked.SET, Ending.REPLIED_THEN_REPLACED, "STORED\r\nSTORED\r\n"),
                distrusted("stored, and more", Asked.SET, "STORED x\r\n"),
                distrusted("value", Asked.SET, HIT + "END\r\n"),
                distrusted("deleted", Asked.SET, "DELETED\r\n"),
                distrusted("OK", Asked.SET, "OK\r\n"),
                row("too large", Asked.SET, Ending.TOO_LARGE, "SERVER_ERROR object too large for cache\r\n"),
                distrusted("error after the data", Asked.SET, "ERROR\r\n"),
                distrusted("bad chunk", Asked.SET, "CLIENT_ERROR bad data chunk\r\n"),
                distrusted("touched", Asked.ADD, "TOUCHED\r\n"),
                distrusted("stored", Asked.DELETE, "STORED\r\n"),
                distrusted("meta status", Asked.DELETE, "HD O1\r\n"),
                distrusted("deleted", Asked.TOUCH, "DELETED\r\n"),
                distrusted("number", Asked.TOUCH, "5\r\n"),
                distrusted("value at once", Asked.GET_AND_TOUCH, HIT + "END\r\n"),
                distrusted("other value", Asked.GET_AND_TOUCH, "TOUCHED\r\nVALUE b 0 1\r\nx\r\nEND\r\n"),
                distrusted("no number", Asked.INCR, "abc\r\n"),
                distrusted("negative", Asked.INCR, "-1\r\n"),
                distrusted("above 64 bits", Asked.INCR, "18446744073709551616\r\n"),
                distrusted("two numbers", Asked.INCR, "5 6\r\n"),
                row("with spaces", Asked.INCR, Ending.REPLIED, "5  \r\n"),
                distrusted("NUL byte", Asked.INCR, "5\0\r\n"),
                distrusted("spaces alone", Asked.INCR, "   \r\n"),
                row("twice", Asked.INCR, Ending.REPLIED_THEN_REPLACED, "5\r\n6\r\n"),
                // Operators' commands.
                distrusted("no version", Asked.VERSION, "VERSION\r\n"),
                distrusted("no barrier", Asked.STATS, "STAT a b\r\nEND\r\nEND\r\n"),
                distrusted("line without end", Asked.STATS, "STAT " + LONG_LINE),
                tooLarge("32 MiB", Asked.STATS, "", "STAT a b\r\n".repeat(1 << 14), 205, "END\r\n" + VERSION),
                row("twice", Asked.STATS, Ending.REPLIED_THEN_REPLACED, STATS + VERSION + STATS));
    }
}
