// SPDX-License-Identifier: Apache-2.0
/**
 * What a user sets: where a server is, how to reach it, which limits apply, and what a failure leads to.
 *
 * <p>Layer: below everything but the exceptions. It has only values, no sockets and no threads. Start reading at
 * {@link io.memshard.client.options.ConnectionOptions}.
 */
@NullMarked
package io.memshard.client.options;

import org.jspecify.annotations.NullMarked;
