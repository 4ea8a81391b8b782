// SPDX-License-Identifier: Apache-2.0
/**
 * Clients that send the commands of the API through a {@link io.memshard.client.sender.CommandSender}.
 *
 * <p>The classes {@code Sender*Client} are blocking clients, and the classes {@code AsyncSender*Client} are
 * asynchronous clients. The classes {@code Multi*} split an operation on many keys into commands for each server, and
 * combine the outcomes. The classes {@code *Load*} implement {@code getOrLoad} and {@code multiGetOrLoad}.
 *
 * <p>Layer: above {@code sender} and the packages of the API; exported to our own modules only. Start reading at
 * {@link io.memshard.client.operation.Clients}, then {@code SenderClient}.
 */
@NullMarked
package io.memshard.client.operation;

import org.jspecify.annotations.NullMarked;
