// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.migration;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Operations of an application on memcached, regardless of its client. */
interface Cache extends AutoCloseable {

    /** A value, and what {@link #cas} compares. */
    record Versioned(Object value, long casUnique) {}

    @Nullable
    Object get(String key);

    @Nullable
    Versioned gets(String key);

    /** The hits. */
    Map<String, Object> getMany(Collection<String> keys);

    void set(String key, Object value, int ttlSeconds);

    boolean add(String key, Object value, int ttlSeconds);

    boolean replace(String key, Object value, int ttlSeconds);

    /** Returns whether the value was stored: not if the item has changed or is missing. */
    boolean cas(String key, Object value, long casUnique, int ttlSeconds);

    boolean append(String key, String value);

    boolean prepend(String key, String value);

    /** The new number, or -1 if there is none. */
    long incr(String key, int delta);

    /** The new number, or -1 if there is none. */
    long decr(String key, int delta);

    boolean touch(String key, int ttlSeconds);

    boolean delete(String key);

    @Override
    void close();
}
