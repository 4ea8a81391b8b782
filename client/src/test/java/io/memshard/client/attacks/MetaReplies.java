// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import io.memshard.client.attacks.HostileReply.Asked;
import io.memshard.client.attacks.HostileReply.Ending;
import io.memshard.client.options.Protocol;
import java.util.List;

/** What a hostile server answers to meta commands, besides the rows of {@code Misbehaviour}. */
final class MetaReplies {

    private static final String MIB = "x".repeat(1 << 20);
    private static final String VERSION = "VERSION 1.6.18\r\n";
    private static final String LONG_LINE = "x".repeat(5_000);

    private MetaReplies() {}

    static List<HostileReply> rows() {
        return List.of(
                // Gets.
                row("value of 64 MiB", Asked.GET, Ending.TOO_LARGE, "VA 67108864 f0 O$\r\n", MIB, 64, "\r\n"),
                row("value of 1 GiB that does not come", Asked.GET, Ending.SILENT, "VA 1073741824 f0 O$\r\nx"),
                row("size with a sign", Asked.GET, Ending.DISTRUSTED, "VA +1 f0 O$\r\nx\r\n"),
                row("size with a point", Asked.GET, Ending.DISTRUSTED, "VA 1.0 f0 O$\r\nx\r\n"),
                row("size of 19 digits", Asked.GET, Ending.DISTRUSTED, "VA 9999999999999999999 f0 O$\r\nx\r\n"),
                row("opaque negative", Asked.GET, Ending.DISTRUSTED, "VA 1 f0 O-$\r\nx\r\n"),
                row("opaque above 32 bits", Asked.GET, Ending.DISTRUSTED, "VA 1 f0 O4294967296$\r\nx\r\n"),
                row("line of flags without end", Asked.GET, Ending.DISTRUSTED, "VA 1 f0 O$" + " W".repeat(5_000)),
                row("two values", Asked.GET, Ending.REPLIED_THEN_REPLACED, hit("O$") + hit("O$")),
                row("value, then an error", Asked.GET, Ending.REPLIED_THEN_REPLACED, hit("O$") + "SERVER_ERROR x\r\n"),
                row("value, then END", Asked.GET, Ending.REPLIED_THEN_REPLACED, hit("O$") + "END\r\n"),
                row("value, then 8 MiB", Asked.GET, Ending.REPLIED_THEN_REPLACED, hit("O$") + MIB.repeat(8)),
                row("error, then a body", Asked.GET, Ending.REFUSED_THEN_REPLACED, "SERVER_ERROR x\r\nbody\r\n"),
                row("error, then the value", Asked.GET, Ending.REFUSED_THEN_REPLACED, "CLIENT_ERROR x\r\n" + hit("O$")),
                row("error without text", Asked.GET, Ending.REFUSED, "SERVER_ERROR \r\n"),
                row("error without end", Asked.GET, Ending.DISTRUSTED, "SERVER_ERROR " + LONG_LINE),
                cut("error cut off", Asked.GET, Ending.LOST, "SERVER_ERROR out of mem"),
                row("status NF", Asked.GET, Ending.DISTRUSTED, "NF O$\r\n"),
                row("status of three letters", Asked.GET, Ending.DISTRUSTED, "VAX 1 f0 O$\r\nx\r\n"),
                row("code alone", Asked.GET, Ending.DISTRUSTED, "VA\r\n"),
                row("reply of meta debug", Asked.GET, Ending.DISTRUSTED, "ME a exp=-1\r\n"),
                row("statistics", Asked.GET, Ending.DISTRUSTED, "STAT a b\r\nEND\r\n"),
                row("number", Asked.GET, Ending.DISTRUSTED, "5\r\n"),
                row("cas unique empty", Asked.GETS, Ending.DISTRUSTED, "VA 1 f0 c O$\r\nx\r\n"),
                row("cas unique negative", Asked.GETS, Ending.DISTRUSTED, "VA 1 f0 c-1 O$\r\nx\r\n"),
                row("opaque of another", Asked.GET_AND_TOUCH, Ending.DISTRUSTED, "VA 1 f0 O1$\r\nx\r\n"),
                row("time to live no number", Asked.META_GET, Ending.DISTRUSTED, "VA 1 tx O$\r\nx\r\n"),
                row("time above 64 bits", Asked.META_GET, Ending.DISTRUSTED, "VA 1 t99999999999999999999 O$\r\nx\r\n"),
                row("unknown letters", Asked.META_GET, Ending.DISTRUSTED, "VA 1 \u00ff \u0001 O2$\r\nx\r\n"),
                // Many keys.
                row(
                        "values above the limit",
                        Asked.MANY_AND_TOUCH,
                        Ending.TOO_LARGE,
                        "VA 1048577 f0 O$.0.0\r\n",
                        MIB,
                        1,
                        "x\r\nMN\r\n"),
                row("index above the keys", Asked.MANY_AND_TOUCH, Ending.DISTRUSTED, "VA 1 f0 O$.9.9\r\nx\r\nMN\r\n"),
                row("index negative", Asked.MANY_AND_TOUCH, Ending.DISTRUSTED, "VA 1 f0 O$.-1.-1\r\nx\r\nMN\r\n"),
                row(
                        "index above 64 bits",
                        Asked.MANY_AND_TOUCH,
                        Ending.DISTRUSTED,
                        "VA 1 f0 O$.18446744073709551616.0\r\nx\r\nMN\r\n"),
                row("two indexes", Asked.MANY_AND_TOUCH, Ending.DISTRUSTED, "VA 1 f0 O$.0.1\r\nx\r\nMN\r\n"),
                row(
                        "backwards",
                        Asked.MANY_AND_TOUCH,
                        Ending.DISTRUSTED,
                        "VA 1 f0 O$.1.1\r\nx\r\nVA 1 f0 O$.0.0\r\nx\r\nMN\r\n"),
                row("barrier twice", Asked.MANY_AND_TOUCH, Ending.REPLIED_THEN_REPLACED, many() + "MN\r\nMN\r\n"),
                row("miss aloud", Asked.MANY_AND_TOUCH, Ending.DISTRUSTED, "EN\r\n" + many() + "MN\r\n"),
                row("half an index", Asked.MANY_AND_TOUCH, Ending.DISTRUSTED, "VA 1 f0 O$.0\r\nx\r\nMN\r\n"),
                row("hit of the next key", Asked.MANY, Ending.DISTRUSTED, "VA 1 f0 O$.1.1\r\nx\r\n"),
                row("hit twice", Asked.MANY, Ending.DISTRUSTED, many() + many()),
                row("miss of the next key", Asked.MANY, Ending.DISTRUSTED, "EN O$.1.1\r\nEN O$.0.0\r\n"),
                row("miss of another request", Asked.MANY, Ending.DISTRUSTED, "EN O1$.0.0\r\n"),
                row("few by get", Asked.MANY, Ending.DISTRUSTED, "VALUE a 0 1\r\nx\r\nEND\r\n"),
                row("few with a barrier", Asked.MANY, Ending.DISTRUSTED, many() + "MN\r\n"),
                row("few without the last", Asked.MANY, Ending.SILENT, many()),
                row("a miss more", Asked.MANY, Ending.REPLIED_THEN_REPLACED, many() + "EN\r\nEN\r\n"),
                // Writes.
                row("value in place of a status", Asked.DELETE, Ending.DISTRUSTED, "VA 1 f0 O$\r\nx\r\n"),
                row("deletion twice", Asked.DELETE, Ending.REPLIED_THEN_REPLACED, "HD O$\r\nHD O$\r\n"),
                row("classic deletion", Asked.DELETE, Ending.DISTRUSTED, "DELETED\r\n"),
                row("miss of a get", Asked.DELETE, Ending.DISTRUSTED, "EN\r\n"),
                row("stored twice", Asked.SET, Ending.REPLIED_THEN_REPLACED, "HD O$\r\nHD O$\r\n"),
                row("status of three letters", Asked.SET, Ending.DISTRUSTED, "HDX O$\r\n"),
                row("opaque twice, once wrong", Asked.SET, Ending.DISTRUSTED, "HD O$ O1$\r\n"),
                row("deletion not asked for", Asked.DELETE_MANY, Ending.DISTRUSTED, "HD O$.7\r\nMN\r\n"),
                row("stored index above the keys", Asked.SET_MANY, Ending.DISTRUSTED, "NS O$.9\r\nMN\r\n"),
                row("few sets, the second first", Asked.SET_FEW, Ending.DISTRUSTED, "HD O$.1\r\nHD O$.0\r\n"),
                row("few sets, one twice", Asked.SET_FEW, Ending.DISTRUSTED, "HD O$.0\r\nHD O$.0\r\n"),
                row("few sets, barrier in place of one", Asked.SET_FEW, Ending.DISTRUSTED, "HD O$.0\r\nMN\r\n"),
                row("few sets, one more", Asked.SET_FEW, Ending.REPLIED_THEN_REPLACED, FEW_SETS + "HD O$.1\r\n"),
                row("few sets, an error more", Asked.SET_FEW, Ending.REPLIED_THEN_REPLACED, FEW_SETS + "ERROR\r\n"),
                row("few sets, one less", Asked.SET_FEW, Ending.SILENT, "HD O$.0\r\n"),
                row("few touches, a hit of the next", Asked.TOUCH_FEW, Ending.DISTRUSTED, "VA 1 f0 O$.1.1\r\nx\r\n"),
                row("few touches, one less", Asked.TOUCH_FEW, Ending.SILENT, many()),
                row("number of 21 digits", Asked.INCR, Ending.DISTRUSTED, "VA 21 O$\r\n184467440737095516150\r\n"),
                row("number with a tail", Asked.INCR, Ending.DISTRUSTED, "VA 2 O$\r\n5x\r\n"),
                row("number of a gibibyte", Asked.INCR, Ending.DISTRUSTED, "VA 1073741824 O$\r\n5"),
                // What has no opaque.
                row("another key", Asked.DEBUG, Ending.DISTRUSTED, "ME b exp=-1\r\n"),
                row("no key", Asked.DEBUG, Ending.DISTRUSTED, "ME\r\n"),
                row("entry without name", Asked.DEBUG, Ending.DISTRUSTED, "ME a =x\r\n"),
                row("entry without value", Asked.DEBUG, Ending.DISTRUSTED, "ME a exp\r\n"),
                row("line without end", Asked.DEBUG, Ending.DISTRUSTED, "ME a" + " b=c".repeat(5_000)),
                row("twice", Asked.DEBUG, Ending.REPLIED_THEN_REPLACED, "ME a exp=-1\r\nME a exp=-1\r\n"),
                row("version without end", Asked.VERSION, Ending.DISTRUSTED, "VERSION " + LONG_LINE),
                row("version twice", Asked.VERSION, Ending.REPLIED_THEN_REPLACED, VERSION + VERSION),
                row("no statistics", Asked.STATS, Ending.DISTRUSTED, "VA 1 f0 O$\r\nx\r\n" + VERSION),
                row("no barrier", Asked.STATS, Ending.DISTRUSTED, "STAT a b\r\nEND\r\nEND\r\n"),
                row("no end", Asked.STATS, Ending.DISTRUSTED, "STAT a b\r\n" + VERSION),
                row("error among statistics", Asked.STATS, Ending.DISTRUSTED, "STAT a b\r\nERROR\r\n"),
                row("line without end", Asked.STATS, Ending.DISTRUSTED, "STAT " + LONG_LINE),
                row(
                        "32 MiB",
                        Asked.STATS,
                        Ending.TOO_LARGE,
                        "",
                        "STAT a b\r\n".repeat(1 << 14),
                        205,
                        "END\r\n" + VERSION),
                row("statistics twice", Asked.STATS, Ending.REPLIED_THEN_REPLACED, stats() + VERSION + stats()),
                row("another word", Asked.FLUSH, Ending.DISTRUSTED, "DELETED\r\n" + VERSION),
                row("no barrier", Asked.FLUSH, Ending.DISTRUSTED, "OK\r\nOK\r\n"));
    }

    private static String hit(String opaque) {
        return "VA 10 f0 " + opaque + "\r\nvalue of a\r\n";
    }

    private static final String FEW_SETS = "HD O$.0\r\nHD O$.1\r\n";

    private static String many() {
        return "VA 10 f0 O$.0.0\r\nvalue of a\r\n";
    }

    private static String stats() {
        return "STAT maxconns 1024\r\nEND\r\n";
    }

    private static HostileReply row(String name, Asked asked, Ending ending, String bytes) {
        return HostileReply.sent(Protocol.META, name, asked, ending, bytes);
    }

    private static HostileReply cut(String name, Asked asked, Ending ending, String bytes) {
        return HostileReply.cut(Protocol.META, name, asked, ending, bytes);
    }

    private static HostileReply row(
            String name, Asked asked, Ending ending, String before, String piece, int times, String after) {
        return HostileReply.repeated(Protocol.META, name, asked, ending, List.of(before, after), piece, times);
    }
}
