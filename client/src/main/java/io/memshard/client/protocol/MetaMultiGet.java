// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Command that reads many items, by an {@code mg} for each key or by one {@code get} for all keys. */
public final class MetaMultiGet<V> extends KeysCommand<FoundItems<V>> implements ReadCommand<FoundItems<V>> {

    private static final byte[] FAILED = {};

    private final MetaGet.Wanted wanted;
    private final int exptime;
    private final MetaGet.Hit<V> hit;
    private final boolean isOneLine;
    private final int[] keyBytes;

    /** Value of each key; null without a hit, {@link #FAILED} after an error. */
    private final byte[][] values;

    private final int[] clientFlags;
    private final long[] casUniques;
    private final List<String> won = new ArrayList<>(0);

    /** Classic request for all keys; null if {@code mg} is sent. */
    private @Nullable Line line;

    /** Number of decoded replies, and index of the next reply's key. */
    private int replied;

    private Map<String, ErrorReply> errors = Map.of();
    private boolean beingLoaded;

    public MetaMultiGet(List<String> keys, MetaGet.Hit<V> hit) {
        this(keys, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, hit);
    }

    public MetaMultiGet(List<String> keys, MetaGet.Wanted wanted, int exptime, MetaGet.Hit<V> hit) {
        this(keys, wanted, exptime, hit, false);
    }

    private MetaMultiGet(List<String> keys, MetaGet.Wanted wanted, int exptime, MetaGet.Hit<V> hit, boolean isOneLine) {
        super(keys);
        this.keyBytes = new int[keys.size()];
        for (int i = 0; i < keyBytes.length; i++) {
            keyBytes[i] = KeyRule.checkLength(keys.get(i));
        }
        this.wanted = wanted;
        this.exptime = exptime;
        this.hit = hit;
        this.isOneLine = isOneLine;
        this.values = new byte[keys.size()][];
        this.clientFlags = new int[keys.size()];
        this.casUniques = new long[keys.size()];
        if (isOneLine) {
            line = new Line();
        }
    }

    /** Returns a read of values: for more than {@link #FEW_KEYS} keys one {@code get}, to save server work. */
    public static <V> MetaMultiGet<V> ofValues(List<String> keys, MetaGet.Hit<V> hit) {
        return new MetaMultiGet<>(keys, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, hit, keys.size() > FEW_KEYS);
    }

    @Override
    public String verb() {
        return line == null ? "mg" : line.verb();
    }

    @Override
    public String operation() {
        return operation(wanted, exptime);
    }

    public static String operation(MetaGet.Wanted wanted, int exptime) {
        return switch (wanted.effect(exptime)) {
            case READ_CAS -> "multiGets";
            case READ -> "multiGet";
            default -> "multiGetAndTouch";
        };
    }

    @Override
    public FoundItems<V> miss() {
        return new FoundItems<>(Map.of(), Map.of());
    }

    @Override
    public Command<FoundItems<V>> again() {
        return new MetaMultiGet<>(keys, wanted, exptime, hit, isOneLine);
    }

    /** Returns a read by {@code mg}, whose result has no {@linkplain FoundItems#unsure unsure} keys. */
    public MetaMultiGet<V> only(List<String> some) {
        return new MetaMultiGet<>(some, wanted, exptime, hit);
    }

    public List<Command<?>> touches() {
        return keys.stream()
                .<Command<?>>map(key -> new MetaGet<>(key, MetaGet.Wanted.NOTHING, exptime, hit))
                .toList();
    }

    @Override
    public Effect effect() {
        return wanted.effect(exptime);
    }

    @Override
    public Command<FoundItems<V>> withExptimeAtMost(int seconds) {
        return exptime == MetaGet.NO_TOUCH
                ? this
                : new MetaMultiGet<>(keys, wanted, MetaFlags.limited(exptime, seconds), hit);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        if (line != null) {
            line.encode(out, opaque);
            return;
        }
        for (int i = 0; i < keys.size(); i++) {
            appendKey(out.append("mg "), i);
            wanted.append(out, exptime);
            endWithOpaque(out, opaqueOf(i, opaque));
            out.endRequest();
        }
    }

    private void appendKey(RequestBuffer out, int index) {
        out.appendKey(keys.get(index), keyBytes[index]);
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        return line == null ? decodeEach(in, opaque) : decodeLine(line, in, opaque);
    }

    private boolean decodeLine(Line line, ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean isComplete = line.decode(in, opaque);
        ErrorReply error = line.errorReply();
        if (!isComplete || error == null) {
            return isComplete;
        }
        String text = error.text() + "; the error names no key, and may be about another key of the call";
        ErrorReply ofAnyKey = new ErrorReply(error.kind(), text);
        for (int i = 0; i < values.length; i++) {
            if (exptime != MetaGet.NO_TOUCH || !isKept(i)) {
                fail(i, ofAnyKey);
            }
        }
        return true;
    }

