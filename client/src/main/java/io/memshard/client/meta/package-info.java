// SPDX-License-Identifier: Apache-2.0
/**
 * The whole meta protocol: requests with their flags, and their results.
 *
 * <p>Requests are immutable: each method returns a new request. A time to live that is zero or negative throws an
 * {@link IllegalArgumentException}, except the result of {@code TimeToLive.until}.
 *
 * <p>Layer: part of the API. {@code io.memshard.client} uses this package, and {@code operation} implements the
 * clients. Start reading at {@link io.memshard.client.meta.MetaClient}.
 */
@NullMarked
package io.memshard.client.meta;

import org.jspecify.annotations.NullMarked;
