// SPDX-License-Identifier: Apache-2.0
/**
 * Template over memcached connections that are pooled, single or sharded, with two engines behind one interface.
 *
 * <p>Layer: above the sharding module, whose client is one engine, and above {@code spymemcached}, the other engine.
 * Start reading at {@link io.memshard.template.MemcachedTemplate}, then {@link
 * io.memshard.template.MemcachedConnectionFactory}.
 */
@NullMarked
package io.memshard.template;

import org.jspecify.annotations.NullMarked;
