// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Command {@code ms}, which stores an item in one of five modes.
 *
 * <p>Protocol: {@code ms <key> <datalen> <flags>*\r\n<data block>\r\n} in protocol.txt, section "Meta Set".
 */
public final class MetaSet<T> extends StatusCommand<T> implements ItemCommand<T> {

    /** Condition of a store, and position of the value relative to an existing value. */
    @SuppressWarnings("ImmutableEnumChecker") // The bytes are never changed nor handed out.
    public enum Mode {
        SET("set", ""),
        ADD("add", " ME"),
        REPLACE("replace", " MR"),
        APPEND("append", " MA"),
        PREPEND("prepend", " MP");

        private final String operation;
        private final byte[] flag;

        Mode(String operation, String flag) {
            this.operation = operation;
            this.flag = flag.getBytes(US_ASCII);
        }
    }

    /** Value of {@code casUnique} that matches every item. */
    public static final long ANY_CAS = 0;

    private static final byte[] VERB = "ms ".getBytes(US_ASCII);
    private static final byte[] CLIENT_FLAGS = " F".getBytes(US_ASCII);
    private static final byte[] EXPTIME = " T".getBytes(US_ASCII);
    private static final byte[] CAS = " C".getBytes(US_ASCII);

    private final Mode mode;
    private final Item item;
    private final long casUnique;

    /**
     * Item to store.
     *
     * @param data the value, not copied; do not change it until the command is complete
     * @param exptime the exptime in memcached's terms: 0 for never, a number of seconds up to 30 days, or else a unix
     *     time
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Item(byte[] data, int flags, int exptime) {

        Item withExptimeAtMost(int seconds) {
            return new Item(data, flags, MetaFlags.limited(exptime, seconds));
        }
    }

    public MetaSet(String key, Mode mode, Item item, long casUnique, Function<StoreStatus, T> outcome) {
        super(key, outcome);
        this.mode = mode;
        this.item = item;
        this.casUnique = casUnique;
    }

    @Override
    public String verb() {
        return "ms";
    }

    @Override
    public String operation() {
        return casUnique == ANY_CAS ? mode.operation : "cas";
    }

    @Override
    boolean hasDataBlock() {
        return true;
    }

    @Override
    boolean isRefusal(@Nullable StoreStatus decoded) {
        return isRefusal(decoded, mode, casUnique);
    }

    /** Returns whether {@code decoded} is a failure status, although the store has no condition that could fail. */
    static boolean isRefusal(@Nullable StoreStatus decoded, Mode mode, long casUnique) {
        return decoded != null && decoded != StoreStatus.DONE && mode == Mode.SET && casUnique == ANY_CAS;
    }

    @Override
    public long requestBytes() {
        return item.data.length;
    }

    @Override
    public Command<T> classicForm() throws NoClassicFormException {
        if (casUnique != ANY_CAS && mode != Mode.SET) {
            throw new NoClassicFormException("only mode set accepts a cas unique: read the value, then call cas");
        }
        return new ClassicStore<>(key(), mode, item, casUnique, outcome());
    }

    @Override
    public Command<T> again() {
        return new MetaSet<>(key(), mode, item, casUnique, outcome());
    }

    /** Returns this command if it appends or prepends, because the item then keeps its time to live. */
    @Override
    public Command<T> withExptimeAtMost(int seconds) {
        return mode == Mode.APPEND || mode == Mode.PREPEND
                ? this
                : new MetaSet<>(key(), mode, item.withExptimeAtMost(seconds), casUnique, outcome());
    }

    @Override
    public Effect effect() {
        if (casUnique != ANY_CAS) {
            return Effect.CAS;
        }
        return switch (mode) {
            case SET -> Effect.STORE;
            case ADD, REPLACE -> Effect.STORE_IF;
            case APPEND, PREPEND -> Effect.CHANGE;
        };
    }

    @Override
    public Command<@Nullable MetaReply> raw() {
        return new MetaSet<>(key(), mode, item, casUnique, MetaReply::new);
    }

    @Override
    public T resultOf(@Nullable MetaReply reply) {
        return resultOfStatus(reply);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(VERB)).append(' ').appendUnsigned(item.data.length).append(mode.flag);
        appendFlagsAndExptime(out, item);
        if (casUnique != ANY_CAS) {
            out.append(CAS).appendUnsigned(casUnique);
        }
        endWithOpaque(out, opaque);
        out.append(item.data).endLine();
    }

    static void appendFlagsAndExptime(RequestBuffer out, Item item) {
        if (item.flags != 0) {
            out.append(CLIENT_FLAGS).appendUnsigned(Integer.toUnsignedLong(item.flags));
        }
        if (item.exptime != 0) {
            out.append(EXPTIME).appendUnsigned(item.exptime);
        }
    }
}
