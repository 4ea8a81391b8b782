// SPDX-License-Identifier: Apache-2.0
/**
 * Public interface of the memcached client: {@link io.memshard.client.MemcachedClient} for blocking callers, and
 * {@link io.memshard.client.AsyncMemcachedClient} for asynchronous callers.
 *
 * <p>Layer: interfaces and values only, above {@code load}, {@code multi}, {@code meta} and {@code admin}. Package
 * {@code operation} implements the interfaces, and the sharding module creates the clients. Start reading at
 * {@code MemcachedClient}.
 */
@NullMarked
package io.memshard.client;

import org.jspecify.annotations.NullMarked;
