/**
 * A template over memcached connections that are pooled, single or sharded, of two engines behind
 * one interface.
 *
 * <p>Top layer of this module: above {@code engine}, {@code memshard}, {@code spymemcached} and
 * {@code pool}. Start reading at {@link io.memshard.template.MemcachedTemplate}, then {@link
 * io.memshard.template.MemcachedConnectionFactory}.
 */
@NullMarked
package io.memshard.template;

import org.jspecify.annotations.NullMarked;
