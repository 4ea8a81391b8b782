// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.Transport;

/** The contract of which protocol is spoken, in plain text. */
@EachTransport
class ProtocolIT extends ProtocolContract {

    ProtocolIT(Transport transport) {
        super(transport);
    }
}
