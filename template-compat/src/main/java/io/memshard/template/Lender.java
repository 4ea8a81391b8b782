// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** Thread-safe source of connections, each of which is lent for one call. */
interface Lender {

    <T> T lend(EngineConnectionFactory.Use<T> use);
}
