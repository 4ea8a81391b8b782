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

/** Replies of a hostile server. The tests of the decoders have those that a decoder rejects by itself. */
final class HostileReplies {

    private static final String MIB = "x".repeat(1 << 20);
    private static final String VERSION = "VERSION 1.6.18\r\n";
    private static final String STATS = "STAT maxconns 1024\r\nEND\r\n";

    private static final String A = "VA 10 f0 O$\r\nvalue of a\r\n";
    private static final String B = "VA 10 f0 O$b\r\nvalue of b\r\n";
    private static final String C = "VA 10 f0 O$c\r\nvalue of c\r\n";
    private static final String OF_MANY = "VA 10 f0 O$\r\nvalue of a\r\n";
    private static final String FEW_SETS = "HD O$\r\nHD O$2\r\n";

    private static final String HIT = "VALUE a 0 10\r\nvalue of a\r\n";

    private HostileReplies() {}

    /** Replies to meta commands, whose opaques tell them apart. */
    static List<HostileReply> meta() {
        return List.of(
                // Whose reply is it?
                distrusted("wrong opaque", Asked.GET, "VA 1 f0 O999\r\nx\r\n"),
                distrusted("replies swapped", Asked.GET, B + A + C),
                distrusted("reply left out", Asked.GET, B + C),
                row("reply twice", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + A),
                row("extra line", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + "surprise\r\n"),
                // Old servers give a miss no opaque, so an extra one passes for one reply: a miss, but never a value.
                row("extra miss", Asked.GET, Ending.REPLIED_THEN_DISTRUSTED, A + "EN\r\n" + B),
                // A reply to something else.
                new HostileReply(
                        "garbage", Asked.GET, Ending.DISTRUSTED, (server, filled) -> server.garbage(10_000, 7)),
                // Lengths and numbers.
                cut("2 GiB, then closed", Asked.GET, Ending.LOST, "VA 2147483647 f0 O$\r\n" + "x".repeat(100_000)),
                row("length of 2 GiB then silence", Asked.GET, Ending.SILENT, "VA 2147483647 f0 O$\r\nxxx"),
                distrusted("length too long", Asked.GET, "VA 20 f0 O$\r\nvalue of a\r\n" + B + C),
                tooLarge("value above the limit", Asked.GET, "VA 1048577 f0 O$\r\n", MIB, 1, "x\r\n"),
                // Line ends.
                distrusted("line without end", Asked.GET, "x".repeat(5_000)),
                // Errors, some of which leave the connection as it was.
                row("error", Asked.GET, Ending.REFUSED, "ERROR\r\n"),
                row("out of memory", Asked.GET, Ending.REFUSED, "SERVER_ERROR out of memory\r\n"),
                row("object too large", Asked.SET, Ending.TOO_LARGE, "SERVER_ERROR object too large for cache\r\n"),
                cut("too many connections", Asked.GET, Ending.DISTRUSTED, "ERROR Too many open connections\r\n"),
                // Many gets in one command.
                row("many", Asked.MANY, Ending.REPLIED, OF_MANY + "EN\r\n"),
                distrusted("many without a miss", Asked.MANY, OF_MANY + B + C),
                row("many without a miss then silence", Asked.MANY, Ending.SILENT, OF_MANY),
                // The end, and what feels like it.
                row("silence", Asked.GET, Ending.SILENT, ""),
                row("half a value then silence", Asked.GET, Ending.SILENT, "VA 10 f0 O$\r\nvalue"),
                cut("closed", Asked.GET, Ending.LOST, ""),
                new HostileReply("reset", Asked.GET, Ending.LOST, (server, filled) -> server.reset()),
                new HostileReply("half closed", Asked.GET, Ending.LOST, (server, filled) -> server.halfClose()),
                cut("closed within a value", Asked.GET, Ending.LOST, "VA 10 f0 O$\r\nvalue"),
                cut("closed between replies", Asked.GET, Ending.REPLIED_THEN_LOST, A),
                cut("closed while idle", Asked.GET, Ending.REPLIED_THEN_LOST, A + B + C),
                new HostileReply(
                        "slow drip",
                        Asked.GET,
                        Ending.REPLIED,
                        (server, filled) -> server.sendSlowly(filled.apply(A), Duration.ofMillis(2), 1)),
                // Gets.
                tooLarge("value of 64 MiB", Asked.GET, "VA 67108864 f0 O$\r\n", MIB, 64, "\r\n"),
                row("value, then an error", Asked.GET, Ending.REPLIED_THEN_REPLACED, A + "SERVER_ERROR x\r\n"),
                row("value, then 8 MiB", Asked.GET, Ending.REPLIED_THEN_REPLACED, A + MIB.repeat(8)),
                row("error, then a body", Asked.GET, Ending.REFUSED_THEN_REPLACED, "SERVER_ERROR x\r\nbody\r\n"),
                row("error, then the value", Asked.GET, Ending.REFUSED_THEN_REPLACED, "CLIENT_ERROR x\r\n" + A),
                cut("error cut off", Asked.GET, Ending.LOST, "SERVER_ERROR out of mem"),
                // Many keys.
                tooLarge("values above the limit", Asked.MANY, "VA 1048577 f0 O$\r\n", MIB, 1, "x\r\nEN\r\n"),
                row("a miss more", Asked.MANY, Ending.REPLIED_THEN_REPLACED, OF_MANY + "EN\r\nEN\r\n"),
                // Writes.
                row("deletion twice", Asked.DELETE, Ending.REPLIED_THEN_REPLACED, "HD O$\r\nHD O$\r\n"),
                row("stored twice", Asked.SET, Ending.REPLIED_THEN_REPLACED, "HD O$\r\nHD O$\r\n"),
                row("few sets, one more", Asked.SET_FEW, Ending.REPLIED_THEN_REPLACED, FEW_SETS + "HD O$2\r\n"),
                row("few sets, one less", Asked.SET_FEW, Ending.SILENT, "HD O$\r\n"),
                // What has no opaque.
                row("twice", Asked.DEBUG, Ending.REPLIED_THEN_REPLACED, "ME a exp=-1\r\nME a exp=-1\r\n"),
                row("version twice", Asked.VERSION, Ending.REPLIED_THEN_REPLACED, VERSION + VERSION),
                tooLarge("32 MiB", Asked.STATS, "", "STAT a b\r\n".repeat(1 << 14), 205, "END\r\n" + VERSION),
                row("statistics twice", Asked.STATS, Ending.REPLIED_THEN_REPLACED, STATS + VERSION + STATS));
    }

