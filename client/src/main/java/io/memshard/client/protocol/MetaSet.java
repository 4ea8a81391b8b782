// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Command {@code ms}, which stores an item (protocol.txt, section "Meta Set"). */
public final class MetaSet<T> extends ItemCommand<T> {

    public enum Mode {
        SET("set", ""),
        /** Set to which the server replies only if the set fails. */
        QUIET_SET("set", " q"),
        ADD("add", " ME"),
        REPLACE("replace", " MR"),
        APPEND("append", " MA"),
        PREPEND("prepend", " MP");

        final String operation;
        private final String flag;

        Mode(String operation, String flag) {
            this.operation = operation;
            this.flag = flag;
        }
    }

    public static final long ANY_CAS = 0;

    private final Mode mode;
    private final Item item;
    private final long casUnique;
    private final Function<MetaReply, T> outcome;
    private @Nullable StoreStatus status;

    /**
     * Item to store. Do not change {@code data}, which is not copied, until the command is complete. {@code exptime} is
     * 0 for never, a number of seconds up to 30 days, or a unix time.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Item(byte[] data, int flags, int exptime) {

        Item withExptimeAtMost(int seconds) {
            return new Item(data, flags, MetaFlags.limited(exptime, seconds));
        }

        void append(RequestBuffer out, Mode mode, long casUnique, int opaque) {
            out.append(' ').appendUnsigned(data.length).append(mode.flag);
            if (flags != 0) {
                out.append(" F").appendUnsigned(Integer.toUnsignedLong(flags));
            }
            if (exptime != 0) {
                out.append(" T").appendUnsigned(exptime);
            }
            if (casUnique != ANY_CAS) {
                out.append(" C").appendUnsigned(casUnique);
            }
            endWithOpaque(out, opaque);
            out.append(data).endLine();
        }
    }

    public MetaSet(String key, Mode mode, Item item, long casUnique, Function<MetaReply, T> outcome) {
        super(key);
        this.mode = mode;
        this.item = item;
        this.casUnique = casUnique;
        this.outcome = outcome;
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
    public long requestBytes() {
        return item.data.length;
    }

    @Override
    public Command<T> classicForm() {
        return ClassicWrite.store(key(), mode, item, casUnique, outcome);
    }

    private <R> MetaSet<R> copy(Item other, Function<MetaReply, R> result) {
        return new MetaSet<>(key(), mode, other, casUnique, result);
    }

    @Override
    public Command<T> again() {
        return copy(item, outcome);
    }

    @Override
    public Command<T> withExptimeAtMost(int seconds) {
        return mode == Mode.APPEND || mode == Mode.PREPEND ? this : copy(item.withExptimeAtMost(seconds), outcome);
    }

    @Override
    public Effect effect() {
        if (casUnique != ANY_CAS) {
            return Effect.CAS;
        }
        return switch (mode) {
            case SET, QUIET_SET -> Effect.STORE;
            case ADD, REPLACE -> Effect.STORE_IF;
            case APPEND, PREPEND -> Effect.CHANGE;
        };
    }

    @Override
    public Command<@Nullable MetaReply> raw() {
        return copy(item, reply -> reply);
    }

    @Override
    public T resultOf(@Nullable MetaReply reply) {
        return outcome.apply(reply == null ? MetaReply.of(StoreStatus.NOT_FOUND) : reply);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        item.append(appendKey(out.append("ms ")), mode, casUnique, opaque);
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        status = StoreStatus.ofCode(in.code());
        if (status == null) {
            takeErrorOrReject(in);
            return true;
        }
        checkOpaqueAmongFlags(in, opaque);
        if (status != StoreStatus.DONE && mode == Mode.SET && casUnique == ANY_CAS) {
            failRefused(status);
        }
        return true;
    }

    @Override
    public T result() {
        return outcome.apply(MetaReply.of(Objects.requireNonNull(status, "the command has no reply yet")));
    }
}
