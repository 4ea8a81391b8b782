// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.argument.Exptime;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * View of a client with keys of one type, and with one time to live for all values.
 *
 * <pre>{@code
 * KeyedClient<Long, Product> products = KeyedClient.over(client, ttl).withKeys(id -> "product:" + id);
 * Product product = products.getOrLoad(7L, this::find);
 * }</pre>
 *
 * <p>Threading, keys, times and failures: same as {@link MemcachedClient}. A method for many keys processes all keys.
 * If a key has failed, the method then throws the first failure. A function passed to {@link #withKeys} must map
 * different keys to different strings.
 */
public final class KeyedClient<K, V> {

    private final MemcachedClient<V> client;
    private final Duration ttl;
    private final Function<? super K, String> keys;

    private KeyedClient(MemcachedClient<V> client, Duration ttl, Function<? super K, String> keys) {
        this.client = client;
        this.ttl = ttl;
        this.keys = keys;
    }

    /** Returns a view of {@code client} whose values have the time to live {@code ttl}. The view needs no closing. */
    public static <V> KeyedClient<String, V> over(MemcachedClient<V> client, Duration ttl) {
        Objects.requireNonNull(client, "client is null");
        Exptime.of(ttl, Clock.systemUTC());
        return new KeyedClient<>(client, ttl, Function.identity());
    }

    /**
     * Returns a view for keys of another type.
     *
     * @param texts function from a key of the new type to a key of this view. The function runs on the calling thread,
     *     for each key of a call and for each key that a loader returns
     */
    public <T> KeyedClient<T, V> withKeys(Function<? super T, ? extends K> texts) {
        Objects.requireNonNull(texts, "texts is null");
        return new KeyedClient<>(
                client,
                ttl,
                key -> keys.apply(Objects.requireNonNull(
                        texts.apply(key), "the function that was passed to withKeys returned null")));
    }

    /** Returns the value, or null on a miss. */
    public @Nullable V get(K key) {
        return client.get(text(key));
    }

    /** Returns the value, or the loader's value on a miss; see {@link MemcachedClient#getOrLoad}. */
    public @Nullable V getOrLoad(K key, ValueLoader<? super K, ? extends V> loader) {
        return getOrLoad(key, loader, LoadOptions.DEFAULTS);
    }

    /** Same as {@link #getOrLoad(Object, ValueLoader)}, with options. */
    public @Nullable V getOrLoad(K key, ValueLoader<? super K, ? extends V> loader, LoadOptions options) {
        Objects.requireNonNull(loader, "loader is null");
        return client.getOrLoad(text(key), ttl, text -> loader.load(key), options);
    }

    /** Returns the values found, by key, without entries for misses. */
    public Map<K, V> multiGet(Collection<? extends K> wanted) {
        Map<String, K> texts = texts(wanted);
        return byKey(client.multiGet(texts.keySet()).hitsOrThrow(), texts);
    }

    /**
     * Returns the found values and the loaded values, by key. The loader gets the set of the keys to load; see
     * {@link MemcachedClient#multiGetOrLoad}.
     */
    public Map<K, V> multiGetOrLoad(
            Collection<? extends K> wanted, ValueLoader<? super Set<K>, ? extends Map<K, V>> loader) {
        Objects.requireNonNull(loader, "loader is null");
        Map<String, K> texts = texts(wanted);
        ValueLoader<Set<String>, Map<String, V>> ofTexts = missing -> {
            Set<K> toLoad = new LinkedHashSet<>();
            missing.forEach(text -> toLoad.add(
                    Objects.requireNonNull(texts.get(text), "the loader got a key that the caller did not request")));
            Map<K, V> loaded = loader.load(toLoad);
            return loaded == null ? null : byText(loaded);
        };
        return byKey(client.multiGetOrLoad(texts.keySet(), ttl, ofTexts).hitsOrThrow(), texts);
    }

    /** Stores the value, whether or not the item exists. */
    public void set(K key, V value) {
        client.set(text(key), value, ttl);
    }

    /** Stores the values, whether or not the items exist. */
    public void multiSet(Map<? extends K, ? extends V> values) {
        client.multiSet(byText(values), ttl).doneOrThrow();
    }

    /** Stores the value only if the item does not exist. Returns whether the value was stored. */
    public boolean add(K key, V value) {
        return client.add(text(key), value, ttl);
    }

    /** Changes the value by compare and set; see {@link MemcachedClient#update}. */
    public @Nullable V update(K key, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return client.update(text(key), ttl, change);
    }

    /** Deletes the item. Returns whether the item existed. */
    public boolean delete(K key) {
        return client.delete(text(key));
    }

    /** Deletes the items. Returns the number of items that existed. */
    public int multiDelete(Collection<? extends K> unwanted) {
        return client.multiDelete(texts(unwanted).keySet()).doneOrThrow().size();
    }

    private String text(K key) {
        return keys.apply(Objects.requireNonNull(key, "key is null"));
    }

    private Map<String, K> texts(Collection<? extends K> some) {
        Map<String, K> texts = new LinkedHashMap<>();
        some.forEach(key -> texts.put(text(key), key));
        return texts;
    }

    private Map<String, V> byText(Map<? extends K, ? extends V> values) {
        Map<String, V> byText = new LinkedHashMap<>();
        values.forEach((key, value) -> byText.put(text(key), value));
        return byText;
    }

    private static <K, V> Map<K, V> byKey(Map<String, V> hits, Map<String, K> texts) {
        Map<K, V> byKey = new LinkedHashMap<>();
        texts.forEach((text, key) -> {
            V value = hits.get(text);
            if (value != null) {
                byKey.put(key, value);
            }
        });
        return byKey;
    }
}
