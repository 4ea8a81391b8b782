// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Command {@code mg}. The empty placeholder of a value being loaded is a miss. */
@SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
public final class MetaGet<T> extends ItemCommand<@Nullable T> implements ReadCommand<@Nullable T> {

    /** Converter of a hit, called on the thread that requests the result. */
    @FunctionalInterface
    public interface Hit<T> {

        /** Converts a hit. {@code data} is not copied; fields that were not requested are empty or 0. */
        T result(byte[] data, int flags, long casUnique);
    }

    public enum Wanted {
        VALUE(" v f"),
        VALUE_AND_CAS(" v f c"),
        NOTHING("");

        private final String flags;

        Wanted(String flags) {
            this.flags = flags;
        }

        void append(RequestBuffer out, int exptime) {
            out.append(flags);
            if (exptime != NO_TOUCH) {
                out.append(" T").appendUnsigned(exptime);
            }
        }

        Effect effect(int exptime) {
            if (this == VALUE_AND_CAS) {
                return Effect.READ_CAS;
            }
            if (exptime == NO_TOUCH) {
                return Effect.READ;
            }
            return this == NOTHING ? Effect.TOUCH : Effect.READ_AND_TOUCH;
        }

        long releaseDelayNanos() {
            return this == VALUE_AND_CAS ? MetaRelease.CAS_DELAY_NANOS : 0;
        }
    }

    /** Value of {@code exptime} that leaves the item's time to live unchanged. */
    public static final int NO_TOUCH = Integer.MIN_VALUE;

    private static final byte[] NO_DATA = new byte[0];

    private final Wanted wanted;
    private final int exptime;
    private final Hit<T> hit;

    private boolean found;
    private byte @Nullable [] data;
    private boolean ownsClaim;
    private boolean isBeingLoaded;
    private int clientFlags;
    private long casUnique;

    public MetaGet(String key, Wanted wanted, int exptime, Hit<T> hit) {
        super(key);
        this.wanted = wanted;
        this.exptime = exptime;
        this.hit = hit;
    }

    @Override
    public String verb() {
        return "mg";
    }

    @Override
    public String operation() {
        return switch (wanted) {
            case VALUE -> exptime == NO_TOUCH ? "get" : "getAndTouch";
            case VALUE_AND_CAS -> "gets";
            case NOTHING -> "touch";
        };
    }

    @Override
    public @Nullable ReadCommand<@Nullable T> asRead() {
        return wanted == Wanted.NOTHING ? null : this;
    }

    @Override
    public @Nullable T miss() {
        return null;
    }

    @Override
    public Command<@Nullable T> again() {
        return new MetaGet<>(key(), wanted, exptime, hit);
    }

    @Override
    public Effect effect() {
        return wanted.effect(exptime);
    }

    @Override
    public Command<@Nullable MetaReply> raw() {
        return new MetaGet<>(key(), wanted, exptime, MetaReply::ofItem);
    }

    @Override
    public @Nullable T resultOf(@Nullable MetaReply reply) {
        byte[] read = reply == null ? null : reply.data();
        return reply == null || read == null ? null : hit.result(read, (int) reply.number('f'), reply.number('c'));
    }

    @Override
    public Command<?> touchOnly() {
        return new MetaGet<>(key(), Wanted.NOTHING, exptime, hit);
    }

    @Override
    public Command<@Nullable T> withExptimeAtMost(int seconds) {
        return exptime == NO_TOUCH ? this : new MetaGet<>(key(), wanted, MetaFlags.limited(exptime, seconds), hit);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append("mg "));
        wanted.append(out, exptime);
        endWithOpaque(out, opaque);
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
        if (code == ReplyBuffer.VA && wanted != Wanted.NOTHING) {
            found = true;
            if (!in.beginBlock(in.maxValueBytes())) {
                fail(in.valueTooLarge());
            }
            checkOpaqueAmongFlags(in, opaque);
            return readValue(in);
        }
        if (code == ReplyBuffer.HD && wanted == Wanted.NOTHING) {
            found = true;
            checkOpaqueAmongFlags(in, opaque);
        } else if (code == ReplyBuffer.EN) {
            // Not every memcached version repeats the flags in a miss.
            hasOpaqueAmongFlags(in, opaque);
        } else {
            takeErrorOrReject(in);
        }
        return true;
    }

    private boolean readValue(ReplyBuffer in) throws MalformedReplyException {
        boolean isComplete = in.readBlock();
        if (isComplete) {
            data = in.takeBlock();
        }
        return isComplete;
    }

    @Override
    public Command<@Nullable T> classicForm() throws NoClassicFormException {
        if (wanted != Wanted.NOTHING) {
            return new ClassicGet<>(key(), wanted == Wanted.VALUE_AND_CAS, exptime, hit);
        }
        if (exptime == NO_TOUCH) {
            throw new NoClassicFormException("only get and touch can check whether an item exists");
        }
        return ClassicWrite.touch(
                key(), exptime, reply -> reply.status() == StoreStatus.DONE ? hit.result(NO_DATA, 0, 0) : null);
    }

    @Override
    void readFlag(byte letter, ReplyBuffer in) throws MalformedReplyException {
        switch (letter) {
            case 'f' -> clientFlags = in.clientFlags();
            case 'c' -> casUnique = in.flagNumber();
            case 'W' -> {
                ownsClaim = true;
                isBeingLoaded = true;
            }
            case 'Z' -> isBeingLoaded = true;
            default -> {
                // X, and flags of later versions, do not change the result.
            }
        }
    }

    @Override
    public List<MetaRelease> releases() {
        return ownsClaim ? List.of(MetaRelease.of(key(), false, wanted.releaseDelayNanos())) : List.of();
    }

    @Override
    public int hits() {
        return wanted == Wanted.NOTHING ? -1 : isHit() ? 1 : 0;
    }

    private boolean isHit() {
        return found && !(data != null && data.length == 0 && (isBeingLoaded || clientFlags == MetaReply.HELD_PLACE));
    }

    @Override
    public @Nullable T result() {
        return isHit() ? hit.result(data == null ? NO_DATA : data, clientFlags, casUnique) : null;
    }
}
