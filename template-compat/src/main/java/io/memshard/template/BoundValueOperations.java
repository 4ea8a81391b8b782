// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.load.ValueLoader;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a template on one item, under Spring's names. Each method is the one of the same name of {@link
 * MemcachedOperations}.
 *
 * <p>Threading: immutable. It holds no connection.
 */
public final class BoundValueOperations<V> {

    private final MemcachedOperations<V> operations;
    private final String key;

    BoundValueOperations(MemcachedOperations<V> operations, String key) {
        this.operations = operations;
        this.key = Objects.requireNonNull(key, "key is null");
    }

    /** The key that these are bound to. */
    public String getKey() {
        return key;
    }

    /** The operations on any key. */
    public MemcachedOperations<V> getOperations() {
        return operations;
    }

    /** The value, or null on a miss. */
    public @Nullable V get() {
        return operations.get(key);
    }

    /** The value, its time to live set to {@code ttl}; null on a miss. */
    public @Nullable V getAndTouch(Duration ttl) {
        return operations.getAndTouch(key, ttl);
    }

    /** The value, or else the loader's: {@link MemcachedOperations#getOrLoad(String, Duration, ValueLoader)}. */
    public @Nullable V getOrLoad(Duration ttl, ValueLoader<? extends V> loader) {
        return operations.getOrLoad(key, ttl, loader);
    }

    /** Stores the value whether or not there is an item. */
    public void set(V value, Duration ttl) {
        operations.set(key, value, ttl);
    }

    /** Stores only if there is no item; whether it did. */
    public boolean setIfAbsent(V value, Duration ttl) {
        return operations.setIfAbsent(key, value, ttl);
    }

    /** Stores only if there is an item; whether it did. */
    public boolean setIfPresent(V value, Duration ttl) {
        return operations.setIfPresent(key, value, ttl);
    }

    /** Changes the value by compare and set: {@link MemcachedOperations#update(String, Duration, Function)}. */
    public @Nullable V update(Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return operations.update(key, ttl, change);
    }

    /** Adds the bytes after the item's; whether there was an item. */
    public boolean append(V value) {
        return operations.append(key, value);
    }

    /** Adds to the number in the item; empty on a miss. */
    public OptionalLong increment(long delta) {
        return operations.increment(key, delta);
    }

    /** Adds to the number in the item, which is created with {@code delta} on a miss. */
    public long increment(long delta, Duration ttl) {
        return operations.increment(key, delta, ttl);
    }

    /** Subtracts from the number in the item, stopping at 0; empty on a miss. */
    public OptionalLong decrement(long delta) {
        return operations.decrement(key, delta);
    }

    /** Sets the time to live; whether there was an item. */
    public boolean touch(Duration ttl) {
        return operations.touch(key, ttl);
    }

    /** Deletes the item; whether there was one. */
    public boolean delete() {
        return operations.delete(key);
    }
}
