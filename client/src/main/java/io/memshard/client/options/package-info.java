// SPDX-License-Identifier: Apache-2.0
/**
 * Types of settings of clients, such as server addresses, credentials, TLS and policies for failures.
 *
 * <p>Layer: above {@code exception} only. Start reading at {@link io.memshard.client.options.FailurePolicy}.
 */
@NullMarked
package io.memshard.client.options;

import org.jspecify.annotations.NullMarked;
