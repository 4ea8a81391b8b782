// SPDX-License-Identifier: Apache-2.0
/**
 * Settings that users choose: addresses of servers, access to them, limits, and policies for failures.
 *
 * <p>Layer: above {@code exception} only. Start reading at {@link io.memshard.client.options.ConnectionSettings}.
 */
@NullMarked
package io.memshard.client.options;

import org.jspecify.annotations.NullMarked;
