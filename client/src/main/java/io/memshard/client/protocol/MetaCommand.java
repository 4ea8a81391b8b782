// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Command {@code mg}, {@code ms}, {@code md} or {@code ma} with any flags (protocol.txt, section "Meta Commands"). */
public sealed class MetaCommand<T> extends ItemCommand<T> implements ReadCommand<T> permits MetaRelease {

    public enum Verb {
        GET("mg", "meta.get"),
        SET("ms", "meta.set"),
        DELETE("md", "meta.delete"),
        ARITHMETIC("ma", "meta.arithmetic");

        public final String text;
        private final String operation;

        Verb(String text, String operation) {
            this.text = text;
            this.operation = operation;
        }
    }

    private static final byte[] INVALID_FLAG = "CLIENT_ERROR invalid flag".getBytes(US_ASCII);
    private static final byte[] INVALID_OR_DUPLICATE = "CLIENT_ERROR invalid or duplicate flag".getBytes(US_ASCII);

    private static final String LATER_VERSION = ": newCas or keepItem needs memcached 1.6.27 or later";
    private static final int MAX_NUMBER_BYTES = 64;

    private final Verb verb;
    private final MetaFlags flags;
    private final byte @Nullable [] block;
    private final Function<MetaReply, T> outcome;
    private final String operation;
    private @Nullable MetaReply reply;
    private boolean wonUnasked;

    /** Creates a request. {@code block} is the data block of {@code ms}, not copied. */
    public MetaCommand(
            Verb verb, String key, MetaFlags flags, byte @Nullable [] block, Function<MetaReply, T> outcome) {
        this(verb, null, key, flags, block, outcome);
    }

    /** Creates a request of {@code operation}, such as {@code getOrLoad}; null for an operation of its own. */
    public MetaCommand(
            Verb verb,
            @Nullable String operation,
            String key,
            MetaFlags flags,
            byte @Nullable [] block,
            Function<MetaReply, T> outcome) {
        super(key);
        this.verb = verb;
        this.operation = operation == null ? verb.operation : operation;
        this.flags = flags;
        this.block = block;
        this.outcome = outcome;
    }

    public static <T> MetaCommand<T> delete(String key, Function<MetaReply, T> outcome) {
        return new MetaCommand<>(Verb.DELETE, "delete", key, MetaFlags.NONE, null, outcome);
    }

    @Override
    public String verb() {
        return verb.text;
    }

    @Override
    public String operation() {
        return operation;
    }

    @Override
    boolean hasDataBlock() {
        return block != null;
    }

    @Override
    public long requestBytes() {
        return block == null ? 0 : block.length;
    }

    @Override
    public @Nullable ReadCommand<T> asRead() {
        return verb == Verb.GET ? this : null;
    }

    /** Returns false if a lost reply may have granted a claim, except within {@code getOrLoad}. */
    @Override
    public boolean isRepeatable() {
        return isPart() || !mayClaim();
    }

    private boolean mayClaim() {
        return flags.has('N') || flags.has('R');
    }

    @Override
    public T miss() {
        return outcome.apply(MetaReply.of(StoreStatus.NOT_FOUND));
    }

    private <R> MetaCommand<R> copy(MetaFlags other, Function<MetaReply, R> result) {
        return new MetaCommand<>(verb, operation, key(), other, block, result);
    }

    @Override
    public Command<T> again() {
        return copy(flags, outcome);
    }

    @Override
    public Command<T> withExptimeAtMost(int seconds) {
        boolean storesForEver = verb == Verb.SET && !flags.has('T') && !flags.joins();
        return copy(storesForEver ? flags.with('T', seconds) : flags.withExptimesAtMost(seconds), outcome);
    }

    @Override
    public Effect effect() {
        return switch (verb) {
            case GET -> effectOfGet();
            case SET -> effectOfSet();
            case DELETE -> effectOfDelete();
            case ARITHMETIC -> Effect.COUNT;
        };
    }

    private Effect effectOfGet() {
        if (mayClaim()) {
            return Effect.CLAIM;
        }
        if (flags.has('c')) {
            return Effect.READ_CAS;
        }
        return flags.has('T') ? Effect.READ_AND_TOUCH : Effect.READ;
    }

    private Effect effectOfSet() {
        if (isPart()) {
            return Effect.FILL;
        }
        if (flags.has('C')) {
            return Effect.CAS;
        }
        if (flags.joins()) {
            return Effect.CHANGE;
        }
        // A single server must also decide a store that returns a cas unique.
        return flags.has('M') || flags.has('c') ? Effect.STORE_IF : Effect.STORE;
    }

    private Effect effectOfDelete() {
        if (flags.has('C')) {
            return isPart() ? Effect.FILL : Effect.CAS;
        }
        return flags.has('I') || flags.has('x') ? Effect.INVALIDATE : Effect.DELETE;
    }

    /** Returns whether a larger operation sends this command. For stores, only {@code getOrLoad} does. */
    private boolean isPart() {
        return !operation.equals(verb.operation);
    }

    @Override
    public boolean hasBinaryKey() {
        return flags.has('b');
    }

    @Override
    public Command<@Nullable MetaReply> raw() {
        return copy(flags, reply -> reply);
    }

    @Override
    public Command<?> touchOnly() {
        return copy(flags.without("vfcthlsu"), MetaReply::status);
    }

