package io.memshard.client.chunked;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A blocking client for values above the server's item size limit: it splits them over several items.
 *
 * <p>A value of at most {@code chunkBytes} is one item, as any client stores it. A larger value is split into chunks,
 * under keys that are random for each write. A manifest of the chunks is written last, under the value's key. So the
 * item under the key stands for the whole value, and decides {@code add}, {@code replace} and {@code cas}. A reader
 * gets the whole value of one writer, or a miss. The length and the CRC-32C in the manifest prove it. It is a miss if a
 * chunk was evicted, or was replaced between the read of the manifest and that of the chunks. There is no append,
 * prepend, incr or decr.
 *
 * <p>Every write first reads what is there, and removes the chunks that it replaces. Chunks travel together, by
 * multi-get, multi-set and multi-delete: up to 4 MiB of a value at a time, each time within the request timeout.
 * Touches go one after the other. Nobody reads the chunks that a failure or a race leaves behind. They stay until their
 * time to live is over or the server evicts them. A client without this class sees the manifest: 40 bytes under flags
 * 2^30.
 *
 * <p>Threading: thread-safe. A view that owns no connection.
 *
 * <p>Failure: as {@link MemcachedClient}; a failure of one chunk is a failure of the call. After a failed
 * write, the old value, the new one or none is there, never a part or a mix.
 */
public final class ChunkedClient<V> {

    private final MemcachedClient<EncodedValue> items;
    private final Transcoder<V> transcoder;
    private final int chunkBytes;
    private final int maxBytes;

    private ChunkedClient(MemcachedClient<EncodedValue> items, Transcoder<V> transcoder, int chunkBytes, int maxBytes) {
        this.items = items;
        this.transcoder = transcoder;
        this.chunkBytes = chunkBytes;
        this.maxBytes = maxBytes;
    }

    /**
     * A client over the connections of {@code client}.
     *
     * @param chunkBytes the largest item, encoded, at least 40. It is below the client's {@code maxValueBytes}, and
     *     below the server's limit by an item's header and key, 100 to 350 bytes: 1,000,000 fits the usual 1 MiB
     * @param maxBytes the largest value, encoded, at least {@code chunkBytes} and at most 1024 chunks
     */
    public static <V> ChunkedClient<V> over(
            MemcachedClient<?> client, Transcoder<V> transcoder, int chunkBytes, int maxBytes) {
        if (chunkBytes < Manifest.BYTES) {
            throw new IllegalArgumentException(
                    "chunkBytes is " + chunkBytes + ": it is at least " + Manifest.BYTES + ", the size of a manifest");
        }
        if (maxBytes < chunkBytes || maxBytes > (long) chunkBytes * Manifest.MAX_CHUNKS) {
            throw new IllegalArgumentException("maxBytes is " + maxBytes + ": it is between chunkBytes=" + chunkBytes
                    + " and " + Manifest.MAX_CHUNKS + " chunks of that");
        }
        return new ChunkedClient<>(
                client.withTranscoder(Transcoder.asStored()),
                Objects.requireNonNull(transcoder, "transcoder"),
                chunkBytes,
                maxBytes);
    }

    /** The value, or null on a miss. */
    public @Nullable V get(String key) {
        EncodedValue item = items.get(key);
        return item == null ? null : value(key, item);
    }

    /** The value and its cas unique, which is that of the item under {@code key}; null on a miss. */
    public @Nullable CasValue<V> gets(String key) {
        CasValue<EncodedValue> item = items.gets(key);
        V value = item == null ? null : value(key, item.value());
        return item == null || value == null ? null : new CasValue<>(value, item.casUnique());
    }

    private @Nullable V value(String key, EncodedValue item) {
        if (!Manifest.isOne(item)) {
            return item.decodeWith(transcoder, key);
        }
        Manifest manifest = manifest(key, item);
        EncodedValue whole = manifest.assemble(batch -> items.multiGet(batch).hitsOrThrow());
        return whole == null ? null : whole.decodeWith(transcoder, key);
    }

    private Manifest manifest(String key, EncodedValue item) {
        try {
            return Manifest.parse(item, maxBytes);
        } catch (MemcachedDecodingException e) {
            throw e.under(key);
        }
    }

