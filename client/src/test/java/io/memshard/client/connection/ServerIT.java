// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.MemcachedServer;

/** The contract of a server that behaves, on the one that was found. */
@EachTransportAndProtocol
class ServerIT extends ServerContract {

    ServerIT(Transport transport, Protocol protocol, MemcachedServer server) {
        super(transport, protocol, server);
    }
}
