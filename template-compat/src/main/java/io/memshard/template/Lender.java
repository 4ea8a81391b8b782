// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** Thread-safe source of connections, each of which is lent for one call. */
interface Lender {

    /** Runs {@code use} on a connection, gives the connection back, and returns the result. */
    <T> T lend(EngineConnectionFactory.Use<T> use);
}