    /** What happened to each distinct key. A chunk without an answer fails only the key of its value. */
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        // One value after the other, because all the chunks together might not fit into memory twice.
        return items.multiGet(keys).map(this::value);
    }

    /** Stores the value whether or not there is one. */
    public void set(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        List<String> replaced = chunksUnder(key);
        items.set(key, storeChunks(encoded, ttl), ttl);
        remove(replaced);
    }

    /** Stores only if there is no item. Returns whether it did. */
    public boolean add(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        if (items.get(key) != null) {
            return false;
        }
        EncodedValue item = storeChunks(encoded, ttl);
        return removeUnless(items.add(key, item, ttl), item);
    }

    /** Stores only if there is an item. Returns whether it did. */
    public boolean replace(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        EncodedValue old = items.get(key);
        if (old == null) {
            return false;
        }
        EncodedValue item = storeChunks(encoded, ttl);
        if (!removeUnless(items.replace(key, item, ttl), item)) {
            return false;
        }
        remove(chunksOf(old));
        return true;
    }

    /** Stores only if the item under {@code key} still has {@code casUnique}, which {@link #gets} gave. */
    public CasResult cas(String key, V value, long casUnique, Duration ttl) {
        CasValue.checkCasUnique(casUnique);
        EncodedValue encoded = encode(value);
        CasValue<EncodedValue> old = items.gets(key);
        if (old == null) {
            return CasResult.NOT_FOUND;
        }
        if (old.casUnique() != casUnique) {
            return CasResult.EXISTS;
        }
        EncodedValue item = storeChunks(encoded, ttl);
        CasResult result = items.cas(key, item, casUnique, ttl);
        if (removeUnless(result == CasResult.STORED, item)) {
            remove(chunksOf(old.value()));
        }
        return result;
    }

    /** Deletes the item, and its chunks after it. Returns whether there was an item. */
    public boolean delete(String key) {
        List<String> chunks = chunksUnder(key);
        boolean deleted = items.delete(key);
        remove(chunks);
        return deleted;
    }

    /**
     * Sets the time to live of the chunks and then of the item under {@code key}. Returns whether all of them were
     * there.
     */
    public boolean touch(String key, Duration ttl) {
        for (String chunk : chunksUnder(key)) {
            if (!items.touch(chunk, ttl)) {
                return false;
            }
        }
        return items.touch(key, ttl);
    }

    private EncodedValue encode(V value) {
        EncodedValue encoded = transcoder.encode(value);
        if (Manifest.isOne(encoded)) {
            throw new IllegalArgumentException("the transcoder wrote flags 0x" + Integer.toHexString(Manifest.FLAGS)
                    + ", which mark a value that is split over chunks: it has to use others");
        }
        if (encoded.data().length > maxBytes) {
            throw new MemcachedValueTooLargeException(
                    "the value has " + encoded.data().length + " bytes, above the limit maxBytes=" + maxBytes
                            + "; nothing was sent",
                    null,
                    null);
        }
        return encoded;
    }

    /** Stores the chunks, if there are any. Returns the item to store under the key. */
    private EncodedValue storeChunks(EncodedValue encoded, Duration ttl) {
        byte[] data = encoded.data();
        if (data.length <= chunkBytes) {
            return encoded;
        }
        Manifest manifest = Manifest.of(encoded, chunkBytes);
        int from = 0;
        for (List<String> batch : manifest.batches()) {
            Map<String, EncodedValue> chunks = new LinkedHashMap<>();
            for (String key : batch) {
                int to = Math.min(data.length, from + chunkBytes);
                chunks.put(key, new EncodedValue(Arrays.copyOfRange(data, from, to), 0));
                from = to;
            }
            items.multiSet(chunks, ttl).storedOrThrow();
        }
        return manifest.toItem();
    }

    /** The keys of the chunks of what is stored under {@code key}. */
    private List<String> chunksUnder(String key) {
        try {
            return chunksOf(items.get(key));
        } catch (MemcachedValueTooLargeException e) {
            // So it is not a manifest.
            return List.of();
        }
    }

    /** The keys of the chunks of an item; none for a whole value or an unreadable manifest. */
    private List<String> chunksOf(@Nullable EncodedValue item) {
        if (item == null || !Manifest.isOne(item)) {
            return List.of();
        }
        try {
            return Manifest.parse(item, maxBytes).chunkKeys();
        } catch (MemcachedDecodingException e) {
            return List.of();
        }
    }

    private boolean removeUnless(boolean stored, EncodedValue item) {
        if (!stored) {
            remove(chunksOf(item));
        }
        return stored;
    }

    /** Tries to remove chunks that no manifest names any more. */
    private void remove(List<String> chunks) {
        if (chunks.isEmpty()) {
            return;
        }
        try {
            items.multiDelete(chunks);
        } catch (MemcachedException e) {
            // The chunks that are left take room until they expire or are evicted. The call itself has succeeded.
        }
    }
}
