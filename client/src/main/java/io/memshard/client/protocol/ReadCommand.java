// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

public interface ReadCommand<T> {

    /** Returns whether the command may be sent again after its reply was lost. */
    default boolean isRepeatable() {
        return true;
    }

    /** Returns the result of a miss, which some failure policies return instead of a failure. */
    T miss();

    /** Returns the number of values in a complete reply; -1 if no values were requested. */
    default int hits() {
        return -1;
    }
}
