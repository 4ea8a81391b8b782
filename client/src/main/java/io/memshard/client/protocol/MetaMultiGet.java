// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

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

/**
 * Command that reads many items, by an {@code mg} for each key, or by one {@code get} for all keys ({@link #ofValues}).
 *
 * <p>Protocol: {@code mg <key> v f [c] [T<exptime>] O<opaque>.<index>.<index>\r\n} for each key; protocol.txt, section
 * "Meta Get". The opaque contains the key's index twice, because nothing else in a hit identifies the key. If a single
 * index were corrupted in transit, another key would get the value.
 */
public final class MetaMultiGet<V> extends ValueCommand<FoundItems<V>>
        implements KeysCommand<FoundItems<V>>, ReadCommand<FoundItems<V>> {

    private static final byte[] VERB = "mg ".getBytes(US_ASCII);
    private static final byte[] OPAQUE = " O".getBytes(US_ASCII);
    private static final int HIT = ReplyBuffer.code('V', 'A');
    private static final int MISS = ReplyBuffer.code('E', 'N');

    private static final byte[] TOO_LARGE = {};

    private final List<String> keys;
    private final MetaGet.Wanted wanted;
    private final int exptime;
    private final MetaGet.Hit<V> hit;

    /** Classic command that is sent in place of {@code mg}; null if {@code mg} is sent. */
    private final @Nullable ClassicMultiGet<V> line;

    private final int[] keyBytes;

    /** Value of each key; null without a hit, {@link #TOO_LARGE} if the value was skipped. */
    private final byte[][] values;

    private final int[] clientFlags;
    private final long[] casUniques;

    /** Keys whose claims the server has granted although this command requested none. */
    private final List<String> won = new ArrayList<>(0);

    /** Verb of the command that is sent: this command or its classic form. Written by the thread that sends. */
    private String verb = "mg";

    /** Number of decoded replies, which is also the index of the next reply's key. */
    private int replied;

    /** Error in the reply to {@code get}, which names no key; null without an error. */
    private @Nullable ErrorReply unplacedError;

    private Map<String, ErrorReply> errors = Map.of();

    /** True if the flags of the current hit mark a placeholder. A placeholder is also empty. */
    private boolean beingLoaded;

    public MetaMultiGet(List<String> keys, MetaGet.Hit<V> hit) {
        this(keys, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, hit);
    }

    /**
     * Creates a read of 1 to {@link #MAX_KEYS} distinct keys; the list is not copied. {@code exptime} is a number that
     * memcached accepts, not negative, or {@link MetaGet#NO_TOUCH}. {@code hit} runs on the thread that requests the
     * result.
     */
    public MetaMultiGet(List<String> keys, MetaGet.Wanted wanted, int exptime, MetaGet.Hit<V> hit) {
        this(keys, wanted, exptime, hit, false);
    }

    private MetaMultiGet(List<String> keys, MetaGet.Wanted wanted, int exptime, MetaGet.Hit<V> hit, boolean isOneLine) {
        super(keys.get(0));
        if (keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException("a command has " + keys.size() + " keys, above the limit " + MAX_KEYS);
        }
        this.keyBytes = new int[keys.size()];
        for (int i = 0; i < keyBytes.length; i++) {
            keyBytes[i] = KeyRule.checkLength(keys.get(i));
        }
        this.keys = keys;
        this.wanted = wanted;
        this.exptime = exptime;
        this.hit = hit;
        this.values = new byte[keys.size()][];
        this.clientFlags = new int[keys.size()];
        this.casUniques = new long[keys.size()];
        this.line = isOneLine ? new ClassicMultiGet<>(this) : null;
    }

    /**
     * Returns a read of values, by an {@code mg} for each of up to {@link #FEW_KEYS} keys, or by one {@code get} for
     * more keys. One {@code get} costs the server half as much as the {@code mg} commands.
     *
     * <p>In a reply to {@code get}, an empty value without client flags may be the placeholder of a load. {@link
     * FoundItems#unsure} returns the keys of these values: read them by {@link #only}.
     */
    public static <V> MetaMultiGet<V> ofValues(List<String> keys, MetaGet.Hit<V> hit) {
        return new MetaMultiGet<>(keys, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, hit, keys.size() > FEW_KEYS);
    }

    @Override
    public String verb() {
        return line == null ? verb : line.verb();
    }

    @Override
    public String operation() {
        return operation(wanted, exptime);
    }

    public static String operation(MetaGet.Wanted wanted, int exptime) {
        if (wanted == MetaGet.Wanted.VALUE_AND_CAS) {
            return "multiGets";
        }
        return exptime == MetaGet.NO_TOUCH ? "multiGet" : "multiGetAndTouch";
    }

    @Override
    public FoundItems<V> miss() {
        return new FoundItems<>(Map.of(), List.of(), Map.of());
    }

    @Override
    public Command<FoundItems<V>> again() {
        return new MetaMultiGet<>(keys, wanted, exptime, hit, line != null);
    }

    /** Returns a read of these keys by {@code mg}. No key of its result is {@linkplain FoundItems#unsure unsure}. */
    public MetaMultiGet<V> only(List<String> some) {
        return new MetaMultiGet<>(some, wanted, exptime, hit);
    }

    /** Returns a command for each key that only touches the item. Requires that this command touches. */
    public List<Command<?>> touches() {
        return keys.stream()
                .<Command<?>>map(key -> new MetaGet<>(
                        key, MetaGet.Wanted.NOTHING, exptime, (data, flags, casUnique) -> StoreStatus.DONE))
                .toList();
    }

    @Override
    public Effect effect() {
        if (wanted == MetaGet.Wanted.VALUE_AND_CAS) {
            return Effect.READ_CAS;
        }
        return exptime == MetaGet.NO_TOUCH ? Effect.READ : Effect.READ_AND_TOUCH;
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
            out.append(VERB);
            appendKey(out, i);
            wanted.append(out, exptime);
            out.append(OPAQUE)
                    .appendUnsigned(opaque)
                    .append('.')
                    .appendUnsigned(i)
                    .append('.')
                    .appendUnsigned(i)
                    .endLine()
                    .endRequest();
        }
    }

    void appendKey(RequestBuffer out, int index) {
        out.appendKey(keys.get(index), keyBytes[index]);
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        return line == null ? decodeEach(in, opaque) : decodeLine(line, in, opaque);
    }

    private boolean decodeLine(ClassicMultiGet<V> line, ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean isComplete = line.decode(in, opaque);
        ErrorReply error = line.errorReply();
        if (error != null) {
            unplacedError = new ErrorReply(error.kind(), error.text() + " for this or another key");
        }
        return isComplete;
    }

    private boolean decodeEach(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (replied < keys.size()) {
            if (isInBlock()) {
                if (!readBlock(in)) {
                    return false;
                }
                keep(replied, clientFlags[replied], casUniques[replied], data());
                replied++;
            } else if (!in.nextLine()) {
                return false;
            } else if (in.code() == HIT) {
                beginBlock(in);
                readFlags(in, opaque);
            } else {
                takeMissOrError(in, opaque);
                replied++;
            }
        }
        return true;
    }

    private void takeMissOrError(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (in.code() == MISS) {
            // Not every memcached version repeats the opaque in a miss.
            while (in.nextToken()) {
                if (in.tokenLetter() == 'O') {
                    checkIndex(in, opaque);
                }
            }
            return;
        }
        ErrorReply error = errorIn(in);
        if (error == null) {
            throw in.malformed("not a reply to mg");
        }
        addError(replied, error);
    }

    private void addError(int index, ErrorReply error) {
        if (errors.isEmpty()) {
            errors = new LinkedHashMap<>();
        }
        errors.put(keys.get(index), error);
    }

    private void checkIndex(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (in.flagNumberUpTo('.') != opaque) {
            throw in.malformed("a reply to another request (opaque " + opaque + " expected)");
        }
        long index = in.flagNumberUpTo('.');
        if (in.flagNumber() != index) {
            throw in.malformed("a reply about two different keys");
        }
        if (index != replied) {
            throw in.malformed("a reply out of order");
        }
    }

    private void readFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean hasOpaque = false;
        boolean hasCasUnique = false;
        beingLoaded = false;
        while (in.nextToken()) {
            switch (in.tokenLetter()) {
                case 'f' -> clientFlags[replied] = checkFlags(in.flagNumber(), in);
                case 'c' -> {
                    casUniques[replied] = in.flagNumber();
                    hasCasUnique = true;
                }
                case 'O' -> {
                    checkIndex(in, opaque);
                    hasOpaque = true;
                }
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
        if (!hasOpaque) {
            throw in.malformed("a reply without its opaque");
        }
        if (wanted == MetaGet.Wanted.VALUE_AND_CAS && !hasCasUnique) {
            throw in.malformed("a hit without its cas unique");
        }
    }

    @Override
    void beginSkip(ReplyBuffer in) {
        // A value above the limit fails its key, not the command.
    }

    @Override
    public Command<FoundItems<V>> classicForm() {
        ClassicMultiGet<V> classic = new ClassicMultiGet<>(this);
        verb = classic.verb();
        return classic;
    }

    /** Records a hit, unless it is a placeholder. {@code data} is null if the value was skipped because of its size. */
    void keep(int index, int flags, long casUnique, byte @Nullable [] data) {
        clientFlags[index] = flags;
        casUniques[index] = casUnique;
        if (data == null) {
            values[index] = TOO_LARGE;
        } else if (data.length > 0 || !(beingLoaded || flags == MetaReply.HELD_PLACE)) {
            values[index] = data;
        }
    }

    boolean isKept(int index) {
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
    public int keyCount() {
        return keys.size();
    }

    @Override
    public long requestBytes() {
        return (long) keys.size() * KeyRule.MANY_BYTES;
    }

    @Override
    public int hits() {
        int kept = 0;
        for (int i = 0; i < values.length; i++) {
            kept += isKept(i) ? 1 : 0;
        }
        return kept;
    }

    @Override
    public FoundItems<V> result() {
        List<String> hitKeys = new ArrayList<>(values.length);
        List<V> hitValues = new ArrayList<>(values.length);
        List<String> skipped = new ArrayList<>(0);
        List<String> unsure = new ArrayList<>(0);
        for (int i = 0; i < values.length; i++) {
            byte[] value = values[i];
            if (value == TOO_LARGE) {
                skipped.add(keys.get(i));
            } else if (value != null && isUnsure(i, value)) {
                unsure.add(keys.get(i));
            } else if (value != null) {
                hitKeys.add(keys.get(i));
                hitValues.add(hit.result(value, clientFlags[i], casUniques[i]));
            } else if (unplacedError != null) {
                addError(i, unplacedError);
            }
        }
        return new FoundItems<>(hitKeys, hitValues, skipped, errors, Map.of(), unsure);
    }

    private boolean isUnsure(int index, byte[] value) {
        return line != null && value.length == 0 && clientFlags[index] == 0;
    }

    @Override
    public List<String> keys() {
        return keys;
    }

    MetaGet.Wanted wanted() {
        return wanted;
    }

    int exptime() {
        return exptime;
    }
}
