// SPDX-License-Identifier: Apache-2.0
/**
 * Senders of commands, and their replies: the interface between the operations of a client and its connections.
 *
 * <p>Layer: above {@code protocol} and {@code options}, below {@code connection}. Start reading at
 * {@link io.memshard.client.sender.CommandSender}, then {@code PolicySender}.
 */
@NullMarked
package io.memshard.client.sender;

import org.jspecify.annotations.NullMarked;
