// SPDX-License-Identifier: Apache-2.0
/**
 * The memcached client as its users see it: {@link io.memshard.client.MemcachedClient} for blocking callers, {@link
 * io.memshard.client.AsyncMemcachedClient} for asynchronous ones.
 *
 * <p>Layer: above every package but {@code chunked}, which is built from it. Clients are built by the sharding module.
 * Start reading at {@code MemcachedClient}, then {@code SenderClient}.
 */
@NullMarked
package io.memshard.client;

import org.jspecify.annotations.NullMarked;
