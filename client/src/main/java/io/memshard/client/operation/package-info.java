// SPDX-License-Identifier: Apache-2.0
/**
 * Clients that send the commands of the API through a {@link io.memshard.client.sender.CommandSender}.
 *
 * <p>The classes {@code Multi*} split an operation on many keys into commands for each server. The classes
 * {@code *Load*} implement {@code getOrLoad} and {@code multiGetOrLoad}. Layer: above {@code sender}; exported to our
 * own modules only. Start reading at {@code SenderClient}.
 */
@NullMarked
package io.memshard.client.operation;

import org.jspecify.annotations.NullMarked;
