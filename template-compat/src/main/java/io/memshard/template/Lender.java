// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** Source of a connection for each call; thread-safe. */
interface Lender {

    /** Runs {@code use} on a connection, gives the connection back, and returns the result. */
    <T> T lend(EngineConnectionFactory.Use<T> use);
}
