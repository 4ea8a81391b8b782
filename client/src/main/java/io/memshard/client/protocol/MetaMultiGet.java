package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Quiet {@code mg} for each of many keys, with {@code mn} at the end: reads many items in one go.
 *
 * <p>The server does not reply to misses. A hit tells its key by its opaque, and hits come in the order of the keys.
 * Items above the client's value limit are left out of the result; {@link Found#tooLarge} names them.
 *
 * <p>Protocol: {@code mg <key> v f q O<opaque>.<index>.<index>\r\n} for each key, then {@code mn\r\n};
 * protocol.txt, sections "Meta Get" and "Meta No-Op". The index is there twice because nothing else ties a hit to its
 * key. A single index, if changed on its way, would give the value to another key.
 *
 * @param <V> what a value is turned into
 */
public final class MetaMultiGet<V> extends ValueCommand<MetaMultiGet.Found<V>> {

    /**
     * What happened to the keys. A key that is in none of the three had no item.
     *
     * @param hits the values by key, in the order of the keys
     * @param tooLarge the keys whose values were skipped because of their size
     * @param unplacedError the error in place of a key's reply; null if there was none. It does not say for which key:
     *     it may be any key without a hit
     */
    public record Found<V>(
            Map<String, V> hits,
            List<String> tooLarge,
            @Nullable ErrorReply unplacedError) {}

    /** The most keys of one command; the caller splits more. */
    public static final int MAX_KEYS = 100;

    private static final byte[] VERB = "mg ".getBytes(US_ASCII);
    private static final byte[] FLAGS = " v f q O".getBytes(US_ASCII);
    private static final int HIT = ReplyBuffer.code('V', 'A');

    private final List<String> keys;
    private final MetaGet.Hit<V> hit;
    private final byte[][] values;
    private final int[] clientFlags;
    private final boolean[] tooLarge;

    /** The verb of this command, or of its classic form if that is sent. Set by the thread that sends it. */
    private String verb = "mg";

    private int current = -1;
    private @Nullable ErrorReply unplacedError;

    /** Whether the current hit, if it is empty, only holds the place of a value that is being loaded. */
    private boolean beingLoaded;

    /**
     * Reads the items under {@code keys}.
     *
     * @param keys 1 to {@link #MAX_KEYS} distinct keys, not copied
     * @param hit makes a value of each hit, on the thread that asks for the result
     */
    public MetaMultiGet(List<String> keys, MetaGet.Hit<V> hit) {
        super(keys.get(0));
        if (keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException(keys.size() + " keys in one command: at most " + MAX_KEYS);
        }
        keys.forEach(Key::checkLength);
        this.keys = keys;
        this.hit = hit;
        this.values = new byte[keys.size()][];
        this.clientFlags = new int[keys.size()];
        this.tooLarge = new boolean[keys.size()];
    }

    @Override
    public String verb() {
        return verb;
    }

    @Override
    public boolean isRepeatable() {
        return true;
    }

    @Override
    public boolean canBeMissed() {
        return true;
    }

    @Override
    public Found<V> miss() {
        return new Found<>(Map.of(), List.of(), null);
    }

    @Override
    public Command<Found<V>> again() {
        return new MetaMultiGet<>(keys, hit);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i);
            out.append(VERB)
                    .appendKey(key, Key.checkLength(key))
                    .append(FLAGS)
                    .appendUnsigned(opaque)
                    .append('.')
                    .appendUnsigned(i)
                    .append('.')
                    .appendUnsigned(i)
                    .endLine()
                    .endRequest();
        }
        out.append(MetaNoop.REQUEST).endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (true) {
            if (isInBlock()) {
                if (!readBlock(in)) {
                    return false;
                }
                keep(current, clientFlags[current], data());
            }
            if (!in.nextLine()) {
                return false;
            }
            int code = in.code();
            if (code == MetaNoop.REPLY) {
                return true;
            }
            if (code == HIT) {
                beginBlock(in);
                readFlags(in, opaque);
            } else {
                takeErrorLine(in);
            }
        }
    }

    private void takeErrorLine(ReplyBuffer in) throws MalformedReplyException {
        ErrorReply error = errorIn(in);
        if (error == null) {
            throw in.malformed("not a reply to quiet mg");
        }
        unplacedError = error;
    }

    private void readFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        int previous = current;
        int flags = 0;
        beingLoaded = false;
        while (in.nextToken()) {
            switch (in.tokenLetter()) {
                case 'f' -> flags = (int) in.flagNumber();
                case 'O' -> {
                    if (in.flagNumberUpTo('.') != opaque) {
                        throw in.malformed("a reply to another request (opaque " + opaque + " expected)");
                    }
                    current = index(in.flagNumberUpTo('.'));
                    if (index(in.flagNumber()) != current) {
                        throw in.malformed("a hit with two different indexes");
                    }
                }
                case 'W', 'Z' -> beingLoaded = true;
                default -> {
                    // X, and flags of later versions, do not change the result.
                }
            }
        }
        if (current <= previous || current >= keys.size()) {
            throw in.malformed("a hit out of order");
        }
        clientFlags[current] = flags;
    }

    /** The number as an index, or {@code keys.size()} if it is out of range. */
    private int index(long number) {
        return number >= 0 && number < keys.size() ? (int) number : keys.size();
    }

    @Override
    void beginSkip(ReplyBuffer in) {
        // A value above the limit fails its key, not the command.
    }

    @Override
    public Command<Found<V>> classicForm() {
        ClassicMultiGet<V> classic = new ClassicMultiGet<>(this);
        verb = classic.verb();
        return classic;
    }

    /** Keeps a hit: its value, or null if the value was skipped because of its size. */
    void keep(int index, int flags, byte @Nullable [] data) {
        clientFlags[index] = flags;
        if (data == null) {
            tooLarge[index] = true;
        } else if (data.length > 0 || !beingLoaded) {
            values[index] = data;
        }
    }

    /** Whether a hit of this key was kept. */
    boolean isKept(int index) {
        return tooLarge[index] || values[index] != null;
    }

    @Override
    public int keyCount() {
        return keys.size();
    }

    /** Counts also the hits whose values were skipped. */
    @Override
    public int hits() {
        return (int) IntStream.range(0, values.length).filter(this::isKept).count();
    }

    @Override
    public Found<V> result() {
        Map<String, V> hits = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null) {
                hits.put(keys.get(i), hit.result(values[i], clientFlags[i], 0));
            }
        }
        List<String> skipped = IntStream.range(0, keys.size())
                .filter(i -> tooLarge[i])
                .mapToObj(keys::get)
                .toList();
        return new Found<>(hits, skipped, unplacedError);
    }

    /** The keys asked for, as they were given. */
    List<String> keys() {
        return keys;
    }
}
