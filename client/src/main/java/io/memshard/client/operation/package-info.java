// SPDX-License-Identifier: Apache-2.0
/**
 * Clients over a {@link io.memshard.client.sender.CommandSender}: the operations of the API, as commands and their
 * results.
 *
 * <p>Layer: above {@code sender} and the packages of the API; exported to our own modules only. Start reading at
 * {@link io.memshard.client.operation.Clients}, then {@code SenderClient}.
 */
@NullMarked
package io.memshard.client.operation;

import org.jspecify.annotations.NullMarked;
