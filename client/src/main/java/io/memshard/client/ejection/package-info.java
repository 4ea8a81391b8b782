// SPDX-License-Identifier: Apache-2.0
/**
 * Ejection of servers that fail. {@code ServerWatch} counts the failures of all connections to a server, ejects the
 * server, and requests probes.
 *
 * <p>Layer: above {@code listener} and {@code options}, below {@code connection}, which reports the events.
 */
@NullMarked
package io.memshard.client.ejection;

import org.jspecify.annotations.NullMarked;
