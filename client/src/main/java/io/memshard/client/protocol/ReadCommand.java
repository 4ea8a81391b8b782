// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Facts of a command that reads, for failure policies and listeners. A command shows it by {@link Command#asRead}.
 *
 * @param <T> the result of the command
 */
public interface ReadCommand<T> {

    /**
     * Returns whether executing the command twice is the same to its caller as executing it once, as for a plain read.
     * Such a command may be sent again after its reply was lost. The server grants a claim once only.
     */
    boolean isRepeatable();

    /** Returns the result of a miss, which can stand for the reply after a failure. */
    T miss();

    /** Returns the number of keys that had a value, when the reply is complete; -1 if no values were requested. */
    int hits();
}
