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
 * Command that reads many items, with an {@code mg} for each key. For up to {@link #FEW_KEYS} keys, the server replies
 * to each request. For more keys, the requests are quiet, and {@code mn} follows them. Alternatively, one {@code get}
 * reads all keys, which costs the server less ({@link #ofValues}).
 *
 * <p>The server does not reply to the miss of a quiet {@code mg}. The opaque of a hit identifies its key, and replies
 * arrive in the order of the keys. The order also identifies the key of a reply to a miss. Items above the client's
 * value limit are left out of the result; {@link FoundItems#tooLarge} names them.
 *
 * <p>Protocol: {@code mg <key> v f [c] [T<exptime>] [q] O<opaque>.<index>.<index>\r\n} for each key, and {@code mn\r\n}
 * after quiet ones; protocol.txt, sections "Meta Get" and "Meta No-Op". The opaque has the index twice, because nothing
 * else in a hit identifies its key. If a single index were corrupted in transit, another key would get the value.
 *
 * @param <V> the type that a value is converted to
 */
public final class MetaMultiGet<V> extends ValueCommand<FoundItems<V>>
        implements KeysCommand<FoundItems<V>>, ReadCommand<FoundItems<V>> {

    /** Form of the requests. */
    enum Form {

        /** Quiet {@code mg} for each key, then {@code mn}. */
        QUIET,

        /** {@code mg} for each key, each with a reply. */
        REPLIED,

        /** One {@code get} with all keys. */
        ONE_LINE
    }

    /**
     * Maximum number of keys for which the server replies to each request. For more keys, memcached combines fewer
     * replies in one write: it sends the reply to {@code mn}, or to a {@code get}, at once.
     */
    static final int FEW_KEYS = 8;

    private static final byte[] VERB = "mg ".getBytes(US_ASCII);
    private static final byte[] QUIET = " q".getBytes(US_ASCII);
    private static final byte[] OPAQUE = " O".getBytes(US_ASCII);
    private static final int HIT = ReplyBuffer.code('V', 'A');
    private static final int MISS = ReplyBuffer.code('E', 'N');

    private static final byte[] TOO_LARGE = {};

    private final List<String> keys;
    private final MetaGet.Wanted wanted;
    private final int exptime;
    private final MetaGet.Hit<V> hit;

    private final Form form;

    /** Classic command that is sent in place of {@code mg}; null if {@code mg} is sent. */
    private final @Nullable ClassicMultiGet<V> line;

    /** Length of each key in bytes. */
    private final int[] keyBytes;

    /** Value of each key; null before its hit is recorded, {@link #TOO_LARGE} if the value was skipped. */
    private final byte[][] values;

    private final int[] clientFlags;
    private final long[] casUniques;

    /** Keys of items that this read has won without requesting a claim. */
    private final List<String> won = new ArrayList<>(0);

    /** Verb of this command, or of its classic form if that is sent. Set by the thread that sends the command. */
    private String verb = "mg";

    private int current = -1;

    /** Number of decoded replies. In the form {@link Form#REPLIED}, also the index of the key of the next reply. */
    private int replied;

    /** Error for a key without a hit; the server does not say for which key. Null if there is no such error. */
    private @Nullable ErrorReply unplacedError;

    /** Errors by key, if the reply shows which key an error is for. */
    private Map<String, ErrorReply> errors = Map.of();

    /** True if an empty value in the current hit is only a placeholder for a value that is being loaded. */
    private boolean beingLoaded;

    /** Creates a command that reads the values under {@code keys}, without cas uniques and without a touch. */
    public MetaMultiGet(List<String> keys, MetaGet.Hit<V> hit) {
        this(keys, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, hit);
    }

    /**
     * Creates a command that reads the items under {@code keys}.
     *
     * @param keys the keys: 1 to {@link #MAX_KEYS}, distinct, not copied
     * @param wanted the parts to read of each item: the value, with or without the cas unique
     * @param exptime the items' new exptime in memcached's terms, not negative, or {@link MetaGet#NO_TOUCH}
     * @param hit the converter of each hit to a value, on the thread that requests the result
     */
    public MetaMultiGet(List<String> keys, MetaGet.Wanted wanted, int exptime, MetaGet.Hit<V> hit) {
        this(keys, wanted, exptime, hit, keys.size() <= FEW_KEYS ? Form.REPLIED : Form.QUIET);
    }

    MetaMultiGet(List<String> keys, MetaGet.Wanted wanted, int exptime, MetaGet.Hit<V> hit, Form form) {
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
        this.form = form;
        this.line = form == Form.ONE_LINE ? new ClassicMultiGet<>(this) : null;
    }

    /**
     * Returns a command that reads the values under {@code keys}. The command reads up to {@link #FEW_KEYS} keys by an
     * {@code mg} each, and more keys by one {@code get}. The {@code get} costs the server half as much. But like the
     * reply to {@code mn}, the reply to a {@code get} is sent at once, not combined with other replies.
     *
     * <p>In a reply to {@code get}, an empty value without client flags may also be a placeholder for a value that is
     * being loaded. The keys of such values are {@link FoundItems#unsure}: read them by another command.
     */
    public static <V> MetaMultiGet<V> ofValues(List<String> keys, MetaGet.Hit<V> hit) {
        Form form = keys.size() <= FEW_KEYS ? Form.REPLIED : Form.ONE_LINE;
        return new MetaMultiGet<>(keys, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, hit, form);
    }

    @Override
    public String verb() {
        return line == null ? verb : line.verb();
    }

    @Override
    public String operation() {
        return operation(wanted, exptime);
    }

    /** Returns the API operation that reads many items in this way. */
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
        return new MetaMultiGet<>(keys, wanted, exptime, hit, form);
    }

    /** Returns the same read of some of the keys. The result of that read has no {@link FoundItems#unsure} keys. */
    public MetaMultiGet<V> only(List<String> some) {
        return new MetaMultiGet<>(some, wanted, exptime, hit);
    }

    /** Returns, for each key, a command that only touches the item. Call this method only for a read that touches. */
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
            if (form == Form.QUIET) {
                out.append(QUIET);
            }
            out.append(OPAQUE)
                    .appendUnsigned(opaque)
                    .append('.')
                    .appendUnsigned(i)
                    .append('.')
                    .appendUnsigned(i)
                    .endLine()
                    .endRequest();
        }
        if (form == Form.QUIET) {
            out.append(MetaNoop.REQUEST).endLine();
        }
    }

    /** Appends the key at {@code index}. */
    void appendKey(RequestBuffer out, int index) {
        out.appendKey(keys.get(index), keyBytes[index]);
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        return line == null ? decodeEach(in, opaque) : decodeLine(line, in, opaque);
    }

    private boolean decodeLine(ClassicMultiGet<V> line, ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean isComplete = line.decode(in, opaque);
        unplacedError = line.errorReply();
        return isComplete;
    }

    private boolean decodeEach(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (true) {
            if (isInBlock()) {
                if (!readBlock(in)) {
                    return false;
                }
                keep(current, clientFlags[current], casUniques[current], data());
                replied++;
            }
            if (form == Form.REPLIED && replied == keys.size()) {
                return true;
            }
            if (!in.nextLine()) {
                return false;
            }
            int code = in.code();
            if (code == MetaNoop.REPLY && form == Form.QUIET) {
                return true;
            }
            if (code == HIT) {
                beginBlock(in);
                readFlags(in, opaque);
            } else {
                if (code == MISS && form == Form.REPLIED) {
                    checkMiss(in, opaque);
                } else {
                    takeErrorLine(in);
                }
                replied++;
            }
        }
    }

    private void takeErrorLine(ReplyBuffer in) throws MalformedReplyException {
        ErrorReply error = errorIn(in);
        if (error == null) {
            throw in.malformed("not a reply to " + (form == Form.QUIET ? "quiet mg" : "mg"));
        }
        if (form == Form.REPLIED) {
            addError(replied, error);
        } else {
            unplacedError = error;
        }
    }

    private void addError(int index, ErrorReply error) {
        if (errors.isEmpty()) {
            errors = new LinkedHashMap<>();
        }
        errors.put(keys.get(index), error);
    }

    /** Checks the opaque of a miss. Not every memcached version repeats the opaque there. */
    private void checkMiss(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (in.nextToken()) {
            if (in.tokenLetter() == 'O' && opaqueIndex(in, opaque) != replied) {
                throw in.malformed("a miss out of order");
            }
        }
    }

    /**
     * Returns the key index in the opaque, which is the current token. First checks that the opaque belongs to this
     * command.
     */
    private int opaqueIndex(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (in.flagNumberUpTo('.') != opaque) {
            throw in.malformed("a reply to another request (opaque " + opaque + " expected)");
        }
        int index = index(in.flagNumberUpTo('.'));
        if (index(in.flagNumber()) != index) {
            throw in.malformed("a reply about two different keys");
        }
        return index;
    }

    private void readFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        int previous = current;
        int flags = 0;
        long casUnique = 0;
        boolean isWon = false;
        boolean hasCasUnique = false;
        beingLoaded = false;
        while (in.nextToken()) {
            switch (in.tokenLetter()) {
                case 'f' -> flags = checkFlags(in.flagNumber(), in);
                case 'c' -> {
                    casUnique = in.flagNumber();
                    hasCasUnique = true;
                }
                case 'O' -> current = opaqueIndex(in, opaque);
                case 'W' -> {
                    beingLoaded = true;
                    isWon = true;
                }
                case 'Z' -> beingLoaded = true;
                default -> {
                    // X, and flags of later versions, do not change the result.
                }
            }
        }
        if (current <= previous || current >= keys.size() || (form == Form.REPLIED && current != replied)) {
            throw in.malformed("a hit out of order");
        }
        if (wanted == MetaGet.Wanted.VALUE_AND_CAS && !hasCasUnique) {
            throw in.malformed("a hit without its cas unique");
        }
        clientFlags[current] = flags;
        casUniques[current] = casUnique;
        if (isWon) {
            won.add(keys.get(current));
        }
    }

    /** Returns the number as an index, or {@code keys.size()} if it is out of range. */
    private int index(long number) {
        return number >= 0 && number < keys.size() ? (int) number : keys.size();
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

    /** Records a hit. {@code data} is null if the value was skipped because of its size. Ignores a placeholder. */
    void keep(int index, int flags, long casUnique, byte @Nullable [] data) {
        clientFlags[index] = flags;
        casUniques[index] = casUnique;
        if (data == null) {
            values[index] = TOO_LARGE;
        } else if (data.length > 0 || !(beingLoaded || flags == MetaReply.HELD_PLACE)) {
            values[index] = data;
        }
    }

    /** Returns whether a hit was recorded for the key at {@code index}. */
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

    /** Returns the number of hits, including those whose values were skipped. */
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
        return new FoundItems<>(hitKeys, hitValues, skipped, errors, unplacedError == null, Map.of(), unsure);
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

    /** Returns the new exptime, or {@link MetaGet#NO_TOUCH}. */
    int exptime() {
        return exptime;
    }
}
