// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.ServerText;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * What every command must do with every sequence of bytes: complete, wait for more, or reject them.
 *
 * <p>It throws no other exception, and shows only printable ASCII in its messages. It takes no more memory than the
 * limit on values allows, and does the same however the bytes are cut.
 */
final class ReplyOracle {

    /** More than a reply and its failure take, and less than a length in a reply can ask for. */
    private static final long MOST_BYTES_ALLOCATED = 1024 * 1024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final MetaFlags COUNTED = MetaFlags.NONE.with("v").with('D', 1);

    private static final MetaGet.Hit<String> ITEM =
            (data, flags, casUnique) -> new String(data, ISO_8859_1) + " f" + flags + " c" + casUnique;

    /** The commands, each with replies that it accepts; the opaque in them is {@link Decoding#OPAQUE}. */
    enum Asked {
        GET(() -> get(MetaGet.Wanted.VALUE), "VA 5 f12 O7\r\nhello\r\n", "EN O7\r\n", "EN\r\n", "VA 101 f0 O7\r\n"),
        GETS(() -> get(MetaGet.Wanted.VALUE_AND_CAS), "VA 2 f0 c18446744073709551615 O7\r\n\r\n\r\n", "EN\r\n"),
        TOUCH(() -> get(MetaGet.Wanted.NOTHING), "HD O7\r\n", "EN O7\r\n"),
        GET_MANY(
                () -> new MetaMultiGet<>(List.of("a", "b", "c"), ITEM),
                "VA 1 f0 O7.0\r\na\r\nEN\r\nVA 0 f2 O7.2\r\n\r\n",
                "EN O7.0\r\nVA 101 f0 O7.1\r\n" + "x".repeat(101) + "\r\nSERVER_ERROR out of memory\r\n",
                "EN\r\nEN\r\nEN\r\n"),
        SET(
                () -> new MetaSet<>(
                        "key",
                        MetaSet.Mode.SET,
                        new MetaSet.Item(new byte[1], 0, 0),
                        MetaSet.ANY_CAS,
                        MetaReply::status),
                "HD O7\r\n",
                "NS O7\r\n",
                "EX O7\r\n",
                "SERVER_ERROR object too large for cache\r\n"),
        SET_FEW(() -> writes(2), "HD O7.0\r\nNS O7.1\r\n", "SERVER_ERROR out of memory\r\nHD O7.1\r\n"),
        SET_MANY(() -> writes(9), "MN\r\n", "NS O7.1\r\nMN\r\n", "SERVER_ERROR out of memory\r\nMN\r\n"),
        DELETE(() -> MetaCommand.delete("key", MetaReply::status), "HD O7\r\n", "NF O7\r\n"),
        INCR(
                () -> new MetaCommand<>(MetaCommand.Verb.ARITHMETIC, "incr", "key", COUNTED, null, MetaReply::toString),
                "VA 20 O7\r\n18446744073709551615\r\n",
                "VA 2 O7\r\n9 \r\n",
                "NF O7\r\n",
                "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"),
        INCR_OR_CREATE(
                () -> new MetaCommand<>(
                        MetaCommand.Verb.ARITHMETIC, "decr", "key", COUNTED.with('N', 0), null, MetaReply::toString),
                "VA 1 O7\r\n1\r\n"),
        NOOP(MetaNoop::new, "MN\r\n", "ERROR\r\n"),
        VERSION(Version::new, "VERSION 1.6.18\r\n", "VERSION \r\n"),
        AUTHENTICATION(
                () -> new Authentication("alice", "secret"), "STORED\r\n", "CLIENT_ERROR authentication failure\r\n");

        private final Supplier<Command<?>> command;
        private final List<String> replies;

        Asked(Supplier<Command<?>> command, String... replies) {
            this.command = command;
            this.replies = List.of(replies);
        }

        List<String> replies() {
            return replies.stream().map(Decoding::sent).toList();
        }
    }

    /**
     * What happened to the bytes.
     *
     * @param verdict complete with a result or an error reply, incomplete, or malformed and why
     * @param left how many bytes were not taken
     */
    private record Outcome(String verdict, int left) {}

    /** An outcome, and the memory it took in bytes. */
    private record Decoded(Outcome outcome, long allocated) {}

    private ReplyOracle() {}

    private static Command<?> get(MetaGet.Wanted wanted) {
        return new MetaGet<>("key", wanted, MetaGet.NO_TOUCH, ITEM);
    }

    private static Command<?> writes(int keys) {
        return MetaMultiWrite.stores(IntStream.range(0, keys)
                .mapToObj(i -> new MetaMultiWrite.Write("k" + i, new MetaSet.Item(new byte[1], 0, 0)))
                .toList());
    }

    /** Decodes {@code bytes} whole, byte by byte, and cut at random. */
    static void check(Asked asked, byte[] bytes, RandomGenerator cuts) {
        Outcome whole = decode(asked, bytes, left -> left).outcome;
        for (IntUnaryOperator pieces : List.<IntUnaryOperator>of(
                left -> 1, left -> cuts.nextInt(1, left + 1), left -> cuts.nextInt(1, Math.min(left, 16) + 1))) {
            Decoded decoded = decode(asked, bytes, pieces);
            assertThat(decoded.outcome).isEqualTo(whole);
            // The first time is not checked, because it also loads classes.
            // The fuzzer allocates on this thread too.
            long most = System.getenv("JAZZER_FUZZ") == null ? MOST_BYTES_ALLOCATED : 256L << 20;
            assertThat(decoded.allocated).as("bytes allocated").isLessThan(most + 16L * bytes.length);
        }
    }

    /** Decodes one reply from {@code bytes}; {@code pieces} gives the length of the next piece for the bytes left. */
    private static Decoded decode(Asked asked, byte[] bytes, IntUnaryOperator pieces) {
        Command<?> command = asked.command.get();
        ReplyBuffer in = new ReplyBuffer(Decoding.MAX_VALUE_BYTES, false);
        long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
        Outcome outcome = decode(command, in, bytes, pieces);
        return new Decoded(outcome, THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore);
    }

    private static Outcome decode(Command<?> command, ReplyBuffer in, byte[] bytes, IntUnaryOperator pieces) {
        int fed = 0;
        String verdict = "incomplete";
        while (fed < bytes.length && verdict.equals("incomplete")) {
            int piece = pieces.applyAsInt(bytes.length - fed);
            in.append(ByteBuffer.wrap(bytes, fed, piece));
            fed += piece;
            try {
                if (command.decode(in, Decoding.OPAQUE)) {
                    ErrorReply error = command.errorReply();
                    verdict = error == null ? "complete: " + result(command.result()) : shown(error.toString());
                }
            } catch (MalformedReplyException e) {
                // The bytes after the fault are dropped, however many have come.
                return new Outcome("malformed: " + shown(String.valueOf(e.getMessage())), 0);
            }
        }
        return new Outcome(verdict, bytes.length - fed + in.undecoded());
    }

    private static String result(Object result) {
        return result instanceof FoundItems<?> found
                ? "hits " + found.hits() + ", errors " + found.errors() + ", failures " + found.failures() + ", unsure "
                        + found.unsure()
                : String.valueOf(result);
    }

    /** A message, which may quote the server: it is one line of printable ASCII, and short. */
    private static String shown(String message) {
        assertThat(message).matches("[ -~]*").hasSizeLessThan(2 * ServerText.MAX_CHARS);
        return message;
    }
}
