// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.testkit.fault.ScriptedConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A row of the tables of hostile replies: what a server is asked, what it answers, and what has to come of that.
 *
 * @param name says what is wrong with the reply
 * @param asked the command that meets the reply
 * @param ending what comes of the command, of those behind it and of the connection
 * @param deed sends the reply
 */
record HostileReply(String name, Asked asked, Ending ending, Deed deed) {

    private static final Duration TTL = Duration.ofHours(1);

    /**
     * What the server does when it has read the request, and the gets of {@code b} and {@code c} behind it. In a text,
     * {@code $}, {@code $b} and {@code $c} stand for the opaques of the three.
     */
    interface Deed {
        void play(ScriptedConnection server, UnaryOperator<String> withOpaques) throws InterruptedException;
    }

    /** What is asked about the item {@code a}, and the only result that a row may lead to. */
    enum Asked {
        GET((client, admin) -> client.get("a"), "value of a"),
        GETS((client, admin) -> client.gets("a"), "no row has a result"),
        MANY((client, admin) -> client.multiGet(List.of("a", "z")).hitsOrThrow(), Map.of("a", "value of a")),
        DEBUG((client, admin) -> client.meta().debug("a"), Map.of("exp", "-1")),
        SET((client, admin) -> set(client), "stored"),
        SET_FEW(
                (client, admin) -> client.multiSet(new TreeMap<>(Map.of("a", "data", "z", "data")), TTL)
                        .doneOrThrow(),
                Set.of("a", "z")),
        DELETE((client, admin) -> client.delete("a"), true),
        INCR((client, admin) -> client.incr("a", 1), OptionalLong.of(5)),
        VERSION((client, admin) -> client.version(), "1.6.18"),
        STATS(
                (client, admin) -> admin.stats("settings")
                        .answersOrThrow()
                        .values()
                        .iterator()
                        .next(),
                Map.of("maxconns", "1024"));

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

    /** What comes of the command, of the two gets behind it, and of the connection. */
    enum Ending {
        /** The right result; the connection stays. */
        REPLIED(null, "", null),
        /** The right result; what came behind it costs the connection. */
        REPLIED_THEN_DISTRUSTED(null, "", MemcachedProtocolException.class),
        REPLIED_THEN_LOST(null, "", MemcachedConnectionException.class),
        /** The same while nothing else is in flight. */
        REPLIED_THEN_REPLACED(null, "", MemcachedProtocolException.class),
        REFUSED(MemcachedServerException.class, "the server answered", null),
        /** An error that is over, and then bytes that nobody asked for, while nothing else is in flight. */
        REFUSED_THEN_REPLACED(MemcachedServerException.class, "the server answered", MemcachedProtocolException.class),
        TOO_LARGE(MemcachedValueTooLargeException.class, "", null),
        UNSUPPORTED(MemcachedUnsupportedException.class, "", null),
        DISTRUSTED(
                MemcachedProtocolException.class,
                "connection closed after a reply that cannot be trusted",
                MemcachedProtocolException.class),
        LOST(MemcachedConnectionException.class, "connection lost", MemcachedConnectionException.class),
        /** Found out by the liveness timeout. */
        SILENT(MemcachedConnectionException.class, "no reply for", MemcachedConnectionException.class);

        /** What the command fails with; null if it does not. */
        final @Nullable Class<? extends MemcachedException> failure;

        final String reason;

        /** What the gets behind it may fail with; null if they must not, because the connection stays. */
        final @Nullable Class<? extends MemcachedException> failureOfOthers;

        Ending(
                @Nullable Class<? extends MemcachedException> failure,
                String reason,
                @Nullable Class<? extends MemcachedException> failureOfOthers) {
            this.failure = failure;
            this.reason = reason;
            this.failureOfOthers = failureOfOthers;
        }

        boolean isReplaced() {
            return failureOfOthers != null;
        }

        /** Whether the command is the only one in flight. */
        boolean isAlone() {
            return this == REPLIED_THEN_REPLACED || this == REFUSED_THEN_REPLACED;
        }
    }

    /** A row of which the server sends {@code bytes} at once. */
    static HostileReply row(String name, Asked asked, Ending ending, String bytes) {
        return new HostileReply(name, asked, ending, (server, filled) -> server.send(filled.apply(bytes)));
    }

    static HostileReply distrusted(String name, Asked asked, String bytes) {
        return row(name, asked, Ending.DISTRUSTED, bytes);
    }

    /** A row of which the server sends {@code bytes} and closes the connection. */
    static HostileReply cut(String name, Asked asked, Ending ending, String bytes) {
        return new HostileReply(
                name,
                asked,
                ending,
                (server, filled) -> server.send(filled.apply(bytes)).cut());
    }

    /** A row of which the server sends {@code piece} again and again between two texts. */
    static HostileReply tooLarge(String name, Asked asked, String before, String piece, int times, String after) {
        return new HostileReply(name, asked, Ending.TOO_LARGE, (server, filled) -> {
            server.send(filled.apply(before));
            for (int i = 0; i < times; i++) {
                server.send(piece);
            }
            server.send(filled.apply(after));
        });
    }

    @Override
    public String toString() {
        return asked + ": " + name;
    }
}
