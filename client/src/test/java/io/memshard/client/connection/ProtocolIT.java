package io.memshard.client.connection;

/** The contract of which protocol is spoken, in plain text. */
@EachTransport
class ProtocolIT extends ProtocolContract {

    ProtocolIT(Transport transport) {
        super(transport);
    }
}
