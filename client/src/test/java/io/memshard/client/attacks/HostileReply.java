// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.StatsGroup;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.options.Protocol;
import io.memshard.testkit.fault.ScriptedConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A row of the tables of hostile replies: what a server is asked, what it answers, and what has to come of that.
 *
 * @param protocol what is spoken
 * @param name says what is wrong with the reply
 * @param asked the one command in flight
 * @param ending what comes of the command and of the connection
 * @param deed sends the reply
 */
record HostileReply(Protocol protocol, String name, Asked asked, Ending ending, Deed deed) {

    /** As many keys as a part needs to be quiet. */
    static final List<String> QUIET_KEYS = List.of("a", "z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8");

    static final Map<String, String> QUIET_VALUES = QUIET_KEYS.stream().collect(Collectors.toMap(k -> k, k -> "data"));

    private static final Duration TTL = Duration.ofHours(1);

    /** What the server does when it has read the request, whose opaque it is given. */
    interface Deed {
        void play(ScriptedConnection server, String opaque) throws InterruptedException;
    }

    /** What is asked about the item {@code a}, and the only result that a row may lead to. */
    enum Asked {
        GET((client, admin) -> client.get("a"), "value of a"),
        GETS((client, admin) -> client.gets("a"), "no row has a result"),
        GET_AND_TOUCH((client, admin) -> client.getAndTouch("a", TTL), "no row has a result"),
        MANY((client, admin) -> client.multiGet(List.of("a", "z")).hitsOrThrow(), Map.of("a", "value of a")),
        MANY_AND_TOUCH(
                (client, admin) -> client.multiGetAndTouch(QUIET_KEYS, TTL).hitsOrThrow(), Map.of("a", "value of a")),
        META_GET(
                (client, admin) -> client.meta()
                        .get(GetRequest.of("a").returning(ItemField.values()))
                        .value(),
                "value of a"),
        DEBUG((client, admin) -> client.meta().debug(ItemKey.of("a")), Map.of("exp", "-1")),
        SET((client, admin) -> set(client), "stored"),
        SET_MANY((client, admin) -> client.multiSet(QUIET_VALUES, TTL).storedOrThrow(), "no row has a result"),
        SET_FEW(
                (client, admin) -> client.multiSet(new TreeMap<>(Map.of("a", "data", "z", "data")), TTL)
                        .storedOrThrow(),
                Set.of("a", "z")),
        TOUCH_FEW(
                (client, admin) ->
                        client.multiGetAndTouch(List.of("a", "z"), TTL).hitsOrThrow(),
                "no row has a result"),
        ADD((client, admin) -> client.add("a", "data", TTL), true),
        DELETE((client, admin) -> client.delete("a"), true),
        DELETE_MANY((client, admin) -> client.multiDelete(List.of("a", "z")).deletedOrThrow(), "no row has a result"),
        TOUCH((client, admin) -> client.touch("a", TTL), true),
        INCR((client, admin) -> client.incr("a", 1), OptionalLong.of(5)),
        VERSION((client, admin) -> client.version(), "1.6.18"),
        STATS(
                (client, admin) -> admin.stats(StatsGroup.SETTINGS)
                        .answersOrThrow()
                        .values()
                        .iterator()
                        .next(),
                Map.of("maxconns", "1024")),
        FLUSH((client, admin) -> admin.flushAll(Duration.ZERO).answersOrThrow(), "no row has a result");

        private final BiFunction<MemcachedClient<String>, AdminClient, @Nullable Object> call;
        private final Object result;

        Asked(BiFunction<MemcachedClient<String>, AdminClient, @Nullable Object> call, Object result) {
            this.call = call;
            this.result = result;
        }

        private static Object set(MemcachedClient<String> client) {
            client.set("a", "data", TTL);
            return "stored";
        }

        @Nullable
        Object ask(MemcachedClient<String> client, AdminClient admin) {
            return call.apply(client, admin);
        }

        Object result() {
            return result;
        }
    }

    /** What comes of the command, and of the connection. */
    enum Ending {
        /** The right result; the connection stays. */
        REPLIED(null, false),
        /** The right result; what came behind it costs the connection. */
        REPLIED_THEN_REPLACED(null, true),
        REFUSED(MemcachedServerException.class, false),
        /** An error that is over, and then bytes that nobody asked for. */
        REFUSED_THEN_REPLACED(MemcachedServerException.class, true),
        TOO_LARGE(MemcachedValueTooLargeException.class, false),
        UNSUPPORTED(MemcachedUnsupportedException.class, false),
        DISTRUSTED(MemcachedProtocolException.class, true),
        LOST(MemcachedConnectionException.class, true),
        /** Found out by the liveness timeout. */
        SILENT(MemcachedConnectionException.class, true);

        private final @Nullable Class<? extends MemcachedException> failure;
        private final boolean replaced;

        Ending(@Nullable Class<? extends MemcachedException> failure, boolean replaced) {
            this.failure = failure;
            this.replaced = replaced;
        }

        /** What the command fails with; null if it does not. */
        @Nullable
        Class<? extends MemcachedException> failure() {
            return failure;
        }

        boolean isReplaced() {
            return replaced;
        }
    }

    /** A row of which the server sends {@code bytes} at once; {@code $} stands for the opaque. */
    static HostileReply sent(Protocol protocol, String name, Asked asked, Ending ending, String bytes) {
        return new HostileReply(
                protocol, name, asked, ending, (server, opaque) -> server.send(bytes.replace("$", opaque)));
    }

    /** A row of which the server sends {@code bytes} and closes the connection. */
    static HostileReply cut(Protocol protocol, String name, Asked asked, Ending ending, String bytes) {
        return new HostileReply(
                protocol,
                name,
                asked,
                ending,
                (server, opaque) -> server.send(bytes.replace("$", opaque)).cut());
    }

    /** A row of which the server sends {@code piece} again and again between two texts. */
    static HostileReply repeated(
            Protocol protocol, String name, Asked asked, Ending ending, List<String> around, String piece, int times) {
        return new HostileReply(protocol, name, asked, ending, (server, opaque) -> {
            server.send(around.get(0).replace("$", opaque));
            for (int i = 0; i < times; i++) {
                server.send(piece);
            }
            server.send(around.get(1).replace("$", opaque));
        });
    }

    @Override
    public String toString() {
        return protocol + " " + asked + ": " + name;
    }
}
