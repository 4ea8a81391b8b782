// SPDX-License-Identifier: Apache-2.0
/**
 * Settings of clients, such as server addresses, credentials, TLS, limits and policies for failures.
 *
 * <p>Layer: above {@code exception} only. Start reading at {@link io.memshard.client.options.FailurePolicy}.
 */
@NullMarked
package io.memshard.client.options;

import org.jspecify.annotations.NullMarked;
