// SPDX-License-Identifier: Apache-2.0
/**
 * Requests and results of memcached's meta commands.
 *
 * <p>Requests are immutable: each method returns a new request. A time to live must be more than zero, or the result of
 * {@code TimeToLive.until}. Otherwise the method throws an {@link IllegalArgumentException}.
 *
 * <p>Layer: part of the API. {@code io.memshard.client} uses this package, and {@code operation} implements the
 * clients. Start reading at {@link io.memshard.client.meta.MetaClient}.
 */
@NullMarked
package io.memshard.client.meta;

import org.jspecify.annotations.NullMarked;
