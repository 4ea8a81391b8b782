// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

/**
 * One operation on a server, which checks its own result.
 *
 * @param name of the operation, unique
 * @param body runs it on keys that begin with the name
 */
record Operation(String name, Body body) {

    /** Calls of an operation, with the assertions on their results. */
    @FunctionalInterface
    interface Body {
        void run(Calls calls, String key) throws Exception;
    }
}
