// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static io.memshard.client.attacks.HostileReply.cut;
import static io.memshard.client.attacks.HostileReply.distrusted;
import static io.memshard.client.attacks.HostileReply.row;
import static io.memshard.client.attacks.HostileReply.tooLarge;

import io.memshard.client.attacks.HostileReply.Asked;
import io.memshard.client.attacks.HostileReply.Ending;
import java.time.Duration;
import java.util.List;

/** What a hostile server answers to meta commands, whose opaques tell the replies apart. */
final class MetaReplies {

    private static final String MIB = "x".repeat(1 << 20);
    private static final String VERSION = "VERSION 1.6.18\r\n";
    private static final String LONG_LINE = "x".repeat(5_000);
    private static final String A = "VA 10 f0 O$\r\nvalue of a\r\n";
    private static final String B = "VA 10 f0 O$b\r\nvalue of b\r\n";
    private static final String C = "VA 10 f0 O$c\r\nvalue of c\r\n";
    private static final String OF_MANY = "VA 10 f0 O$.0.0\r\nvalue of a\r\n";
    private static final String FEW_SETS = "HD O$.0\r\nHD O$.1\r\n";
    private static final String STATS = "STAT maxconns 1024\r\nEND\r\n";

    private MetaReplies() {}

    static List<HostileReply> rows() {
        return List.of(
                // Whose reply is it?
                distrusted("wrong opaque", Asked.GET, "VA 1 f0 O999\r\nx\r\n"),
                distrusted("no opaque", Asked.GET, "VA 1 f0\r\nx\r\n"),
                distrusted("empty opaque", Asked.GET, "VA 1 f0 O\r\nx\r\n"),
                distrusted("opaque that overflows", Asked.GET, "VA 1 f0 O18446744073709551616\r\nx\r\n"),
                distrusted("second opaque is wrong", Asked.GET, "VA 1 f0 O$ O999\r\nx\r\n"),
                distrusted("miss with wrong opaque", Asked.GET, "EN O999\r\n"),
                distrusted("status with wrong opaque", Asked.SET, "HD O999\r\n"),
                distrusted("status without opaque", Asked.SET, "HD\r\n"),
                distrusted("number with wrong opaque", Asked.INCR, "VA 1 O999\r\n5\r\n"),
                distrusted("replies swapped", Asked.GET, B + A + C),
                distrusted("reply left out", Asked.GET, B + C),
                row("reply twice", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + A),
                row("extra line", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + "surprise\r\n"),
                row("extra empty line", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + "\r\n"),
                row("extra barrier", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + "MN\r\n" + B),
                // Old servers give a miss no opaque, so an extra one passes for one reply: a miss, but never a value.
                row("extra miss", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + "EN\r\n" + B),
                row("reply while idle", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + B + C + A),
                row("garbage while idle", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + B + C + "\0\0\0"),
                // A reply to something else.
                distrusted("status in place of a value", Asked.GET, "HD O$\r\n"),
                distrusted("value in place of a status", Asked.SET, "VA 1 f0 O$\r\nx\r\n"),
                distrusted("value that was not asked for", Asked.TOUCH, "VA 1 f0 O$\r\nx\r\n"),
                distrusted("barrier in place of a value", Asked.GET, "MN\r\n"),
                distrusted("miss in place of a number", Asked.INCR, "EN O$\r\n"),
                distrusted("classic value", Asked.GET, "VALUE a 0 1\r\nx\r\nEND\r\n"),
                distrusted("classic status", Asked.SET, "STORED\r\n"),
                distrusted("lower case", Asked.GET, "va 1 f0 O$\r\nx\r\n"),
                distrusted("HTTP", Asked.GET, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
                distrusted("version without one", Asked.VERSION, "VERSION\r\n"),
                row("version blank", Asked.BLANK_VERSION, Ending.REPLIED, "VERSION \r\n"),
                new HostileReply(
                        "garbage", Asked.GET, Ending.DISTRUSTED, (server, filled) -> server.garbage(10_000, 7)),
                distrusted("NUL bytes", Asked.GET, "\0\0\0\0\r\n"),
                distrusted("NUL byte in a number", Asked.GET, "VA 1\0 f0 O$\r\nx\r\n"),
                // Lengths and numbers.
                distrusted("length negative", Asked.GET, "VA -1 f0 O$\r\n"),
                distrusted("length missing", Asked.GET, "VA f0 O$\r\nx\r\n"),
                distrusted("length no number", Asked.GET, "VA 0x1 f0 O$\r\nx\r\n"),
                distrusted("length of 4 GiB", Asked.GET, "VA 4294967296 f0 O$\r\n"),
                distrusted("length beyond 64 bits", Asked.GET, "VA 18446744073709551617 f0 O$\r\nx\r\n"),
                cut("2 GiB, then closed", Asked.GET, Ending.LOST, "VA 2147483647 f0 O$\r\n" + "x".repeat(100_000)),
                row("length of 2 GiB then silence", Asked.GET, Ending.SILENT, "VA 2147483647 f0 O$\r\nxxx"),
                distrusted("length too short", Asked.GET, "VA 1 f0 O$\r\nxyz\r\n"),
                distrusted("length too long", Asked.GET, "VA 20 f0 O$\r\nvalue of a\r\n" + B + C),
                tooLarge("value above the limit", Asked.GET, "VA 1048577 f0 O$\r\n", MIB, 1, "x\r\n"),
                distrusted("flags no number", Asked.GET, "VA 1 f- O$\r\nx\r\n"),
                distrusted("cas that overflows", Asked.GETS, "VA 1 f0 c18446744073709551616 O$\r\nx\r\n"),
                distrusted("number that is none", Asked.INCR, "VA 3 O$\r\nabc\r\n"),
                distrusted("number negative", Asked.INCR, "VA 2 O$\r\n-1\r\n"),
                distrusted("number empty", Asked.INCR, "VA 0 O$\r\n\r\n"),
                distrusted("number that overflows", Asked.INCR, "VA 20 O$\r\n18446744073709551616\r\n"),
                // Line ends.
                distrusted("line feed alone", Asked.GET, "EN O$\n"),
                distrusted("nothing but a line feed", Asked.GET, "\n"),
                distrusted("empty line", Asked.GET, "\r\n"),
                distrusted("line without end", Asked.GET, "x".repeat(5_000)),
                row("carriage return then silence", Asked.GET, Ending.SILENT, "EN O$\r"),
                distrusted("value without line end", Asked.GET, "VA 10 f0 O$\r\nvalue of a" + B),
                // Errors, some of which leave the connection as it was.
                row("error", Asked.GET, Ending.REFUSED, "ERROR\r\n"),
                distrusted("error after data", Asked.SET, "ERROR\r\n"),
                row("out of memory", Asked.GET, Ending.REFUSED, "SERVER_ERROR out of memory\r\n"),
                row("no memory to store", Asked.SET, Ending.REFUSED, "SERVER_ERROR out of memory storing object\r\n"),
                row("object too large", Asked.SET, Ending.TOO_LARGE, "SERVER_ERROR object too large for cache\r\n"),
                distrusted("bad data chunk", Asked.SET, "CLIENT_ERROR bad data chunk\r\n"),
                distrusted("bad data chunk for no data", Asked.GET, "CLIENT_ERROR bad data chunk\r\n"),
                row("bad command line", Asked.GET, Ending.REFUSED, "CLIENT_ERROR bad command line format\r\n"),
                row(
                        "not a number",
                        Asked.INCR,
                        Ending.REFUSED,
                        "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"),
                cut("too many connections", Asked.GET, Ending.DISTRUSTED, "ERROR Too many open connections\r\n"),
                // Many gets in one command.
                distrusted("many one twice", Asked.QUIET, OF_MANY + OF_MANY),
                distrusted("many one that was not asked for", Asked.QUIET, "VA 1 f0 O$.9.9\r\nx\r\n"),
                distrusted("many without place", Asked.QUIET, "VA 1 f0 O$\r\nx\r\n"),
                distrusted("many with a fatal error", Asked.QUIET, OF_MANY + "ERROR Too many open connections\r\n"),
                distrusted("many without barrier", Asked.QUIET, OF_MANY + B),
                row("many without barrier then silence", Asked.QUIET, Ending.SILENT, OF_MANY),
                row("few", Asked.MANY, Ending.REPLIED, OF_MANY + "EN\r\n"),
                distrusted("few one twice", Asked.MANY, OF_MANY + OF_MANY),
                distrusted("few without a miss", Asked.MANY, OF_MANY + B + C),
                row("few without a miss then silence", Asked.MANY, Ending.SILENT, OF_MANY),
                distrusted("few with a miss more", Asked.MANY, "EN\r\n" + OF_MANY),
                // The end, and what feels like it.
                row("silence", Asked.GET, Ending.SILENT, ""),
                row("half a line then silence", Asked.GET, Ending.SILENT, "VA 1"),
                row("half a value then silence", Asked.GET, Ending.SILENT, "VA 10 f0 O$\r\nvalue"),
                cut("closed", Asked.GET, Ending.LOST, ""),
                new HostileReply("reset", Asked.GET, Ending.LOST, (server, filled) -> server.reset()),
                new HostileReply("half closed", Asked.GET, Ending.LOST, (server, filled) -> server.halfClose()),
                cut("closed within a line", Asked.GET, Ending.LOST, "VA 10 f0 "),
                cut("closed within a value", Asked.GET, Ending.LOST, "VA 10 f0 O$\r\nvalue"),
                cut("closed before the end of a value", Asked.GET, Ending.LOST, "VA 10 f0 O$\r\nvalue of a\r"),
                cut("closed between replies", Asked.GET, Ending.REPLIED_THEN_LOST, A),
                cut("closed while idle", Asked.GET, Ending.REPLIED_THEN_LOST, A + B + C),
                new HostileReply(
                        "slow drip",
                        Asked.GET,
                        Ending.REPLIED,
                        (server, filled) -> server.sendSlowly(filled.apply(A), Duration.ofMillis(2), 1)),
                // Gets.
                tooLarge("value of 64 MiB", Asked.GET, "VA 67108864 f0 O$\r\n", MIB, 64, "\r\n"),
                distrusted("size with a sign", Asked.GET, "VA +1 f0 O$\r\nx\r\n"),
                distrusted("size with a point", Asked.GET, "VA 1.0 f0 O$\r\nx\r\n"),
                distrusted("size of 19 digits", Asked.GET, "VA 9999999999999999999 f0 O$\r\nx\r\n"),
                distrusted("opaque negative", Asked.GET, "VA 1 f0 O-$\r\nx\r\n"),
                distrusted("opaque above 32 bits", Asked.GET, "VA 1 f0 O4294967296$\r\nx\r\n"),
                distrusted("line of flags without end", Asked.GET, "VA 1 f0 O$" + " W".repeat(5_000)),
                row("value, then an error", Asked.GET, Ending.REPLIED_THEN_REPLACED, A + "SERVER_ERROR x\r\n"),
                row("value, then END", Asked.GET, Ending.REPLIED_THEN_REPLACED, A + "END\r\n"),
                row("value, then 8 MiB", Asked.GET, Ending.REPLIED_THEN_REPLACED, A + MIB.repeat(8)),
                row("error, then a body", Asked.GET, Ending.REFUSED_THEN_REPLACED, "SERVER_ERROR x\r\nbody\r\n"),
                row("error, then the value", Asked.GET, Ending.REFUSED_THEN_REPLACED, "CLIENT_ERROR x\r\n" + A),
                row("error without text", Asked.GET, Ending.REFUSED, "SERVER_ERROR \r\n"),
                distrusted("error without end", Asked.GET, "SERVER_ERROR " + LONG_LINE),
                cut("error cut off", Asked.GET, Ending.LOST, "SERVER_ERROR out of mem"),
                distrusted("status NF", Asked.GET, "NF O$\r\n"),
                distrusted("status of three letters", Asked.GET, "VAX 1 f0 O$\r\nx\r\n"),
                distrusted("code alone", Asked.GET, "VA\r\n"),
                distrusted("reply of meta debug", Asked.GET, "ME a exp=-1\r\n"),
                distrusted("statistics", Asked.GET, "STAT a b\r\nEND\r\n"),
                distrusted("number", Asked.GET, "5\r\n"),
                distrusted("cas unique empty", Asked.GETS, "VA 1 f0 c O$\r\nx\r\n"),
                distrusted("cas unique negative", Asked.GETS, "VA 1 f0 c-1 O$\r\nx\r\n"),
                distrusted("opaque of another", Asked.GET_AND_TOUCH, "VA 1 f0 O1$\r\nx\r\n"),
                distrusted("time to live no number", Asked.META_GET, "VA 1 tx O$\r\nx\r\n"),
                distrusted("time above 64 bits", Asked.META_GET, "VA 1 t99999999999999999999 O$\r\nx\r\n"),
                distrusted("unknown letters", Asked.META_GET, "VA 1 \u00ff \u0001 O2$\r\nx\r\n"),
                // Many keys.
                tooLarge("values above the limit", Asked.QUIET, "VA 1048577 f0 O$.0.0\r\n", MIB, 1, "x\r\nMN\r\n"),
                distrusted("index negative", Asked.QUIET, "VA 1 f0 O$.-1.-1\r\nx\r\nMN\r\n"),
                distrusted("index above 64 bits", Asked.QUIET, "VA 1 f0 O$.18446744073709551616.0\r\nx\r\nMN\r\n"),
                distrusted("two indexes", Asked.QUIET, "VA 1 f0 O$.0.1\r\nx\r\nMN\r\n"),
                distrusted("backwards", Asked.QUIET, "VA 1 f0 O$.1.1\r\nx\r\nVA 1 f0 O$.0.0\r\nx\r\nMN\r\n"),
                row("barrier twice", Asked.QUIET, Ending.REPLIED_THEN_REPLACED, OF_MANY + "MN\r\nMN\r\n"),
                distrusted("miss aloud", Asked.QUIET, "EN\r\n" + OF_MANY + "MN\r\n"),
                distrusted("half an index", Asked.QUIET, "VA 1 f0 O$.0\r\nx\r\nMN\r\n"),
                distrusted("hit of the next key", Asked.MANY, "VA 1 f0 O$.1.1\r\nx\r\n"),
                distrusted("miss of the next key", Asked.MANY, "EN O$.1.1\r\nEN O$.0.0\r\n"),
                distrusted("miss of another request", Asked.MANY, "EN O1$.0.0\r\n"),
                distrusted("few by get", Asked.MANY, "VALUE a 0 1\r\nx\r\nEND\r\n"),
                distrusted("few with a barrier", Asked.MANY, OF_MANY + "MN\r\n"),
                row("a miss more", Asked.MANY, Ending.REPLIED_THEN_REPLACED, OF_MANY + "EN\r\nEN\r\n"),
                // Writes.
                distrusted("value in place of a status", Asked.DELETE, "VA 1 f0 O$\r\nx\r\n"),
                row("deletion twice", Asked.DELETE, Ending.REPLIED_THEN_REPLACED, "HD O$\r\nHD O$\r\n"),
                distrusted("classic deletion", Asked.DELETE, "DELETED\r\n"),
                distrusted("miss of a get", Asked.DELETE, "EN\r\n"),
                row("stored twice", Asked.SET, Ending.REPLIED_THEN_REPLACED, "HD O$\r\nHD O$\r\n"),
                distrusted("status of three letters", Asked.SET, "HDX O$\r\n"),
                distrusted("opaque twice, once wrong", Asked.SET, "HD O$ O1$\r\n"),
                distrusted("deletion not asked for", Asked.DELETE_MANY, "HD O$.7\r\nMN\r\n"),
                distrusted("stored index above the keys", Asked.SET_MANY, "NS O$.9\r\nMN\r\n"),
                distrusted("few sets, the second first", Asked.SET_FEW, "HD O$.1\r\nHD O$.0\r\n"),
                distrusted("few sets, one twice", Asked.SET_FEW, "HD O$.0\r\nHD O$.0\r\n"),
                distrusted("few sets, barrier in place of one", Asked.SET_FEW, "HD O$.0\r\nMN\r\n"),
                row("few sets, one more", Asked.SET_FEW, Ending.REPLIED_THEN_REPLACED, FEW_SETS + "HD O$.1\r\n"),
                row("few sets, an error more", Asked.SET_FEW, Ending.REPLIED_THEN_REPLACED, FEW_SETS + "ERROR\r\n"),
                row("few sets, one less", Asked.SET_FEW, Ending.SILENT, "HD O$.0\r\n"),
                distrusted("few touches, a hit of the next", Asked.TOUCH_FEW, "VA 1 f0 O$.1.1\r\nx\r\n"),
                row("few touches, one less", Asked.TOUCH_FEW, Ending.SILENT, OF_MANY),
                distrusted("number with a tail", Asked.INCR, "VA 2 O$\r\n5x\r\n"),
                distrusted("number of a gibibyte", Asked.INCR, "VA 1073741824 O$\r\n5"),
                // What has no opaque.
                distrusted("another key", Asked.DEBUG, "ME b exp=-1\r\n"),
                distrusted("no key", Asked.DEBUG, "ME\r\n"),
                distrusted("entry without name", Asked.DEBUG, "ME a =x\r\n"),
                distrusted("entry without value", Asked.DEBUG, "ME a exp\r\n"),
                distrusted("line without end", Asked.DEBUG, "ME a" + " b=c".repeat(5_000)),
                row("twice", Asked.DEBUG, Ending.REPLIED_THEN_REPLACED, "ME a exp=-1\r\nME a exp=-1\r\n"),
                distrusted("version without end", Asked.VERSION, "VERSION " + LONG_LINE),
                row("version twice", Asked.VERSION, Ending.REPLIED_THEN_REPLACED, VERSION + VERSION),
                distrusted("no statistics", Asked.STATS, "VA 1 f0 O$\r\nx\r\n" + VERSION),
                distrusted("no barrier", Asked.STATS, "STAT a b\r\nEND\r\nEND\r\n"),
                distrusted("no end", Asked.STATS, "STAT a b\r\n" + VERSION),
                distrusted("error among statistics", Asked.STATS, "STAT a b\r\nERROR\r\n"),
                distrusted("line without end", Asked.STATS, "STAT " + LONG_LINE),
                tooLarge("32 MiB", Asked.STATS, "", "STAT a b\r\n".repeat(1 << 14), 205, "END\r\n" + VERSION),
                row("statistics twice", Asked.STATS, Ending.REPLIED_THEN_REPLACED, STATS + VERSION + STATS),
                distrusted("another word", Asked.FLUSH, "DELETED\r\n" + VERSION),
                distrusted("no barrier", Asked.FLUSH, "OK\r\nOK\r\n"));
    }
}
