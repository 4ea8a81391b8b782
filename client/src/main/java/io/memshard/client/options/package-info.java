// SPDX-License-Identifier: Apache-2.0
/**
 * Settings that users choose: addresses of servers, access to them, limits, and policies for failures.
 *
 * <p>Layer: below everything except the exceptions. Only values, no sockets and no threads. Start reading at
 * {@link io.memshard.client.options.ConnectionSettings}, which builds a
 * {@link io.memshard.client.options.ConnectionOptions}.
 */
@NullMarked
package io.memshard.client.options;

import org.jspecify.annotations.NullMarked;
