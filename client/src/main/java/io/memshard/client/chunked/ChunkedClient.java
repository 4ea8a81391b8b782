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
 * <p>A value of at most {@code chunkBytes} is one item, as any client stores it. A larger one is chunks under
 * keys of their own, random for each write, and a manifest of them under the value's key, written last. So
 * the item under the key stands for the whole value: {@code add}, {@code replace} and {@code cas} are decided by
 * it, and who reads gets one writer's whole value, checked against the length and the CRC-32C in the
 * manifest, or a miss. A miss it is when a chunk was evicted, or was replaced between the reading of the
 * manifest and of the chunks. There is no append, prepend, incr or decr.
 *
 * <p>Every write first reads what is there, and removes the chunks that it has replaced. Chunks travel together,
 * by the client's operations on many keys, up to 4 MiB of a value at a time, each time within the request timeout; touched
 * they are one after the other. Chunks that a failure or a race leaves behind are
 * read by nobody and go when their time to live is over, or the server evicts them. A client without this
 * class sees the manifest: 40 bytes under flags 2^30.
 *
 * <p>Threading: thread-safe. A view that owns no connection.
 *
 * <p>Failure: as {@link MemcachedClient}; a failure over one chunk is the failure of the call. After a write that
 * failed, the old value, the new one or none is there, never a part or a mix.
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
     * @param chunkBytes the largest item, encoded, at least 40; below the {@code maxValueBytes} of the client and,
     *     by the 100 to 350 bytes of an item's header and key, the server's limit: 1,000,000 fits the usual 1 MiB
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
            return item.decodedBy(transcoder, key);
        }
        Manifest manifest = manifest(key, item);
        EncodedValue whole = manifest.assemble(batch -> items.multiGet(batch).hitsOrThrow());
        return whole == null ? null : whole.decodedBy(transcoder, key);
    }

    private Manifest manifest(String key, EncodedValue item) {
        try {
            return Manifest.parse(item, maxBytes);
        } catch (MemcachedDecodingException e) {
            throw e.under(key);
        }
    }

    /** What became of each distinct key. A chunk without answer fails the key of its value, no other. */
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        // One value after the other: together their chunks might be more than the memory takes twice.
        return items.multiGet(keys).map(this::value);
    }

    /** Stores the value whether or not there is one. */
    public void set(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        List<String> replaced = chunksUnder(key);
        items.set(key, stored(encoded, ttl), ttl);
        remove(replaced);
    }

    /** Stores only where there is no item; whether it did. */
    public boolean add(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        if (items.get(key) != null) {
            return false;
        }
        EncodedValue item = stored(encoded, ttl);
        return removeUnless(items.add(key, item, ttl), item);
    }

    /** Stores only where there is an item; whether it did. */
    public boolean replace(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        EncodedValue old = items.get(key);
        if (old == null) {
            return false;
        }
        EncodedValue item = stored(encoded, ttl);
        if (!removeUnless(items.replace(key, item, ttl), item)) {
            return false;
        }
        remove(chunksOf(old));
        return true;
    }

    /** Stores only if the item under {@code key} still has {@code casUnique}, which {@link #gets} gave. */
    public CasResult cas(String key, V value, long casUnique, Duration ttl) {
        if (casUnique == 0) {
            throw new IllegalArgumentException("casUnique is 0: take it from the CasValue that gets returned;"
                    + " there too it is 0 if the server runs with cas switched off (memcached -C)");
        }
        EncodedValue encoded = encode(value);
        CasValue<EncodedValue> old = items.gets(key);
        if (old == null) {
            return CasResult.NOT_FOUND;
        }
        if (old.casUnique() != casUnique) {
            return CasResult.EXISTS;
        }
        EncodedValue item = stored(encoded, ttl);
        CasResult result = items.cas(key, item, casUnique, ttl);
        if (removeUnless(result == CasResult.STORED, item)) {
            remove(chunksOf(old.value()));
        }
        return result;
    }

    /** Whether there was an item to delete; its chunks are removed after it. */
    public boolean delete(String key) {
        List<String> chunks = chunksUnder(key);
        boolean deleted = items.delete(key);
        remove(chunks);
        return deleted;
    }

    /**
     * Sets the time to live of the chunks and then of the item under {@code key}; whether all of them were there.
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
                    + ", which say that a value is split over chunks");
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

    /** The item to store under the key, its chunks stored already. */
    private EncodedValue stored(EncodedValue encoded, Duration ttl) {
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
            // Then it is no manifest.
            return List.of();
        }
    }

    /** The keys of the chunks of an item; none for a whole value, and for what cannot be read. */
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

    /** Removes chunks that no manifest names any more, as far as that goes. */
    private void remove(List<String> chunks) {
        if (chunks.isEmpty()) {
            return;
        }
        try {
            items.multiDelete(chunks);
        } catch (MemcachedException e) {
            // What is left takes room until it expires or is evicted; the call itself has done its work.
        }
    }
}
