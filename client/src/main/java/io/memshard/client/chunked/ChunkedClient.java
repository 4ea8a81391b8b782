// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocking client that splits values above the server's item size limit into several items.
 *
 * <p>A value of at most {@code chunkBytes} is stored as one ordinary item. A larger value is split into
 * chunks, whose keys are random for each write. The item under the value's key, called the manifest, lists the chunks
 * and is written last. So the outcome of {@code add}, {@code replace} and {@code cas} depends only on the item under
 * the value's key.
 *
 * <p>Length and CRC-32C in the manifest guarantee that a reader gets the whole value of one writer, or a miss. A read
 * is a miss if a chunk was evicted, or if the value was replaced during the read.
 *
 * <p>Every write first reads the existing item, and at the end deletes the chunks of that item. Chunks are read and
 * stored in groups of up to 4 MiB, and the request timeout applies to each group. The method {@link #touch} touches one
 * chunk after another. A multi-get reads one value after another. Chunks that a failure or a race leaves behind are
 * never read, and remain until they expire or are evicted. A client that does not use this class reads the manifest
 * instead of the value: 40 bytes with flags 2^30.
 *
 * <p>Threading: thread-safe. This client owns no connection, and uses the settings of the client that was passed to
 * {@link #over}.
 *
 * <p>Failure: the methods fail like the methods of {@link MemcachedClient}. If one chunk fails, the call fails. After a
 * failed write, the key has the old value, the new value or no value.
 */
public final class ChunkedClient<V> {

    /** Default maximum size of the value of one item, in bytes. */
    public static final int DEFAULT_CHUNK_BYTES = 1_000_000;

    /** Default maximum size of a whole encoded value, in bytes. */
    public static final int DEFAULT_MAX_BYTES = 50_000_000;

    /** True, because this class cannot know whether messages may show keys. */
    private static final boolean HIDES_KEYS = true;

    private final MemcachedClient<EncodedValue> items;
    private final Transcoder<V> transcoder;
    private final ChunkOptions options;

    private ChunkedClient(MemcachedClient<EncodedValue> items, Transcoder<V> transcoder, ChunkOptions options) {
        this.items = items;
        this.transcoder = Objects.requireNonNull(transcoder, "transcoder is null");
        this.options = options;
    }

    /**
     * Creates a client over the connections of {@code client}, with chunks of up to 1,000,000 bytes and values of up to
     * 50,000,000 bytes.
     */
    public static <V> ChunkedClient<V> over(MemcachedClient<?> client, Transcoder<V> transcoder) {
        return over(client, transcoder, DEFAULT_CHUNK_BYTES, DEFAULT_MAX_BYTES);
    }

    /**
     * Creates a client over the connections of {@code client}.
     *
     * @param chunkBytes maximum size of the value of one item, in bytes: at least 40, and at most the
     *     {@code maxValueBytes} of the client. The servers must accept an item of this size plus up to 350 bytes for
     *     key and header. With memcached's default item size limit of 1 MiB, {@code chunkBytes} may be at most
     *     1,048,226
     * @param maxBytes maximum size of a whole encoded value, in bytes: at least {@code chunkBytes}, and at most 1024
     *     times {@code chunkBytes}
     */
    public static <V> ChunkedClient<V> over(
            MemcachedClient<?> client, Transcoder<V> transcoder, int chunkBytes, int maxBytes) {
        ChunkOptions options = new ChunkOptions(chunkBytes, maxBytes);
        return new ChunkedClient<>(client.withTranscoder(Transcoder.asStored()), transcoder, options);
    }

    /** Returns a value, like {@link MemcachedClient#get}. */
    public @Nullable V get(String key) {
        EncodedValue item = items.get(key);
        return item == null ? null : value(key, item, items::multiGet);
    }

    /** Returns a value like {@link MemcachedClient#gets}, with the cas unique of the item under {@code key}. */
    public @Nullable CasValue<V> gets(String key) {
        CasValue<EncodedValue> item = items.gets(key);
        if (item == null) {
            return null;
        }
        V value = value(key, item.value(), items::multiGet);
        return value == null ? null : new CasValue<>(value, item.casUnique());
    }

    /** Returns and touches a value, like {@link MemcachedClient#getAndTouch}; returns null if a chunk is missing. */
    public @Nullable V getAndTouch(String key, Duration ttl) {
        EncodedValue item = items.getAndTouch(key, ttl);
        return item == null ? null : value(key, item, chunks -> items.multiGetAndTouch(chunks, ttl));
    }

    /** Returns values, like {@link MemcachedClient#multiGet}. If a chunk cannot be read, only its value fails. */
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        // One value after another, because all chunks together might not fit into memory twice.
        return items.multiGet(keys).map((key, item) -> value(key, item, items::multiGet));
    }

    private @Nullable V value(
            String key, EncodedValue item, Function<List<String>, MultiGetResult<EncodedValue>> read) {
        EncodedValue whole = item;
        if (Manifest.isOne(item)) {
            whole = manifest(key, item).assemble(chunks -> read.apply(chunks).hitsOrThrow());
        }
        return whole == null ? null : whole.decodeWith(transcoder, key, HIDES_KEYS);
    }

    private Manifest manifest(String key, EncodedValue item) {
        try {
            return Manifest.parse(item, options.maxBytes());
        } catch (MemcachedDecodingException e) {
            throw e.under(key, HIDES_KEYS);
        }
    }

    /** Stores a value, like {@link MemcachedClient#set}. */
    public void set(String key, V value, Duration ttl) {
        try {
            EncodedValue encoded = encode(value);
            store(encoded, ttl, chunksUnder(key), item -> {
                items.set(key, item, ttl);
                return true;
            });
        } catch (MemcachedValueTooLargeException e) {
            try {
                delete(key);
            } catch (MemcachedException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    /** Stores a value, like {@link MemcachedClient#add}. */
    public boolean add(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        return items.get(key) == null && store(encoded, ttl, List.of(), item -> items.add(key, item, ttl));
    }

    /** Stores a value, like {@link MemcachedClient#replace}. */
    public boolean replace(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        EncodedValue old = items.get(key);
        return old != null && store(encoded, ttl, chunksOf(old), item -> items.replace(key, item, ttl));
    }

    /** Stores a value, like {@link MemcachedClient#cas}. */
    public WriteStatus cas(String key, V value, long casUnique, Duration ttl) {
        CasValue.checkCasUnique(casUnique);
        EncodedValue encoded = encode(value);
        CasValue<EncodedValue> old = items.gets(key);
        if (old == null) {
            return WriteStatus.NOT_FOUND;
        }
        if (old.casUnique() != casUnique) {
            return WriteStatus.EXISTS;
        }
        EncodedValue item = storeChunks(encoded, ttl);
        WriteStatus result = items.cas(key, item, casUnique, ttl);
        remove(chunksOf(result == WriteStatus.DONE ? old.value() : item));
        return result;
    }

    /** Deletes the item and then its chunks, like {@link MemcachedClient#delete}. */
    public boolean delete(String key) {
        List<String> chunks = chunksUnder(key);
        boolean deleted = items.delete(key);
        remove(chunks);
        return deleted;
    }

    /**
     * Deletes items and their chunks, like {@link MemcachedClient#multiDelete}. If an item cannot be read before the
     * delete, its chunks remain until they expire or are evicted.
     */
    public MultiWriteResult multiDelete(Collection<String> keys) {
        Map<String, EncodedValue> old = items.multiGet(keys).hits();
        MultiWriteResult result = items.multiDelete(keys);
        remove(result.done().stream()
                .flatMap(key -> chunksOf(old.get(key)).stream())
                .toList());
        return result;
    }

    /** Touches the chunks and then the item under {@code key}. Returns whether the item and all chunks existed. */
    public boolean touch(String key, Duration ttl) {
        return chunksUnder(key).stream().allMatch(chunk -> items.touch(chunk, ttl)) && items.touch(key, ttl);
    }

    private EncodedValue encode(V value) {
        EncodedValue encoded = transcoder.encode(ValueCoder.checkValue(value));
        if (Manifest.isOne(encoded)) {
            throw new IllegalArgumentException("the transcoder wrote flags 0x" + Integer.toHexString(Manifest.FLAGS)
                    + ", which mark a value that is split into chunks: use a transcoder that writes other flags");
        }
        if (encoded.data().length > options.maxBytes()) {
            throw new MemcachedValueTooLargeException(
                    "the value has " + encoded.data().length + " bytes, above the limit maxBytes=" + options.maxBytes()
                            + "; the value was not sent",
                    null,
                    null);
        }
        return encoded;
    }

    private boolean store(EncodedValue encoded, Duration ttl, List<String> replaced, Predicate<EncodedValue> store) {
        EncodedValue item = storeChunks(encoded, ttl);
        boolean isStored = store.test(item);
        remove(isStored ? replaced : chunksOf(item));
        return isStored;
    }

    private EncodedValue storeChunks(EncodedValue encoded, Duration ttl) {
        byte[] data = encoded.data();
        int chunkBytes = options.chunkBytes();
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
            items.multiSet(chunks, ttl).doneOrThrow();
        }
        return manifest.toItem();
    }

    private List<String> chunksUnder(String key) {
        try {
            return chunksOf(items.get(key));
        } catch (MemcachedValueTooLargeException e) {
            // A manifest is never too large.
            return List.of();
        }
    }

    private List<String> chunksOf(@Nullable EncodedValue item) {
        if (item == null || !Manifest.isOne(item)) {
            return List.of();
        }
        try {
            return Manifest.parse(item, options.maxBytes()).chunkKeys();
        } catch (MemcachedDecodingException e) {
            return List.of();
        }
    }

    private void remove(List<String> chunks) {
        try {
            if (!chunks.isEmpty()) {
                items.multiDelete(chunks);
            }
        } catch (MemcachedException e) {
            // The remaining chunks expire or are evicted.
        }
    }

    @Override
    public String toString() {
        return "ChunkedClient[" + items + ", chunkBytes=" + options.chunkBytes() + ", maxBytes=" + options.maxBytes()
                + ']';
    }
}
