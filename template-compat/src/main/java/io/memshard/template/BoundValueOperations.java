// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.load.ValueLoader;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a template on one item, under Spring's names. Each method calls the method of the same name in {@link
 * MemcachedOperations}.
 *
 * <p>Threading: immutable. The object holds no connection.
 */
public final class BoundValueOperations<V> {

    private final MemcachedOperations<V> operations;
    private final String key;

    BoundValueOperations(MemcachedOperations<V> operations, String key) {
        this.operations = operations;
        this.key = Objects.requireNonNull(key, "key is null");
    }

    /** Returns the key of the item. */
    public String getKey() {
        return key;
    }

    /** Returns the operations on any key. */
    public MemcachedOperations<V> getOperations() {
        return operations;
    }

    /** Returns the value, or null on a miss. */
    public @Nullable V get() {
        return operations.get(key);
    }

    /** Returns the value, or null on a miss; sets the item's time to live to {@code ttl}. */
    public @Nullable V getAndTouch(Duration ttl) {
        return operations.getAndTouch(key, ttl);
    }

    /**
     * Returns the value, or loads it on a miss; see {@link MemcachedOperations#getOrLoad(String, Duration,
     * ValueLoader)}.
     */
    public @Nullable V getOrLoad(Duration ttl, ValueLoader<? super String, ? extends V> loader) {
        return operations.getOrLoad(key, ttl, loader);
    }

    /** Stores the value whether or not an item exists. */
    public void set(V value, Duration ttl) {
        operations.set(key, value, ttl);
    }

    /** Stores the value only if no item exists; returns whether the value was stored. */
    public boolean setIfAbsent(V value, Duration ttl) {
        return operations.setIfAbsent(key, value, ttl);
    }

    /** Stores the value only if an item exists; returns whether the value was stored. */
    public boolean setIfPresent(V value, Duration ttl) {
        return operations.setIfPresent(key, value, ttl);
    }

    /** Changes the value by compare and set; see {@link MemcachedOperations#update}. */
    public @Nullable V update(Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return operations.update(key, ttl, change);
    }

    /** Appends the encoded value to the item's data; returns whether an item existed. */
    public boolean append(V value) {
        return operations.append(key, value);
    }

    /** Adds {@code delta} to the number in the item; returns the new number, or empty on a miss. */
    public OptionalLong increment(long delta) {
        return operations.increment(key, delta);
    }

    /** Adds {@code delta} to the number in the item; creates a missing item with {@code delta}. */
    public long increment(long delta, Duration ttl) {
        return operations.increment(key, delta, ttl);
    }

    /** Subtracts {@code delta} from the number in the item, stopping at 0; empty on a miss. */
    public OptionalLong decrement(long delta) {
        return operations.decrement(key, delta);
    }

    /** Sets the time to live; returns whether an item existed. */
    public boolean touch(Duration ttl) {
        return operations.touch(key, ttl);
    }

    /** Deletes the item; returns whether an item existed. */
    public boolean delete() {
        return operations.delete(key);
    }
}
