// SPDX-License-Identifier: Apache-2.0
/**
 * Whether a server is there: counts its failures over all its connections, ejects it, and has it probed.
 *
 * <p>Layer: above {@code listener} and {@code options}, below {@code connection}, which tells it what happens. Start
 * reading at {@code ServerWatch}.
 */
@NullMarked
package io.memshard.client.ejection;

import org.jspecify.annotations.NullMarked;
