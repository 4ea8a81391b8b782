// SPDX-License-Identifier: Apache-2.0
/**
 * Listeners for commands and connections, and the events they receive: for metrics, logs and alarms.
 *
 * <p>Layer: above {@code options} and {@code exception}, below {@code connection}. Start reading at
 * {@link io.memshard.client.listener.ConnectionListener}.
 */
@NullMarked
package io.memshard.client.listener;

import org.jspecify.annotations.NullMarked;
