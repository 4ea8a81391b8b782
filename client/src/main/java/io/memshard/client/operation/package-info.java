// SPDX-License-Identifier: Apache-2.0
/**
 * Clients over a {@link io.memshard.client.sender.CommandSender}: the operations of the API, as commands and their
 * results.
 *
 * <p>{@code Sender*Client} and {@code AsyncSender*Client} are the clients. {@link io.memshard.client.operation.Calls}
 * contains the sender, failure policy and observer that the calls of a client share. The classes {@code Multi*} split
 * operations on many keys into parts for each server, and combine the outcomes under one deadline. The classes
 * {@code *Load*} load missing values.
 *
 * <p>Layer: above {@code sender} and the packages of the API; exported to our own modules only. Start reading at
 * {@link io.memshard.client.operation.Clients}, then {@code SenderClient}.
 */
@NullMarked
package io.memshard.client.operation;

import org.jspecify.annotations.NullMarked;
