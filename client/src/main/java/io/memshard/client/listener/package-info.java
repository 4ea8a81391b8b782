// SPDX-License-Identifier: Apache-2.0
/**
 * What listeners learn about commands and connections, for metrics, logs and alarms.
 *
 * <p>Layer: above {@code options} and {@code exception}, below {@code connection}. Start reading at
 * {@link io.memshard.client.listener.ConnectionListener}.
 */
@NullMarked
package io.memshard.client.listener;

import org.jspecify.annotations.NullMarked;
