// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/** Command that reads items. Failure policies and listeners treat reads and writes differently. */
public interface ReadCommand<T> {

    /** Returns whether the command may be sent again after its reply was lost. */
    default boolean isRepeatable() {
        return true;
    }

    /** Returns the result of a miss, which some failure policies return in place of a failure. */
    T miss();

    /** Returns the number of values found, once the reply is complete; always -1 if no values were requested. */
    default int hits() {
        return -1;
    }
}
