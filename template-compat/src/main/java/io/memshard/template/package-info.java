// SPDX-License-Identifier: Apache-2.0
/**
 * Template for memcached. Its connections are pooled, single or sharded, and one of two client libraries opens them.
 *
 * <p>Layer: above the sharding module, whose client is one engine, and above {@code spymemcached}, the other engine.
 * Start reading at {@link io.memshard.template.MemcachedTemplate}, then {@link
 * io.memshard.template.MemcachedConnectionFactory}.
 */
@NullMarked
package io.memshard.template;

import org.jspecify.annotations.NullMarked;
