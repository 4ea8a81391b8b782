// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.Version;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.testkit.fault.ScriptedConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a server misbehaves, as a table: what it is asked, what comes of that, and what it does.
 *
 * <p>Each is played with three commands in flight: the row's own, and two gets behind it. The text of a row
 * stands for the bytes that are sent, {@code $1} to {@code $3} for the opaques of the three commands.
 */
enum Misbehaviour {

    // Whose reply is it?
    WRONG_OPAQUE(Request.GET, Ending.DISTRUSTED, "VA 1 f0 O999\r\nx\r\n"),
    NO_OPAQUE(Request.GET, Ending.DISTRUSTED, "VA 1 f0\r\nx\r\n"),
    EMPTY_OPAQUE(Request.GET, Ending.DISTRUSTED, "VA 1 f0 O\r\nx\r\n"),
    OPAQUE_THAT_OVERFLOWS(Request.GET, Ending.DISTRUSTED, "VA 1 f0 O18446744073709551616\r\nx\r\n"),
    SECOND_OPAQUE_IS_WRONG(Request.GET, Ending.DISTRUSTED, "VA 1 f0 O$1 O999\r\nx\r\n"),
    MISS_WITH_WRONG_OPAQUE(Request.GET, Ending.DISTRUSTED, "EN O999\r\n"),
    STATUS_WITH_WRONG_OPAQUE(Request.SET, Ending.DISTRUSTED, "HD O999\r\n"),
    STATUS_WITHOUT_OPAQUE(Request.SET, Ending.DISTRUSTED, "HD\r\n"),
    NUMBER_WITH_WRONG_OPAQUE(Request.INCR, Ending.DISTRUSTED, "VA 1 O999\r\n5\r\n"),
    REPLIES_SWAPPED(Request.GET, Ending.DISTRUSTED, Replies.OF_B + Replies.OF_A + Replies.OF_C),
    REPLY_LEFT_OUT(Request.GET, Ending.DISTRUSTED, Replies.OF_B + Replies.OF_C),
    REPLY_TWICE(Request.GET, Ending.REPLIED_THEN_DISTRUSTED, Replies.OF_A + Replies.OF_A),
    EXTRA_LINE(Request.GET, Ending.REPLIED_THEN_DISTRUSTED, Replies.OF_A + "surprise\r\n"),
    EXTRA_EMPTY_LINE(Request.GET, Ending.REPLIED_THEN_DISTRUSTED, Replies.OF_A + "\r\n"),
    EXTRA_BARRIER(Request.GET, Ending.REPLIED_THEN_DISTRUSTED, Replies.OF_A + "MN\r\n" + Replies.OF_B),
    /** Old servers give a miss no opaque, so an extra one passes for one reply: a miss, but never a value. */
    EXTRA_MISS(Request.GET, Ending.REPLIED_THEN_DISTRUSTED, Replies.OF_A + "EN\r\n" + Replies.OF_B),
    REPLY_WHILE_IDLE(Request.GET, Ending.REPLIED_THEN_DISTRUSTED, Replies.OF_ALL + Replies.OF_A),
    GARBAGE_WHILE_IDLE(Request.GET, Ending.REPLIED_THEN_DISTRUSTED, Replies.OF_ALL + "\0\0\0"),

