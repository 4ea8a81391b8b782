// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

/**
 * Direction in which an {@link ArithmeticRequest} changes a number.
 *
 * <p>Protocol: {@code M} of {@code ma}; protocol.txt, section "Meta Arithmetic".
 */
public enum ArithmeticMode {
    /** Adds, wrapping at 2^64. */
    INCREMENT,
    /** Subtracts, stopping at 0. */
    DECREMENT
}
