// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.contract.AsyncAsBlocking;
import io.memshard.client.contract.ServerKind;
import io.memshard.client.contract.Subject;
import io.memshard.client.contract.Subject.Speech;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
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
        ASYNCHRONOUS;

        /** A client that is called in this way, behind the blocking face. */
        <V> MemcachedClient<V> client(
                CommandSender connection, Transcoder<V> transcoder, int maxValueBytes, Duration timeout) {
            return switch (this) {
                case BLOCKING -> Clients.blocking(connection, transcoder, maxValueBytes, timeout);
                case ASYNCHRONOUS ->
                    AsyncAsBlocking.of(Clients.blocking(connection, transcoder, maxValueBytes, timeout)
                            .async());
            };
        }
    }

    /** More than the servers take, so that it is they who refuse. */
    static final int MAX_VALUE_BYTES = 2 * 1024 * 1024;

    /** A few variants, in which every possible pair of settings occurs. */
    private static final List<ClientVariant> FEW = List.of(
            new ClientVariant(ServerKind.FOUND, Protocol.AUTO, Transport.EVENT_LOOP, Calls.BLOCKING),
            new ClientVariant(ServerKind.FOUND, Protocol.AUTO, Transport.CALLER_DRIVEN, Calls.ASYNCHRONOUS),
            new ClientVariant(ServerKind.FOUND, Protocol.AUTO, Transport.CALLER_DRIVEN, Calls.BLOCKING),
            new ClientVariant(ServerKind.FOUND, Protocol.CLASSIC, Transport.EVENT_LOOP, Calls.ASYNCHRONOUS),
            new ClientVariant(ServerKind.EMBEDDED, Protocol.AUTO, Transport.EVENT_LOOP, Calls.ASYNCHRONOUS),
            new ClientVariant(ServerKind.EMBEDDED, Protocol.AUTO, Transport.CALLER_DRIVEN, Calls.BLOCKING),
            new ClientVariant(ServerKind.EMBEDDED, Protocol.CLASSIC, Transport.CALLER_DRIVEN, Calls.BLOCKING),
            new ClientVariant(ServerKind.TWEMPROXY, Protocol.CLASSIC, Transport.EVENT_LOOP, Calls.BLOCKING),
            new ClientVariant(ServerKind.TWEMPROXY, Protocol.CLASSIC, Transport.CALLER_DRIVEN, Calls.ASYNCHRONOUS));

    /** Returns the variants that the operations run over. */
    static List<ClientVariant> chosen() {
        return Subject.RUNS_ALL ? all() : FEW;
    }

    /** Returns the variants that the operations of the meta protocol run over. */
    static List<ClientVariant> chosenMeta() {
        return chosen().stream().filter(variant -> !variant.isClassic()).toList();
    }

    /** A connection has one of two transports; the cluster chooses between them by the caller. */
    private static List<ClientVariant> all() {
        return Stream.of(ServerKind.values())
                .flatMap(server -> Stream.of(Protocol.AUTO, Protocol.CLASSIC)
                        .flatMap(protocol -> Stream.of(Transport.EVENT_LOOP, Transport.CALLER_DRIVEN)
                                .flatMap(transport -> Stream.of(Calls.values())
                                        .map(calls -> new ClientVariant(server, protocol, transport, calls)))))
                .filter(variant -> variant.server != ServerKind.TWEMPROXY || variant.isClassic())
                .toList();
    }

    boolean isClassic() {
        return protocol == Protocol.CLASSIC;
    }

    /** A client of the variant with a connection of its own. */
    record Connected(Connection connection, Subject subject) {}

    Connected open() {
        ConnectionGroup group = group(MAX_VALUE_BYTES);
        Connection connection = connection(group);
        MemcachedClient<String> client = client(connection, MAX_VALUE_BYTES);
        Speech speech = isClassic() ? Speech.CLASSIC : Speech.META;
        return new Connected(connection, new Subject(client, speech, List.of(server.itemServer()), group::close));
    }

    /** A group with this limit, to be closed. */
    ConnectionGroup group(int maxValueBytes) {
        ConnectionOptions options = PatientOptions.with(protocol);
        options.maxValueBytes = maxValueBytes;
        return new ConnectionGroup(options, 1);
    }

    Connection connection(ConnectionGroup group) {
        return group.newConnection(
                new ServerAddress(server.server().host(), server.server().port()), 0, transport);
    }

    MemcachedClient<String> client(CommandSender its, int maxValueBytes) {
        return calls.client(its, Transcoder.utf8(), maxValueBytes, PatientOptions.LONG);
    }
}
