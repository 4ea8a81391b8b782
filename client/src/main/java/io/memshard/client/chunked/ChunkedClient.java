// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.ItemOperations;
import io.memshard.client.MemcachedClient;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Blocking client that splits values above the server's item size limit into several items.
 *
 * <p>A value of at most {@link ChunkOptions#chunkBytes()} is stored as one ordinary item. A larger value is split into
 * chunks, whose keys are random for each write. A manifest of the chunks is written last, under the value's key. So the
 * item under the key represents the whole value, and decides the outcome of {@code add}, {@code replace} and {@code
 * cas}.
 *
 * <p>Length and CRC-32C in the manifest guarantee that a reader gets the whole value of one writer, or a miss. A read
 * is a miss if a chunk was evicted, or if the value was replaced between the reads of manifest and chunks.
 *
 * <p>Every write reads the existing item first, and removes the chunks of that item last. Chunks are read and stored in
 * groups of up to 4 MiB, and the request timeout applies to each group. {@link #touch} touches one chunk after another.
 * A multi-get or a multi-set handles one value after another. Chunks left behind by a failure or a race are never read,
 * and remain until they expire or are evicted. A client that does not use this class reads the manifest: 40 bytes with
 * flags 2^30.
 *
 * <p>{@link #append}, {@link #prepend}, {@link #incr} and {@link #decr} throw a {@link MemcachedUnsupportedException}.
 *
 * <p>Threading: thread-safe. A view that owns no connection.
 *
 * <p>Failure: same as {@link MemcachedClient}; a failure of one chunk fails the call. After a failed write, the key has
 * the old value, the new value or no value. A read never returns a mixture of two values.
 */
public final class ChunkedClient<V> implements ItemOperations<V> {

    /** Messages of this class never show keys, because the underlying client does not expose whether it hides keys. */
    private static final boolean HIDES_KEYS = true;

    private static final String USE_CAS = "read the value with gets, and store the new one with cas";
    private static final String USE_ITEMS = "count with the underlying client";

    private final MemcachedClient<EncodedValue> items;
    private final Transcoder<V> transcoder;
    private final ChunkOptions options;

    private ChunkedClient(MemcachedClient<EncodedValue> items, Transcoder<V> transcoder, ChunkOptions options) {
        this.items = items;
        this.transcoder = transcoder;
        this.options = options;
    }

    /**
     * Creates a client over the connections of {@code client}.
     *
     * @param options sizes of chunks and values: {@link ChunkOptions#DEFAULTS} for servers with memcached's default
     *     limit
     * @throws IllegalArgumentException if a chunk does not fit into the servers' largest item, or if {@code maxBytes}
     *     is not between one and 1024 chunks
     */
    public static <V> ChunkedClient<V> over(MemcachedClient<?> client, Transcoder<V> transcoder, ChunkOptions options) {
        Objects.requireNonNull(options, "options is null").check();
        return new ChunkedClient<>(
                client.withTranscoder(Transcoder.asStored()),
                Objects.requireNonNull(transcoder, "transcoder is null"),
                options);
    }

    @Override
    public @Nullable V get(String key) {
        EncodedValue item = items.get(key);
        return item == null ? null : value(key, item, items::multiGet);
    }

    /** {@inheritDoc} The cas unique belongs to the item under {@code key}. */
    @Override
    public @Nullable CasValue<V> gets(String key) {
        CasValue<EncodedValue> item = items.gets(key);
        return item == null ? null : casValue(key, item);
    }

    /** {@inheritDoc} The chunks are touched after the item; the result is a miss if a chunk is missing. */
    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        EncodedValue item = items.getAndTouch(key, ttl);
        return item == null ? null : value(key, item, chunks -> items.multiGetAndTouch(chunks, ttl));
    }

    /** {@inheritDoc} A chunk that cannot be read fails only the key of its value. */
    @Override
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        // One value after another, because all chunks together might not fit into memory twice.
        return items.multiGet(keys).map((key, item) -> value(key, item, items::multiGet));
    }

    /** Same as {@link MemcachedClient#multiGets}. */
    public MultiGetResult<CasValue<V>> multiGets(Collection<String> keys) {
        return items.multiGets(keys).map(this::casValue);
    }

    /** Same as {@link MemcachedClient#multiGetAndTouch(Collection, Duration)}. */
    public MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        return items.multiGetAndTouch(keys, ttl)
                .map((key, item) -> value(key, item, chunks -> items.multiGetAndTouch(chunks, ttl)));
    }

    private @Nullable V value(
            String key, EncodedValue item, Function<List<String>, MultiGetResult<EncodedValue>> read) {
        if (!Manifest.isOne(item)) {
            return item.decodeWith(transcoder, key, HIDES_KEYS);
        }
        EncodedValue whole =
                manifest(key, item).assemble(chunks -> read.apply(chunks).hitsOrThrow());
        return whole == null ? null : whole.decodeWith(transcoder, key, HIDES_KEYS);
    }

    private @Nullable CasValue<V> casValue(String key, CasValue<EncodedValue> item) {
        V value = value(key, item.value(), items::multiGet);
        return value == null ? null : new CasValue<>(value, item.casUnique());
    }

    private Manifest manifest(String key, EncodedValue item) {
        try {
            return Manifest.parse(item, options.maxBytes());
        } catch (MemcachedDecodingException e) {
            throw e.under(key, HIDES_KEYS);
        }
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        EncodedValue encoded;
        try {
            encoded = encode(value);
        } catch (MemcachedValueTooLargeException e) {
            deleteAfter(e, key);
            throw e;
        }
        store(key, encoded, chunksUnder(key), ttl);
    }

    private void store(String key, EncodedValue encoded, List<String> replaced, Duration ttl) {
        try {
            items.set(key, storeChunks(encoded, ttl), ttl);
        } catch (MemcachedValueTooLargeException e) {
            deleteAfter(e, key);
            remove(replaced);
            throw e;
        }
        remove(replaced);
    }

    /** {@inheritDoc} All existing items are read together first; then the values are stored one after another. */
    @Override
    public MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl) {
        Map<String, EncodedValue> encoded = new LinkedHashMap<>();
        Map<String, MemcachedValueTooLargeException> tooLarge = new LinkedHashMap<>();
        Objects.requireNonNull(values, "values is null").forEach((key, value) -> {
            try {
                encoded.put(key, encode(value));
            } catch (MemcachedValueTooLargeException e) {
                tooLarge.put(key, e);
            }
        });
        MultiGetResult<List<String>> replaced = chunksUnder(values.keySet());
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        Set<String> stored = new LinkedHashSet<>();
        values.keySet().forEach(key -> {
            MemcachedException unread = replaced.failures().get(key);
            MemcachedValueTooLargeException unsendable = tooLarge.get(key);
            if (unread instanceof MemcachedIllegalKeyException) {
                failures.put(key, unread);
            } else if (unsendable != null) {
                deleteAfter(unsendable, key);
                failures.put(key, unsendable);
            } else if (unread != null && !(unread instanceof MemcachedValueTooLargeException)) {
                failures.put(key, unread);
            } else {
                try {
                    store(
                            key,
                            Objects.requireNonNull(encoded.get(key), "no value"),
                            replaced.hits().getOrDefault(key, List.of()),
                            ttl);
                    stored.add(key);
                } catch (MemcachedException e) {
                    failures.put(key, e);
                }
            }
        });
        return new MultiSetResult(Collections.unmodifiableSet(stored), Collections.unmodifiableMap(failures));
    }

    private void deleteAfter(MemcachedValueTooLargeException failure, String key) {
        try {
            delete(key);
        } catch (MemcachedException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        EncodedValue encoded = encode(value);
        if (items.get(key) != null) {
            return false;
        }
        EncodedValue item = storeChunks(encoded, ttl);
        return removeUnless(items.add(key, item, ttl), item);
    }

    @Override
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

    @Override
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

    /** {@inheritDoc} The chunks are deleted after the item. */
    @Override
    public boolean delete(String key) {
        List<String> chunks = chunksUnder(key);
        boolean deleted = items.delete(key);
        remove(chunks);
        return deleted;
    }

    /**
     * {@inheritDoc} The items are read first; if the read of an item fails, the chunks of its value are left behind.
     */
    @Override
    public MultiDeleteResult multiDelete(Collection<String> keys) {
        MultiGetResult<List<String>> chunks = chunksUnder(keys);
        MultiDeleteResult result = items.multiDelete(keys);
        remove(result.deleted().stream()
                .flatMap(key -> chunks.hits().getOrDefault(key, List.of()).stream())
                .toList());
        return result;
    }

    /** Touches the chunks and then the item under {@code key}. Returns whether all of these existed. */
    @Override
    public boolean touch(String key, Duration ttl) {
        for (String chunk : chunksUnder(key)) {
            if (!items.touch(chunk, ttl)) {
                return false;
            }
        }
        return items.touch(key, ttl);
    }

    private EncodedValue encode(V value) {
        EncodedValue encoded = transcoder.encode(ValueCoder.checkValue(value));
        if (Manifest.isOne(encoded)) {
            throw new IllegalArgumentException("the transcoder wrote flags 0x" + Integer.toHexString(Manifest.FLAGS)
                    + ", which mark values split into chunks: the transcoder must use other flags");
        }
        if (encoded.data().length > options.maxBytes()) {
            throw new MemcachedValueTooLargeException(
                    "the value has " + encoded.data().length + " bytes, above the limit ChunkOptions.maxBytes="
                            + options.maxBytes() + "; the value was not sent",
                    null,
                    null);
        }
        return encoded;
    }

    /** Stores the chunks of a large value. Returns the item to store under the value's key. */
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
            items.multiSet(chunks, ttl).storedOrThrow();
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

    private MultiGetResult<List<String>> chunksUnder(Collection<String> keys) {
        return items.multiGet(keys).map((key, item) -> chunksOf(item));
    }

    /** Returns the keys of the chunks of an item; empty for a whole value or an unreadable manifest. */
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

    private boolean removeUnless(boolean stored, EncodedValue item) {
        if (!stored) {
            remove(chunksOf(item));
        }
        return stored;
    }

    /** Tries to remove chunks that no manifest refers to any more. */
    private void remove(List<String> chunks) {
        if (chunks.isEmpty()) {
            return;
        }
        try {
            items.multiDelete(chunks);
        } catch (MemcachedException e) {
            // The remaining chunks expire or are evicted. The call itself has succeeded.
        }
    }

    @Override
    public boolean append(String key, V value) {
        throw unsupported("append", USE_CAS);
    }

    @Override
    public boolean prepend(String key, V value) {
        throw unsupported("prepend", USE_CAS);
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        throw unsupported("incr", USE_ITEMS);
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        throw unsupported("incr", USE_ITEMS);
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        throw unsupported("decr", USE_ITEMS);
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        throw unsupported("decr", USE_ITEMS);
    }

    private static MemcachedUnsupportedException unsupported(String operation, String instead) {
        return new MemcachedUnsupportedException(
                "ChunkedClient has no " + operation + ", because a value may span several items: " + instead);
    }

    @Override
    public String version() {
        return items.version();
    }

    @Override
    public <W> ChunkedClient<W> withTranscoder(Transcoder<W> other) {
        return new ChunkedClient<>(items, Objects.requireNonNull(other, "transcoder is null"), options);
    }

    @Override
    public ChunkedClient<V> withTimeout(Duration timeout) {
        return new ChunkedClient<>(items.withTimeout(timeout), transcoder, options);
    }

    /** Same as {@link MemcachedClient#withFailurePolicy}. */
    public ChunkedClient<V> withFailurePolicy(FailurePolicy policy) {
        return new ChunkedClient<>(items.withFailurePolicy(policy), transcoder, options);
    }

    /** Same as {@link MemcachedClient#withServerDown}. */
    public ChunkedClient<V> withServerDown(ServerDownPolicy policy) {
        return new ChunkedClient<>(items.withServerDown(policy), transcoder, options);
    }

    /** Same as {@link MemcachedClient#withKeyPrefix}. */
    public ChunkedClient<V> withKeyPrefix(String prefix) {
        return new ChunkedClient<>(items.withKeyPrefix(prefix), transcoder, options);
    }

    /** Same as {@link MemcachedClient#withHashedKeys}. */
    public ChunkedClient<V> withHashedKeys() {
        return new ChunkedClient<>(items.withHashedKeys(), transcoder, options);
    }

    @Override
    public String toString() {
        return "ChunkedClient[" + items + ", chunkBytes=" + options.chunkBytes() + ", maxBytes=" + options.maxBytes()
                + ']';
    }
}