    private boolean decodeEach(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (replied < keys.size()) {
            if (in.isInBlock()) {
                if (!in.readBlock()) {
                    return false;
                }
                keep(replied, clientFlags[replied], casUniques[replied], in.takeBlock());
                replied++;
            } else if (!in.nextLine()) {
                return false;
            } else if (in.code() == ReplyBuffer.VA) {
                beginItem(in, opaqueOf(replied, opaque));
            } else {
                if (in.code() == ReplyBuffer.EN) {
                    // Not every memcached version repeats the opaque in a miss.
                    hasOpaqueAmongFlags(in, opaqueOf(replied, opaque));
                } else {
                    fail(replied, errorOrReject(in));
                }
                replied++;
            }
        }
        return true;
    }

    private void fail(int index, ErrorReply error) {
        if (errors.isEmpty()) {
            errors = new LinkedHashMap<>();
        }
        errors.put(keys.get(index), error);
        values[index] = FAILED;
    }

    private void beginItem(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.beginBlock(in.maxValueBytes())) {
            fail(replied, in.valueTooLarge());
        }
        beingLoaded = false;
        checkOpaqueAmongFlags(in, opaque);
    }

    @Override
    void readFlag(byte letter, ReplyBuffer in) throws MalformedReplyException {
        switch (letter) {
            case 'f' -> clientFlags[replied] = in.clientFlags();
            case 'c' -> casUniques[replied] = in.flagNumber();
            case 'W' -> {
                beingLoaded = true;
                won.add(keys.get(replied));
            }
            case 'Z' -> beingLoaded = true;
            default -> {
                // X, and flags of later versions, do not change the result.
            }
        }
    }

    @Override
    public Command<FoundItems<V>> classicForm() {
        line = new Line();
        return this;
    }

    private void keep(int index, int flags, long casUnique, byte @Nullable [] data) {
        clientFlags[index] = flags;
        casUniques[index] = casUnique;
        if (data != null
                && values[index] == null
                && (data.length > 0 || !(beingLoaded || flags == MetaReply.HELD_PLACE))) {
            values[index] = data;
        }
    }

    private boolean isKept(int index) {
        return values[index] != null;
    }

    @Override
    public List<MetaRelease> releases() {
        if (won.isEmpty()) {
            return List.of();
        }
        return won.stream()
                .map(key -> MetaRelease.of(key, false, wanted.releaseDelayNanos()))
                .toList();
    }

    @Override
    public long requestBytes() {
        return (long) keys.size() * KeyRule.MANY_BYTES;
    }

    @Override
    public int hits() {
        int kept = 0;
        for (byte[] value : values) {
            kept += value == null || value == FAILED ? 0 : 1;
        }
        for (ErrorReply error : errors.values()) {
            kept += error.kind() == ErrorReply.Kind.VALUE_TOO_LARGE ? 1 : 0;
        }
        return kept;
    }

    @Override
    public FoundItems<V> result() {
        List<String> hitKeys = new ArrayList<>(values.length);
        List<V> hitValues = new ArrayList<>(values.length);
        List<String> unsure = new ArrayList<>(0);
        for (int i = 0; i < values.length; i++) {
            byte[] value = values[i];
            if (value == null || value == FAILED) {
                continue;
            }
            if (isOneLine && value.length == 0 && clientFlags[i] == 0) {
                unsure.add(keys.get(i));
            } else {
                hitKeys.add(keys.get(i));
                hitValues.add(hit.result(value, clientFlags[i], casUniques[i]));
            }
        }
        return new FoundItems<>(hitKeys, hitValues, errors, Map.of(), unsure);
    }

    /** Request {@code get} or {@code gets} for all keys. A proxy may return the values in another order. */
    private final class Line extends ClassicGet<Boolean> {

        private int current = -1;

        Line() {
            super(
                    keys.get(0),
                    keys.size(),
                    wanted == MetaGet.Wanted.VALUE_AND_CAS,
                    exptime,
                    (data, flags, casUnique) -> true);
        }

        @Override
        void appendKey(RequestBuffer out, int index) {
            MetaMultiGet.this.appendKey(out, index);
        }

        /** Searches from the previous hit on, because most hits arrive in the order of the keys. */
        @Override
        void takeKey(ReplyBuffer in) throws MalformedReplyException {
            if (current + 1 < keys.size() && !isKept(current + 1) && in.nextTokenIs(keys.get(current + 1))) {
                current++;
                return;
            }
            nextKey(in);
            for (int n = 1; n <= keys.size(); n++) {
                int index = (current + n) % keys.size();
                if (!isKept(index) && in.tokenIs(keys.get(index))) {
                    current = index;
                    return;
                }
            }
            throw in.malformed(
                    "the server sent a reply to another request (an unrequested key, or a second value of a key)");
        }

        @Override
        void takeItem(byte @Nullable [] block, int flags, long unique) {
            keep(current, flags, unique, block);
        }

        @Override
        void failItem(ErrorReply error) {
            MetaMultiGet.this.fail(current, error);
        }
    }
}
