// SPDX-License-Identifier: Apache-2.0
/**
 * Template for memcached. The connections are pooled, single or sharded, and belong to one of two client libraries.
 *
 * <p>Layer: above the sharding module, whose client is one engine, and above {@code spymemcached}, the other engine.
 * Start reading at {@link io.memshard.template.MemcachedTemplate}, then {@link
 * io.memshard.template.MemcachedConnectionFactory}.
 */
@NullMarked
package io.memshard.template;

import org.jspecify.annotations.NullMarked;
