// SPDX-License-Identifier: Apache-2.0
/**
 * Meta clients over a {@link io.memshard.client.sender.CommandSender}.
 *
 * <p>Layer: above {@code sender}, {@code meta} and {@code operation.call}, below {@code operation.load}. Start reading
 * at {@code SenderMetaClient}.
 */
@NullMarked
package io.memshard.client.operation.meta;

import org.jspecify.annotations.NullMarked;
