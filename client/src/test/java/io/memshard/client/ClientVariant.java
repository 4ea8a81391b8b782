package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Protocol;
import io.memshard.client.connection.Transport;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A client and the server that it is connected to.
 *
 * @param protocol AUTO where the server is to be found out to speak meta
 */
record ClientVariant(ServerKind server, Protocol protocol, Transport transport, Calls calls) {

    /** How the client is called. */
    enum Calls {
        BLOCKING,
        ASYNCHRONOUS
    }

    /** Those that the operations run over. */
    static Stream<ClientVariant> all() {
        return Stream.concat(
                meta(),
                Stream.of(ServerKind.values())
                        .flatMap(server -> Stream.of(
                                new ClientVariant(server, Protocol.CLASSIC, Transport.CALLER_DRIVEN, Calls.BLOCKING),
                                new ClientVariant(
                                        server, Protocol.CLASSIC, Transport.EVENT_LOOP, Calls.ASYNCHRONOUS))));
    }

    /** Those that the operations of the meta protocol run over. */
    static Stream<ClientVariant> meta() {
        return Stream.of(
                new ClientVariant(ServerKind.FOUND, Protocol.AUTO, Transport.EVENT_LOOP, Calls.BLOCKING),
                new ClientVariant(ServerKind.FOUND, Protocol.AUTO, Transport.CALLER_DRIVEN, Calls.BLOCKING),
                new ClientVariant(ServerKind.FOUND, Protocol.AUTO, Transport.AUTO, Calls.BLOCKING),
                new ClientVariant(ServerKind.FOUND, Protocol.AUTO, Transport.EVENT_LOOP, Calls.ASYNCHRONOUS),
                new ClientVariant(ServerKind.FOUND, Protocol.AUTO, Transport.CALLER_DRIVEN, Calls.ASYNCHRONOUS),
                new ClientVariant(ServerKind.EMBEDDED, Protocol.AUTO, Transport.AUTO, Calls.BLOCKING),
                new ClientVariant(ServerKind.EMBEDDED, Protocol.AUTO, Transport.EVENT_LOOP, Calls.ASYNCHRONOUS));
    }

    /** The client under test, as a blocking one. */
    <V> MemcachedClient<V> client(
            CommandSender connection, Transcoder<V> transcoder, int maxValueBytes, Duration timeout) {
        return switch (calls) {
            case BLOCKING -> Clients.blocking(connection, transcoder, maxValueBytes, timeout);
            case ASYNCHRONOUS -> new AsyncAsBlocking<>(Clients.async(connection, transcoder, maxValueBytes, timeout));
        };
    }
}
