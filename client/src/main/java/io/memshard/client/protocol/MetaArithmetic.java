// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code ma}: adds to or subtracts from the decimal number that an item holds.
 *
 * <p>Protocol: {@code ma <key> <flags>*\r\n} in protocol.txt, section "Meta Arithmetic". {@code D} is the delta,
 * {@code MD} decrements, {@code N} with {@code J} creates a missing item, {@code v} returns the new number, {@code O}
 * is the opaque. Numbers are unsigned 64-bit; incrementing wraps, decrementing stops at 0.
 */
public final class MetaArithmetic<T> extends ValueCommand<T> implements ItemCommand<T> {

    /** Direction in which the number changes. */
    @SuppressWarnings("ImmutableEnumChecker") // The bytes are never changed or handed out.
    public enum Mode {
        /** Up, wrapping at 2^64. */
        INCREMENT(""),
        /** Down, stopping at 0. */
        DECREMENT(" MD");

        private final byte[] flag;

        Mode(String flag) {
            this.flag = flag.getBytes(US_ASCII);
        }
    }

    /**
     * Content of an item that is created because it is missing.
     *
     * @param number the number, unsigned, which is then the result
     * @param exptime the exptime in memcached's terms
     */
    public record Initial(long number, int exptime) {}

    private static final byte[] VERB = "ma ".getBytes(US_ASCII);
    private static final byte[] DELTA = " v D".getBytes(US_ASCII);
    private static final byte[] CREATE = " N".getBytes(US_ASCII);
    private static final byte[] INITIAL = " J".getBytes(US_ASCII);

    /** Maximum length of a number: 20 digits, and the spaces that memcached may leave after them. */
    static final int MAX_NUMBER_BYTES = 64;

    private static final int NEW_NUMBER = ReplyBuffer.code('V', 'A');
    private static final int NOT_FOUND = ReplyBuffer.code('N', 'F');

    private final Mode mode;
    private final long delta;
    private final @Nullable Initial initial;
    private final Function<OptionalLong, T> outcome;

    private OptionalLong number = OptionalLong.empty();

    /**
     * Creates a command that changes the number under {@code key} by {@code delta}, which is unsigned.
     *
     * @param initial the content of the item that is created on a miss; null to create none
     * @param outcome the function that makes the result from the new number, which is empty on a miss
     */
    public MetaArithmetic(
            String key, Mode mode, long delta, @Nullable Initial initial, Function<OptionalLong, T> outcome) {
        super(key);
        this.mode = mode;
        this.delta = delta;
        this.initial = initial;
        this.outcome = outcome;
    }

    @Override
    public String verb() {
        return "ma";
    }

    @Override
    public String operation() {
        return mode == Mode.INCREMENT ? "incr" : "decr";
    }

    @Override
    public ItemsCommand<T> asItems() {
        return this;
    }

    @Override
    public Command<T> again() {
        return new MetaArithmetic<>(key(), mode, delta, initial, outcome);
    }

    @Override
    public Effect effect() {
        return Effect.COUNT;
    }

    @Override
    public Command<@Nullable MetaReply> raw() {
        return new MetaArithmetic<>(key(), mode, delta, initial, MetaArithmetic::reply);
    }

    private static MetaReply reply(OptionalLong number) {
        MetaReply reply = new MetaReply(number.isPresent() ? StoreStatus.DONE : StoreStatus.NOT_FOUND);
        number.ifPresent(counted -> reply.put((byte) 'v', counted));
        return reply;
    }

    @Override
    public T resultOf(@Nullable MetaReply reply) {
        return outcome.apply(
                reply != null && reply.has('v') ? OptionalLong.of(reply.number('v')) : OptionalLong.empty());
    }

    @Override
    public Command<T> withExptimeAtMost(int seconds) {
        Initial created = initial;
        return created == null
                ? this
                : new MetaArithmetic<>(
                        key(),
                        mode,
                        delta,
                        new Initial(created.number, MetaFlags.limited(created.exptime, seconds)),
                        outcome);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(VERB)).append(mode.flag).append(DELTA).appendUnsigned(delta);
        Initial created = initial;
        if (created != null) {
            out.append(CREATE).appendUnsigned(created.exptime());
            out.append(INITIAL).appendUnsigned(created.number());
        }
        endWithOpaque(out, opaque);
    }

    @Override
    public Command<T> classicForm() throws NoClassicFormException {
        if (initial != null) {
            throw new NoClassicFormException("counting cannot create a missing item: add the item, then count");
        }
        return new ClassicArithmetic<>(key(), mode, delta, outcome);
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (isInBlock()) {
            return readNumber(in);
        }
        if (!in.nextLine()) {
            return false;
        }
        int code = in.code();
        if (code == NEW_NUMBER) {
            beginBlock(in);
            checkOpaqueAmongFlags(in, opaque);
            return readNumber(in);
        }
        if (code == NOT_FOUND && initial == null) {
            checkOpaqueAmongFlags(in, opaque);
            return true;
        }
        if (takeError(in)) {
            return true;
        }
        throw in.malformed("not a reply to ma");
    }

    /** Reads more of the number. Returns whether it is complete. */
    private boolean readNumber(ReplyBuffer in) throws MalformedReplyException {
        if (!readBlock(in)) {
            return false;
        }
        byte[] digits = data();
        if (digits != null) {
            number = OptionalLong.of(parse(digits));
        }
        return true;
    }

    /** Returns the unsigned number in a data block. */
    static long parse(byte[] block) throws MalformedReplyException {
        String digits = new String(block, ISO_8859_1);
        try {
            // If decr made the number shorter, spaces may follow it.
            return Long.parseUnsignedLong(digits.stripTrailing());
        } catch (NumberFormatException e) {
            throw new MalformedReplyException("a block of " + block.length + " bytes that is not a number");
        }
    }

    /** Returns a fixed limit, because the limit on values does not apply to numbers. */
    @Override
    int maxBlockBytes(ReplyBuffer in) {
        return MAX_NUMBER_BYTES;
    }

    @Override
    void beginSkip(ReplyBuffer in) throws MalformedReplyException {
        throw in.malformed("a block of more than " + MAX_NUMBER_BYTES + " bytes is not a number");
    }

    @Override
    public T result() {
        return outcome.apply(number);
    }
}
