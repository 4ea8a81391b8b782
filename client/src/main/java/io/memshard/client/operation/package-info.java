// SPDX-License-Identifier: Apache-2.0
/**
 * Clients over a {@link io.memshard.client.sender.CommandSender}: the operations of the API, as commands and their
 * results.
 *
 * <p>{@code Sender*Client} and {@code AsyncSender*Client} are the clients. {@link io.memshard.client.operation.Calls}
 * contains what the calls of a client share: the sender, the policy for failures, the observer. The classes
 * {@code Multi*} split operations on many keys into parts for each server, and combine the outcomes under one deadline.
 * The classes {@code *Load*} load missing values, each call by a {@code LoadPlan}.
 *
 * <p>Layer: above {@code sender} and the packages of the API; exported to our own modules only. Start reading at
 * {@link io.memshard.client.operation.Clients}, then {@code SenderClient}.
 */
@NullMarked
package io.memshard.client.operation;

import org.jspecify.annotations.NullMarked;
