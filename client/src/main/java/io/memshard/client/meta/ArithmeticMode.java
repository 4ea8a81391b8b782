// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

/**
 * Which way an {@link ArithmeticRequest} changes a number.
 *
 * <p>Protocol: {@code M} of {@code ma}; protocol.txt, section "Meta Arithmetic".
 */
public enum ArithmeticMode {
    /** Up, wrapping at 2^64. */
    INCREMENT,
    /** Down, stopping at 0. */
    DECREMENT
}
