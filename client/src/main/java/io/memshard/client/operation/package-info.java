// SPDX-License-Identifier: Apache-2.0
/**
 * Clients that send the commands of the API through a {@link io.memshard.client.sender.CommandSender}.
 *
 * <p>{@code Sender*Client} are the blocking clients, and {@code AsyncSender*Client} the asynchronous clients. The
 * classes {@code Multi*} split operations on many keys into parts for each server, and combine the outcomes under one
 * deadline. The classes {@code *Load*} load missing values.
 *
 * <p>Layer: above {@code sender} and the packages of the API; exported to our own modules only. Start reading at
 * {@link io.memshard.client.operation.Clients}, then {@code SenderClient}.
 */
@NullMarked
package io.memshard.client.operation;

import org.jspecify.annotations.NullMarked;
