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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Command {@code mg}, {@code ms}, {@code md} or {@code ma} with any flags.
 *
 * <p>{@link MetaGet} and {@link MetaSet} are smaller objects for the most common requests.
 *
 * <p>Protocol: protocol.txt, section "Meta Commands". A server that does not know a flag answers {@code CLIENT_ERROR
 * invalid flag}, or {@code invalid or duplicate flag} to {@code md} and {@code ma}. After such an answer to {@code ms},
 * the server still reads the data block, so the connection stays usable.
 */
public sealed class MetaCommand<T> extends ValueCommand<T> implements ItemCommand<T>, ReadCommand<T>
        permits MetaRelease {

    @SuppressWarnings("ImmutableEnumChecker") // The bytes are never changed or handed out.
    public enum Verb {
        GET("mg", "meta.get"),
        SET("ms", "meta.set"),
        DELETE("md", "meta.delete"),
        ARITHMETIC("ma", "meta.arithmetic");

        private final String text;
        private final String operation;
        private final byte[] bytes;

        Verb(String text, String operation) {
            this.text = text;
            this.operation = operation;
            this.bytes = (text + ' ').getBytes(US_ASCII);
        }

        public String text() {
            return text;
        }
    }

    private static final byte[] INVALID_FLAG = "CLIENT_ERROR invalid flag".getBytes(US_ASCII);
    private static final byte[] INVALID_OR_DUPLICATE = "CLIENT_ERROR invalid or duplicate flag".getBytes(US_ASCII);

    private static final String FIELDS = "chlst";

    /** Maximum length of a number: 20 digits, and the spaces with which memcached may pad a number. */
    private static final int MAX_NUMBER_BYTES = 64;

    private static final int VALUE = ReplyBuffer.code('V', 'A');
    private static final int MISS = ReplyBuffer.code('E', 'N');

    private final Verb verb;
    private final MetaFlags flags;
    private final byte @Nullable [] block;
    private final Function<MetaReply, T> outcome;
    private final boolean isRepeatable;
    private final String operation;
    private @Nullable MetaReply reply;
    private boolean wonUnasked;

    /**
     * Creates a request. {@code block} is the data block of an {@code ms}, not copied. {@code outcome} runs on the
     * thread that requests the result.
     */
    public MetaCommand(
            Verb verb, String key, MetaFlags flags, byte @Nullable [] block, Function<MetaReply, T> outcome) {
        this(verb, verb.operation, key, flags, block, outcome);
    }

    /** Creates a request that is a part of {@code operation}, such as {@code getOrLoad}. */
    public MetaCommand(
            Verb verb,
            String operation,
            String key,
            MetaFlags flags,
            byte @Nullable [] block,
            Function<MetaReply, T> outcome) {
        // A get that may win a claim is not repeatable, because the server grants each claim only once.
        this(verb, key, flags, block, outcome, verb == Verb.GET && !flags.has('N') && !flags.has('R'), operation);
    }

    /** Returns a delete that also has a classic form. */
    public static <T> MetaCommand<T> delete(String key, Function<MetaReply, T> outcome) {
        return new MetaCommand<>(Verb.DELETE, "delete", key, MetaFlags.NONE, null, outcome);
    }

    /**
     * Returns an {@code incr} or {@code decr}. Its {@code flags} must include {@code v} and {@code D}. The command has
     * a classic form unless it creates a missing item.
     */
    public static <T> MetaCommand<T> count(
            String operation, String key, MetaFlags flags, Function<MetaReply, T> outcome) {
        return new MetaCommand<>(Verb.ARITHMETIC, operation, key, flags, null, outcome);
    }

    private MetaCommand(
            Verb verb,
            String key,
            MetaFlags flags,
            byte @Nullable [] block,
            Function<MetaReply, T> outcome,
            boolean isRepeatable,
            String operation) {
        super(key);
        this.isRepeatable = isRepeatable;
        this.operation = operation;
        this.verb = verb;
        this.flags = flags;
        this.block = block;
        this.outcome = outcome;
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

    /**
     * Returns the same request with {@link #isRepeatable} true. The caller accepts that a lost reply may have granted
     * the claim.
     */
    public MetaCommand<T> asRepeatable() {
        return new MetaCommand<>(verb, key(), flags, block, outcome, true, operation);
    }

    @Override
    public @Nullable ReadCommand<T> asRead() {
        return verb == Verb.GET ? this : null;
    }

    @Override
    public boolean isRepeatable() {
        return isRepeatable;
    }

    @Override
    public T miss() {
        return outcome.apply(new MetaReply(StoreStatus.NOT_FOUND));
    }

    @Override
    public Command<T> again() {
        return new MetaCommand<>(verb, key(), flags, block, outcome, isRepeatable, operation);
    }

    @Override
    public Command<T> withExptimeAtMost(int seconds) {
        boolean storesForEver = verb == Verb.SET && !flags.has('T') && !joins();
        MetaFlags shorter = storesForEver ? flags.with('T', seconds) : flags.withExptimesAtMost(seconds);
        return new MetaCommand<>(verb, key(), shorter, block, outcome, isRepeatable, operation);
    }

    private boolean joins() {
        return flags.token('M') instanceof Character mode && (mode == 'A' || mode == 'P');
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
        if (flags.has('N') || flags.has('R')) {
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
        if (joins()) {
            return Effect.CHANGE;
        }
        // A store that returns a cas unique must also be decided by a single server.
        return flags.has('M') || flags.has('c') ? Effect.STORE_IF : Effect.STORE;
    }

    private Effect effectOfDelete() {
        if (flags.has('C')) {
            return isPart() ? Effect.FILL : Effect.CAS;
        }
        return flags.has('I') || flags.has('x') ? Effect.INVALIDATE : Effect.DELETE;
    }

    /**
     * Returns whether the command is a part of another operation. A part that stores, or that deletes by a cas unique,
     * belongs to {@code getOrLoad}.
     */
    private boolean isPart() {
        return !operation.equals(verb.operation);
    }

    @Override
    public boolean hasBinaryKey() {
        return flags.has('b');
    }

    @Override
    public Command<@Nullable MetaReply> raw() {
        return new MetaCommand<>(verb, key(), flags, block, reply -> reply, isRepeatable, operation);
    }

    @Override
    public Command<?> touchOnly() {
        return new MetaCommand<>(verb, key(), flags.without("vfcthlsu"), block, MetaReply::status);
    }

    @Override
    public @Nullable Command<@Nullable MetaReply> plainRead() {
        return verb == Verb.GET && isPart()
                ? new MetaCommand<>(verb, key(), flags.without("NRTEc"), null, reply -> reply, true, operation)
                : null;
    }

    @Override
    public T resultOf(@Nullable MetaReply judged) {
        return outcome.apply(judged == null ? new MetaReply(StoreStatus.NOT_FOUND) : judged);
    }

    @Override
    public Command<T> classicForm() throws NoClassicFormException {
        if (isPart() && verb == Verb.DELETE && flags.isEmpty()) {
            return ClassicStatus.delete(key(), status -> outcome.apply(new MetaReply(status)));
        }
        if (!isPart() || verb != Verb.ARITHMETIC) {
            throw noClassicForm();
        }
        if (flags.has('N') || !(flags.token('D') instanceof Number delta)) {
            throw new NoClassicFormException("counting cannot create a missing item: add the item, then count");
        }
        return new ClassicArithmetic<>(key(), operation, delta.longValue(), outcome);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(verb.bytes));
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
        if (isInBlock()) {
            return readValue(in);
        }
        if (!in.nextLine()) {
            return false;
        }
        int code = in.code();
        if (code == VALUE && isAnsweredByValue()) {
            reply = new MetaReply(StoreStatus.DONE);
            beginBlock(in);
            checkOpaqueAmongFlags(in, opaque);
            failIfIncomplete();
            return readValue(in);
        }
        if (code == MISS && verb == Verb.GET) {
            reply = new MetaReply(StoreStatus.NOT_FOUND);
            // Not every memcached version repeats the flags in a miss.
            hasOpaqueAmongFlags(in, opaque);
            return true;
        }
        StoreStatus status = StoreStatus.ofCode(code);
        if (status != null && canBe(status)) {
            reply = new MetaReply(status);
            checkOpaqueAmongFlags(in, opaque);
            failIfIncomplete();
            failIfVivifyWasIgnored(status);
            return true;
        }
        if (takeFlagError(in) || takeError(in)) {
            return true;
        }
        throw in.malformed("not a reply to " + verb.text);
    }

    private void failIfIncomplete() {
        if (verb != Verb.GET || errorReply() != null) {
            return;
        }
        for (int i = 0; i < FIELDS.length(); i++) {
            char field = FIELDS.charAt(i);
            if (flags.has(field) && !reply().has(field)) {
                fail(ErrorReply.Kind.INCOMPLETE, lacks(field));
            }
        }
    }

    static String lacks(char field) {
        return "the server's reply lacks flag " + field + ", which was requested";
    }

    private boolean isAnsweredByValue() {
        return (verb == Verb.GET || verb == Verb.ARITHMETIC) && flags.has('v');
    }

    private boolean canBe(StoreStatus status) {
        return switch (verb) {
            case GET -> status == StoreStatus.DONE && (!flags.has('v') || mayLeaveOutValue());
            case SET, DELETE -> true;
            case ARITHMETIC ->
                isPart()
                        ? status == StoreStatus.NOT_FOUND && !flags.has('N')
                        : status != StoreStatus.DONE || !flags.has('v');
        };
    }

    /** Returns whether the server may omit the value, because flag {@code C} means that the caller has it. */
    private boolean mayLeaveOutValue() {
        return flags.has('C');
    }

    private boolean readValue(ReplyBuffer in) throws MalformedReplyException {
        if (!readBlock(in)) {
            return false;
        }
        byte[] data = data();
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
            throw new MalformedReplyException("a block of " + block.length + " bytes that is not a number");
        }
    }

    @Override
    int maxBlockBytes(ReplyBuffer in) {
        return verb == Verb.ARITHMETIC ? MAX_NUMBER_BYTES : super.maxBlockBytes(in);
    }

    @Override
    void beginSkip(ReplyBuffer in) throws MalformedReplyException {
        if (verb == Verb.ARITHMETIC) {
            throw in.malformed("a block of more than " + MAX_NUMBER_BYTES + " bytes is not a number");
        }
        super.beginSkip(in);
    }

    @Override
    void readFlag(byte letter, ReplyBuffer in) throws MalformedReplyException {
        switch (letter) {
            case 'c', 'h', 'l', 's' -> reply().put(letter, in.flagNumber());
            case 't' -> reply().put(letter, in.signedFlagNumber());
            case 'f' -> reply().put(letter, Integer.toUnsignedLong(checkFlags(in.flagNumber(), in)));
            case 'W' -> takeWin();
            case 'X', 'Z' -> reply().put(letter);
            default -> {
                // The key, or a flag of a later memcached version: neither was requested.
            }
        }
    }

    private void takeWin() {
        wonUnasked = verb == Verb.GET && !asksForWin();
        if (!wonUnasked) {
            reply().put((byte) 'W');
        }
    }

    /** Returns whether the caller expects to win the item. Otherwise {@link #releases} gives the claim back. */
    private boolean asksForWin() {
        return flags.has('N') || flags.has('R') || flags.has('c');
    }

    @Override
    public List<MetaRelease> releases() {
        return wonUnasked ? List.of(MetaRelease.of(key(), flags.has('b'), 0)) : List.of();
    }

    private boolean takeFlagError(ReplyBuffer in) {
        if (!in.lineStartsWith(INVALID_FLAG) && !in.lineStartsWith(INVALID_OR_DUPLICATE)) {
            return false;
        }
        fail(ErrorReply.Kind.UNSUPPORTED, "the server answered " + in.errorText() + ": " + flags.requirements());
        return true;
    }

    private void failIfVivifyWasIgnored(StoreStatus status) {
        if (verb == Verb.SET && status == StoreStatus.NOT_STORED && flags.has('N')) {
            fail(
                    ErrorReply.Kind.UNSUPPORTED,
                    "the server did not create the missing item: the item is too large,"
                            + " or the server is older than flag N of ms, which needs memcached 1.6.20 or later");
        }
    }

    final MetaReply reply() {
        MetaReply begun = reply;
        if (begun == null) {
            throw new IllegalStateException(verb.text + " has no reply yet");
        }
        return begun;
    }

    @Override
    public int hits() {
        if (verb != Verb.GET || !flags.has('v')) {
            return -1;
        }
        MetaReply begun = reply;
        return begun == null || begun.data() == null || begun.isPlaceholder() ? 0 : 1;
    }

    @Override
    public T result() {
        return outcome.apply(reply());
    }
}
