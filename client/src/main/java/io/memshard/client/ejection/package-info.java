// SPDX-License-Identifier: Apache-2.0
/**
 * Availability of a server: counts failures over all its connections, ejects the server, and requests probes.
 *
 * <p>Layer: above {@code listener} and {@code options}, below {@code connection}, which reports the events. Start
 * reading at {@code ServerWatch}.
 */
@NullMarked
package io.memshard.client.ejection;

import org.jspecify.annotations.NullMarked;
