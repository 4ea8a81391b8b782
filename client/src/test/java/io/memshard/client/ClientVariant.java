// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
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

    /** Whether the operations run over each variant that can be, or else over {@link #FEW}. */
    private static final boolean RUNS_ALL = "all".equals(System.getProperty("memshard.variants"));

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
        return RUNS_ALL ? all() : FEW;
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
}
