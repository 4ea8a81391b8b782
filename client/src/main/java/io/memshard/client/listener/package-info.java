// SPDX-License-Identifier: Apache-2.0
/**
 * Listeners for metrics, logs and alarms, and the events of commands and connections that listeners receive.
 *
 * <p>Layer: above {@code options} and {@code exception}, below {@code connection}. Start reading at
 * {@link io.memshard.client.listener.ConnectionListener}.
 */
@NullMarked
package io.memshard.client.listener;

import org.jspecify.annotations.NullMarked;