    // A reply to something else.
    STATUS_IN_PLACE_OF_A_VALUE(Request.GET, Ending.DISTRUSTED, "HD O$1\r\n"),
    VALUE_IN_PLACE_OF_A_STATUS(Request.SET, Ending.DISTRUSTED, "VA 1 f0 O$1\r\nx\r\n"),
    VALUE_THAT_WAS_NOT_ASKED_FOR(Request.TOUCH, Ending.DISTRUSTED, "VA 1 f0 O$1\r\nx\r\n"),
    BARRIER_IN_PLACE_OF_A_VALUE(Request.GET, Ending.DISTRUSTED, "MN\r\n"),
    MISS_IN_PLACE_OF_A_NUMBER(Request.INCR, Ending.DISTRUSTED, "EN O$1\r\n"),
    CLASSIC_VALUE(Request.GET, Ending.DISTRUSTED, "VALUE a 0 1\r\nx\r\nEND\r\n"),
    CLASSIC_STATUS(Request.SET, Ending.DISTRUSTED, "STORED\r\n"),
    LOWER_CASE(Request.GET, Ending.DISTRUSTED, "va 1 f0 O$1\r\nx\r\n"),
    HTTP(Request.GET, Ending.DISTRUSTED, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
    VERSION_WITHOUT_ONE(Request.VERSION, Ending.DISTRUSTED, "VERSION\r\n"),
    VERSION_BLANK(Request.VERSION, Ending.REPLIED, "VERSION \r\n" + Replies.OF_B + Replies.OF_C),
    GARBAGE(Request.GET, Ending.DISTRUSTED, (server, opaques) -> server.garbage(10_000, 7)),
    NUL_BYTES(Request.GET, Ending.DISTRUSTED, "\0\0\0\0\r\n"),
    NUL_BYTE_IN_A_NUMBER(Request.GET, Ending.DISTRUSTED, "VA 1\0 f0 O$1\r\nx\r\n"),

    // Lengths and numbers.
    LENGTH_NEGATIVE(Request.GET, Ending.DISTRUSTED, "VA -1 f0 O$1\r\n"),
    LENGTH_MISSING(Request.GET, Ending.DISTRUSTED, "VA f0 O$1\r\nx\r\n"),
    LENGTH_NO_NUMBER(Request.GET, Ending.DISTRUSTED, "VA 0x1 f0 O$1\r\nx\r\n"),
    LENGTH_OF_4_GIB(Request.GET, Ending.DISTRUSTED, "VA 4294967296 f0 O$1\r\n"),
    LENGTH_BEYOND_64_BITS(Request.GET, Ending.DISTRUSTED, "VA 18446744073709551617 f0 O$1\r\nx\r\n"),
    LENGTH_OF_2_GIB_THEN_CLOSED(
            Request.GET,
            Ending.LOST,
            (server, opaques) -> server.send("VA 2147483647 f0 O" + opaques.get(0) + "\r\n" + "x".repeat(100_000))
                    .cut()),
    LENGTH_OF_2_GIB_THEN_SILENCE(Request.GET, Ending.SILENT, "VA 2147483647 f0 O$1\r\nxxx"),
    LENGTH_TOO_SHORT(Request.GET, Ending.DISTRUSTED, "VA 1 f0 O$1\r\nxyz\r\n"),
    LENGTH_TOO_LONG(Request.GET, Ending.DISTRUSTED, "VA 20 f0 O$1\r\nvalue of a\r\n" + Replies.OF_B + Replies.OF_C),
    VALUE_ABOVE_THE_LIMIT(
            Request.GET,
            Ending.TOO_LARGE,
            "VA 1048577 f0 O$1\r\n" + "x".repeat(1024 * 1024 + 1) + "\r\n" + Replies.OF_B + Replies.OF_C),
    FLAGS_NO_NUMBER(Request.GET, Ending.DISTRUSTED, "VA 1 f- O$1\r\nx\r\n"),
    CAS_THAT_OVERFLOWS(Request.GETS, Ending.DISTRUSTED, "VA 1 f0 c18446744073709551616 O$1\r\nx\r\n"),
    NUMBER_THAT_IS_NONE(Request.INCR, Ending.DISTRUSTED, "VA 3 O$1\r\nabc\r\n"),
    NUMBER_NEGATIVE(Request.INCR, Ending.DISTRUSTED, "VA 2 O$1\r\n-1\r\n"),
    NUMBER_EMPTY(Request.INCR, Ending.DISTRUSTED, "VA 0 O$1\r\n\r\n"),
    NUMBER_THAT_OVERFLOWS(Request.INCR, Ending.DISTRUSTED, "VA 20 O$1\r\n18446744073709551616\r\n"),
    NUMBER_OF_A_MEGABYTE(Request.INCR, Ending.DISTRUSTED, "VA 1000000 O$1\r\n111"),

    // Line ends.
    LINE_FEED_ALONE(Request.GET, Ending.DISTRUSTED, "EN O$1\n"),
    NOTHING_BUT_A_LINE_FEED(Request.GET, Ending.DISTRUSTED, "\n"),
    EMPTY_LINE(Request.GET, Ending.DISTRUSTED, "\r\n"),
    LINE_WITHOUT_END(Request.GET, Ending.DISTRUSTED, "x".repeat(5_000)),
    CARRIAGE_RETURN_THEN_SILENCE(Request.GET, Ending.SILENT, "EN O$1\r"),
    VALUE_WITHOUT_LINE_END(Request.GET, Ending.DISTRUSTED, "VA 10 f0 O$1\r\nvalue of a" + Replies.OF_B),

    // Errors, some of which leave the connection as it was.
    ERROR(Request.GET, Ending.REFUSED, "ERROR\r\n" + Replies.OF_B + Replies.OF_C),
    ERROR_AFTER_DATA(Request.SET, Ending.DISTRUSTED, "ERROR\r\n"),
    OUT_OF_MEMORY(Request.GET, Ending.REFUSED, "SERVER_ERROR out of memory\r\n" + Replies.OF_B + Replies.OF_C),
    OUT_OF_MEMORY_STORING(
            Request.SET, Ending.REFUSED, "SERVER_ERROR out of memory storing object\r\n" + Replies.OF_B + Replies.OF_C),
    OBJECT_TOO_LARGE(
            Request.SET, Ending.TOO_LARGE, "SERVER_ERROR object too large for cache\r\n" + Replies.OF_B + Replies.OF_C),
    BAD_DATA_CHUNK(Request.SET, Ending.DISTRUSTED, "CLIENT_ERROR bad data chunk\r\n"),
    BAD_DATA_CHUNK_FOR_NO_DATA(Request.GET, Ending.DISTRUSTED, "CLIENT_ERROR bad data chunk\r\n"),
    BAD_COMMAND_LINE(
            Request.GET, Ending.REFUSED, "CLIENT_ERROR bad command line format\r\n" + Replies.OF_B + Replies.OF_C),
    NOT_A_NUMBER(
            Request.INCR,
            Ending.REFUSED,
            "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n" + Replies.OF_B + Replies.OF_C),
    TOO_MANY_CONNECTIONS(
            Request.GET,
            Ending.DISTRUSTED,
            (server, opaques) ->
                    server.send("ERROR Too many open connections\r\n").cut()),

    // Many gets in one command.
    MANY_ONE_TWICE(Request.GET_MANY, Ending.DISTRUSTED, Replies.OF_MANY + Replies.OF_MANY),
    MANY_ONE_THAT_WAS_NOT_ASKED_FOR(Request.GET_MANY, Ending.DISTRUSTED, "VA 1 f0 O$1.9.9\r\nx\r\n"),
    MANY_WITHOUT_PLACE(Request.GET_MANY, Ending.DISTRUSTED, "VA 1 f0 O$1\r\nx\r\n"),
    MANY_WITH_A_FATAL_ERROR(
            Request.GET_MANY, Ending.DISTRUSTED, Replies.OF_MANY + "ERROR Too many open connections\r\n"),
    MANY_WITHOUT_BARRIER(Request.GET_MANY, Ending.DISTRUSTED, Replies.OF_MANY + Replies.OF_B),
    MANY_WITHOUT_BARRIER_THEN_SILENCE(Request.GET_MANY, Ending.SILENT, Replies.OF_MANY),
    FEW(Request.GET_FEW, Ending.REPLIED, Replies.OF_MANY + "EN\r\n" + Replies.OF_B + Replies.OF_C),
    FEW_ONE_TWICE(Request.GET_FEW, Ending.DISTRUSTED, Replies.OF_MANY + Replies.OF_MANY),
    FEW_WITHOUT_A_MISS(Request.GET_FEW, Ending.DISTRUSTED, Replies.OF_MANY + Replies.OF_B + Replies.OF_C),
    FEW_WITHOUT_A_MISS_THEN_SILENCE(Request.GET_FEW, Ending.SILENT, Replies.OF_MANY),
    FEW_WITH_A_MISS_MORE(Request.GET_FEW, Ending.DISTRUSTED, "EN\r\n" + Replies.OF_MANY),

    // The end, and what feels like it.
    SILENCE(Request.GET, Ending.SILENT, ""),
    HALF_A_LINE_THEN_SILENCE(Request.GET, Ending.SILENT, "VA 1"),
    HALF_A_VALUE_THEN_SILENCE(Request.GET, Ending.SILENT, "VA 10 f0 O$1\r\nvalue"),
    CLOSED(Request.GET, Ending.LOST, (server, opaques) -> server.cut()),
    RESET(Request.GET, Ending.LOST, (server, opaques) -> server.reset()),
    HALF_CLOSED(Request.GET, Ending.LOST, (server, opaques) -> server.halfClose()),
    CLOSED_WITHIN_A_LINE(Request.GET, Ending.LOST, closedAfter("VA 10 f0 ")),
    CLOSED_WITHIN_A_VALUE(Request.GET, Ending.LOST, closedAfter("VA 10 f0 O$1\r\nvalue")),
    CLOSED_BEFORE_THE_END_OF_A_VALUE(Request.GET, Ending.LOST, closedAfter("VA 10 f0 O$1\r\nvalue of a\r")),
    CLOSED_BETWEEN_REPLIES(Request.GET, Ending.REPLIED_THEN_LOST, closedAfter(Replies.OF_A)),
    CLOSED_WHILE_IDLE(Request.GET, Ending.REPLIED_THEN_LOST, closedAfter(Replies.OF_ALL)),
    SLOW_DRIP(
            Request.GET,
            Ending.REPLIED,
            (server, opaques) -> server.sendSlowly(filledIn(Replies.OF_ALL, opaques), Duration.ofMillis(2), 1));

    /** What the server does when it has read the requests, whose opaques it is given. */
    private interface Deed {
        void play(ScriptedConnection server, List<String> opaques) throws InterruptedException;
    }

    /** Replies that nothing is wrong with. */
    private static final class Replies {
        static final String OF_A = "VA 10 f0 O$1\r\nvalue of a\r\n";
        static final String OF_B = "VA 10 f0 O$2\r\nvalue of b\r\n";
        static final String OF_C = "VA 10 f0 O$3\r\nvalue of c\r\n";
        static final String OF_ALL = OF_A + OF_B + OF_C;
        static final String OF_MANY = "VA 10 f0 O$1.0.0\r\nvalue of a\r\n";
    }

    /** What the misbehaving server is asked first, about the item {@code a}. */
    enum Request {
        GET(() -> ConnectionFixture.get("a"), "value of a"),
        GETS(
                () -> new MetaGet<>(
                        "a",
                        MetaGet.Wanted.VALUE_AND_CAS,
                        MetaGet.NO_TOUCH,
                        (data, flags, casUnique) -> new String(data, ISO_8859_1) + casUnique),
                "no row has a reply"),
        TOUCH(
                () -> new MetaGet<>("a", MetaGet.Wanted.NOTHING, 60, (data, flags, casUnique) -> true),
                "no row has a reply"),
        SET(() -> ConnectionFixture.set("a", "data"), "no row has a reply"),
        INCR(
                () -> MetaCommand.count("incr", "a", MetaFlags.NONE.with("v").with('D', 1), MetaReply::status),
                "no row has a reply"),
        VERSION(Version::new, ""),
        GET_MANY(() -> getMany("a", "z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8"), Map.of("a", "value of a")),
        GET_FEW(() -> getMany("a", "z"), Map.of("a", "value of a"));

        private static Command<?> getMany(String... keys) {
            return new MetaMultiGet<>(List.of(keys), (data, flags, casUnique) -> new String(data, ISO_8859_1));
        }

        private final Supplier<Command<?>> command;
        private final Object reply;

        Request(Supplier<Command<?>> command, Object reply) {
            this.command = command;
            this.reply = reply;
        }
    }

    /** What comes of the row's command, and of the connection. */
    enum Ending {
        /** The command has its reply, and so have the others; the connection stays. */
        REPLIED(null, "", false),
        /** The command has its reply, what came behind it costs the connection. */
        REPLIED_THEN_DISTRUSTED(null, "", true),
        REPLIED_THEN_LOST(null, "", true),
        REFUSED(MemcachedServerException.class, "the server answered", false),
        TOO_LARGE(MemcachedValueTooLargeException.class, "", false),
        DISTRUSTED(MemcachedProtocolException.class, "connection closed after a reply that cannot be trusted", true),
        LOST(MemcachedConnectionException.class, "connection lost", true),
        /** Found out by the liveness timeout. */
        SILENT(MemcachedConnectionException.class, "no reply for", true);

        private final @Nullable Class<? extends MemcachedException> failure;
        private final String reason;
        private final boolean replaced;

        Ending(@Nullable Class<? extends MemcachedException> failure, String reason, boolean replaced) {
            this.failure = failure;
            this.reason = reason;
            this.replaced = replaced;
        }
    }

    private final Request request;
    private final Ending ending;
    private final Deed deed;

    Misbehaviour(Request request, Ending ending, Deed deed) {
        this.request = request;
        this.ending = ending;
        this.deed = deed;
    }

    Misbehaviour(Request request, Ending ending, String bytes) {
        this(request, ending, (server, opaques) -> server.send(filledIn(bytes, opaques)));
    }

    private static Deed closedAfter(String bytes) {
        return (server, opaques) -> server.send(filledIn(bytes, opaques)).cut();
    }

    private static String filledIn(String bytes, List<String> opaques) {
        return bytes.replace("$1", opaques.get(0)).replace("$2", opaques.get(1)).replace("$3", opaques.get(2));
    }

    /** The command that meets the misbehaviour. */
    Command<?> command() {
        return request.command.get();
    }

    /** Plays it to the opaques of the commands in flight. */
    void play(ScriptedConnection server, List<String> opaques) throws InterruptedException {
        deed.play(server, opaques);
    }

    /** The reply that the command has in the end; null if it fails instead. */
    @Nullable
    Object reply() {
        return ending.failure == null ? request.reply : null;
    }

    /** What the command fails with; null if it does not. */
    @Nullable
    Class<? extends MemcachedException> failure() {
        return ending.failure;
    }

    /** What the failure says. */
    String reason() {
        return ending.reason;
    }

    /** What the commands behind it may fail with; null if they must not. */
    @Nullable
    Class<? extends MemcachedException> failureOfOthers() {
        return switch (ending) {
            case REPLIED, REFUSED, TOO_LARGE -> null;
            case REPLIED_THEN_DISTRUSTED, DISTRUSTED -> MemcachedProtocolException.class;
            case REPLIED_THEN_LOST, LOST, SILENT -> MemcachedConnectionException.class;
        };
    }

    /** Whether the connection is replaced. */
    boolean isReplaced() {
        return ending.replaced;
    }

    /** Whether it shows only by nothing happening. */
    boolean isSilent() {
        return ending == Ending.SILENT;
    }
}
