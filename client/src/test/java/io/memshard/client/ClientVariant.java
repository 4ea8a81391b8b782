// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
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
                case ASYNCHRONOUS -> AsyncAsBlocking.of(Clients.async(connection, transcoder, maxValueBytes, timeout));
            };
        }
    }

    /** Which variants the operations run over: {@code all} that can be, or else those of {@link PairwiseVariants}. */
    private static final boolean RUNS_ALL = "all".equals(System.getProperty("memshard.variants"));

    private static final Set<ServerKind> UNGUARDED = EnumSet.of(ServerKind.FOUND, ServerKind.EMBEDDED);

    /** Those that the operations run over. */
    static List<ClientVariant> chosen() {
        return chosen(variant -> true);
    }

    /** Those that the operations of the meta protocol run over. */
    static List<ClientVariant> chosenMeta() {
        return chosen(variant -> !variant.isClassic());
    }

    /**
     * Those that the operations of the meta protocol run over where it does not matter how a server lets clients in.
     */
    static List<ClientVariant> chosenMetaUnguarded() {
        return chosen(variant -> !variant.isClassic() && UNGUARDED.contains(variant.server));
    }

    /** Each kind of server, protocol, transport and way to call, as far as possible and wanted. */
    private static List<ClientVariant> chosen(Predicate<ClientVariant> isWanted) {
        List<ClientVariant> all = Stream.of(ServerKind.values())
                .flatMap(server -> Stream.of(Protocol.AUTO, Protocol.CLASSIC)
                        .flatMap(protocol -> Stream.of(Transport.values())
                                .flatMap(transport -> Stream.of(Calls.values())
                                        .map(calls -> new ClientVariant(server, protocol, transport, calls)))))
                .filter(variant -> variant.isPossible() && variant.isOfItsOwn() && isWanted.test(variant))
                .toList();
        return RUNS_ALL ? all : PairwiseVariants.of(all);
    }

    boolean isClassic() {
        return protocol == Protocol.CLASSIC;
    }

    private boolean isPossible() {
        boolean hasTransport = !server.hasTls() || transport != Transport.CALLER_DRIVEN;
        boolean hasProtocol = server != ServerKind.TWEMPROXY || isClassic();
        return hasTransport && hasProtocol;
    }

    /** AUTO is one of the other two transports, by the caller: one server that is real and one that is not will do. */
    private boolean isOfItsOwn() {
        return transport != Transport.AUTO || UNGUARDED.contains(server);
    }
}