    @Override
    public @Nullable Command<@Nullable MetaReply> plainRead() {
        return verb == Verb.GET && isPart() ? copy(flags.without("NRTEc"), reply -> reply) : null;
    }

    @Override
    public T resultOf(@Nullable MetaReply judged) {
        return judged == null ? miss() : outcome.apply(judged);
    }

    @Override
    public Command<T> classicForm() throws NoClassicFormException {
        if (isPart() && verb == Verb.DELETE && flags.equals(MetaFlags.NONE)) {
            return ClassicWrite.delete(key(), outcome);
        }
        if (!isPart() || verb != Verb.ARITHMETIC) {
            throw noClassicForm();
        }
        if (flags.has('N') || !(flags.token('D') instanceof Number delta)) {
            throw new NoClassicFormException("incr and decr cannot create items: call add and omit the initial value");
        }
        return ClassicWrite.count(key(), operation, delta.longValue(), outcome);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(verb.text).append(' '));
        if (block != null) {
            out.append(' ').appendUnsigned(block.length);
        }
        flags.append(out);
        endWithOpaque(out, opaque);
        if (block != null) {
            out.append(block).endLine();
        }
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (in.isInBlock()) {
            return readValue(in);
        }
        if (!in.nextLine()) {
            return false;
        }
        int code = in.code();
        if (code == ReplyBuffer.VA && flags.has('v') && (verb == Verb.GET || verb == Verb.ARITHMETIC)) {
            reply = new MetaReply(StoreStatus.DONE);
            if (!in.beginBlock(verb == Verb.ARITHMETIC ? MAX_NUMBER_BYTES : in.maxValueBytes())) {
                if (verb == Verb.ARITHMETIC) {
                    throw in.malformed(
                            "the server sent a block above " + MAX_NUMBER_BYTES + " bytes, which is not a number");
                }
                fail(in.valueTooLarge());
            }
            checkOpaqueAmongFlags(in, opaque);
            return readValue(in);
        }
        StoreStatus status = StoreStatus.ofCode(code);
        if (code == ReplyBuffer.EN && verb == Verb.GET) {
            reply = new MetaReply(StoreStatus.NOT_FOUND);
            // Not every memcached version repeats the flags in a miss.
            hasOpaqueAmongFlags(in, opaque);
        } else if (status != null && canBe(status)) {
            reply = new MetaReply(status);
            checkOpaqueAmongFlags(in, opaque);
        } else if (in.lineStartsWith(INVALID_FLAG) || in.lineStartsWith(INVALID_OR_DUPLICATE)) {
            // The server still reads the data block, so the connection stays usable.
            fail(new ErrorReply(ErrorReply.Kind.UNSUPPORTED, "the server answered " + in.errorText() + LATER_VERSION));
        } else {
            takeErrorOrReject(in);
        }
        return true;
    }

    private boolean canBe(StoreStatus status) {
        return switch (verb) {
            // With flag C, the server may leave out the value, because the caller has it.
            case GET -> status == StoreStatus.DONE && (!flags.has('v') || flags.has('C'));
            case SET, DELETE -> true;
            case ARITHMETIC ->
                isPart()
                        ? status == StoreStatus.NOT_FOUND && !flags.has('N')
                        : status != StoreStatus.DONE || !flags.has('v');
        };
    }

    private boolean readValue(ReplyBuffer in) throws MalformedReplyException {
        if (!in.readBlock()) {
            return false;
        }
        byte[] data = in.takeBlock();
        reply().setData(data);
        if (verb == Verb.ARITHMETIC && data != null) {
            reply().put((byte) 'v', number(data));
        }
        return true;
    }

    private static long number(byte[] block) throws MalformedReplyException {
        try {
            // If decr makes a number shorter, memcached pads the number with spaces.
            return Long.parseUnsignedLong(new String(block, ISO_8859_1).stripTrailing());
        } catch (NumberFormatException e) {
            throw new MalformedReplyException(
                    "the server sent a block of " + block.length + " bytes that is not a number");
        }
    }

    @Override
    void readFlag(byte letter, ReplyBuffer in) throws MalformedReplyException {
        switch (letter) {
            case 'c', 'h', 'l', 's' -> reply().put(letter, in.flagNumber());
            case 't' -> reply().put(letter, in.signedFlagNumber());
            case 'f' -> reply().put(letter, Integer.toUnsignedLong(in.clientFlags()));
            case 'W' -> {
                wonUnasked = verb == Verb.GET && !mayClaim() && !flags.has('c');
                if (!wonUnasked) {
                    reply().put(letter);
                }
            }
            case 'X', 'Z' -> reply().put(letter);
            default -> {
                // The key, and flags of later memcached versions, are ignored.
            }
        }
    }

    @Override
    public List<MetaRelease> releases() {
        return wonUnasked ? List.of(MetaRelease.of(key(), flags.has('b'), 0)) : List.of();
    }

    final MetaReply reply() {
        return Objects.requireNonNull(reply, "the command has no reply yet");
    }

    @Override
    public int hits() {
        if (verb != Verb.GET || !flags.has('v')) {
            return -1;
        }
        return reply == null || reply.data() == null || reply.isPlaceholder() ? 0 : 1;
    }

    @Override
    public T result() {
        return outcome.apply(reply());
    }
}