    /** Replies to classic commands, which only their order and their keys can tell apart. */
    static List<HostileReply> classic() {
        return List.of(
                // Whose reply is it?
                distrusted("value of another key", Asked.GET, "VALUE b 0 1\r\nx\r\nEND\r\n"),
                row("reply twice", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\n" + HIT + "END\r\n"),
                row("bytes after END", Asked.GET, Ending.REPLIED_THEN_REPLACED, HIT + "END\r\n\0\0"),
                // Sizes, flags, cas uniques.
                row("1 GiB that does not come", Asked.GET, Ending.SILENT, "VALUE a 0 1073741824\r\nx"),
                cut("2 GiB, then closed", Asked.GET, Ending.LOST, "VALUE a 0 2147483647\r\nx"),
                tooLarge("64 MiB", Asked.GET, "VALUE a 0 67108864\r\n", MIB, 64, "\r\nEND\r\n"),
                row("size too long", Asked.GET, Ending.SILENT, "VALUE a 0 100\r\nvalue of a\r\nEND\r\n"),
                row("no cas unique", Asked.GETS, Ending.UNSUPPORTED, "VALUE a 0 1\r\nx\r\nEND\r\n"),
                // Line ends.
                distrusted("line without end", Asked.GET, "x".repeat(5_000)),
                row("value without END", Asked.GET, Ending.SILENT, HIT),
                cut("closed before END", Asked.GET, Ending.LOST, HIT),
                // Errors.
                row("error", Asked.GET, Ending.REFUSED, "ERROR\r\n"),
                row("error, then a body", Asked.GET, Ending.REFUSED_THEN_REPLACED, "SERVER_ERROR x\r\nbody\r\n"),
                row("error, then the value", Asked.GET, Ending.REFUSED_THEN_REPLACED, "ERROR\r\n" + HIT + "END\r\n"),
                row("error after the value", Asked.GET, Ending.REFUSED, HIT + "SERVER_ERROR out of memory\r\n"),
                // Many keys.
                row("no END", Asked.MANY, Ending.SILENT, HIT),
                tooLarge("above the limit", Asked.MANY, "VALUE a 0 1048577\r\n", MIB, 1, "x\r\nEND\r\n"),
                row("error among values", Asked.MANY, Ending.REFUSED, HIT + "SERVER_ERROR out of memory\r\n"),
                // Writes.
                row("stored twice", Asked.SET, Ending.REPLIED_THEN_REPLACED, "STORED\r\nSTORED\r\n"),
                row("too large", Asked.SET, Ending.TOO_LARGE, "SERVER_ERROR object too large for cache\r\n"),
                distrusted("error after the data", Asked.SET, "ERROR\r\n"),
                row("twice", Asked.INCR, Ending.REPLIED_THEN_REPLACED, "5\r\n6\r\n"));
    }
}
