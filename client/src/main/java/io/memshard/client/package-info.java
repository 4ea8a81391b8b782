/**
 * The memcached client as its users see it: {@link io.memshard.client.MemcachedClient} for blocking
 * callers, {@link io.memshard.client.AsyncMemcachedClient} for asynchronous ones.
 *
 * <p>Top layer of this module, above {@code connection}, {@code protocol} and {@code exception}.
 * Clients are built by the sharding module. Start reading at {@code MemcachedClient}.
 */
@NullMarked
package io.memshard.client;

import org.jspecify.annotations.NullMarked;
