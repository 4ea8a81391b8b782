// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.FoundItems;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a server does, each command ends with its own reply or the failure that fits, and the connection works
 * afterwards, the same one or another.
 */
@ParameterizedClass
@EnumSource
@Timeout(60)
@Tag("once")
class MisbehaviourIT extends ConnectionFixture {

    MisbehaviourIT(Transport transport) {
        super(transport, Protocol.META);
    }

    /** How commands are sent: the two ways in which callers wait. */
    private enum Way {
        FUTURES {
            @Override
            CompletableFuture<?> ask(Connection connection, Command<?> command) {
                return connection.send(command).toFuture(LONG);
            }
        },
        THREADS {
            @Override
            CompletableFuture<?> ask(Connection connection, Command<?> command) {
                CompletableFuture<Object> outcome = new CompletableFuture<>();
                new Thread(() -> call(connection, command, outcome), "caller").start();
                return outcome;
            }
        };

        abstract CompletableFuture<?> ask(Connection connection, Command<?> command);

        private static void call(Connection connection, Command<?> command, CompletableFuture<Object> outcome) {
            try {
                outcome.complete(connection.call(command, LONG_NANOS));
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void futuresEndAsTheyShould(Misbehaviour misbehaviour) {
        survives(misbehaviour, Way.FUTURES);
    }

    @ParameterizedTest
    @EnumSource
    void blockedCallersEndAsTheyShould(Misbehaviour misbehaviour) {
        survives(misbehaviour, Way.THREADS);
    }

    private void survives(Misbehaviour misbehaviour, Way way) {
        if (misbehaviour.isSilent()) {
            settings.livenessTimeout(SHORT);
        }
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    greet(c);
                    misbehaviour.play(c, List.of(readRequest(c), readRequest(c), readRequest(c)));
                    if (!misbehaviour.isReplaced()) {
                        answer(c);
                    }
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        List<CompletableFuture<?>> asked = new ArrayList<>();
        // Commands are to be in flight in the order in which they were asked; the server waits for all three.
        asked.add(way.ask(connection, misbehaviour.command()));
        eventually("the first in flight", () -> connection.inFlight() == 1);
        letItBeQueued();
        asked.add(way.ask(connection, get("b")));
        eventually("the second in flight", () -> connection.inFlight() == 2);
        letItBeQueued();
        asked.add(way.ask(connection, get("c")));

        Class<? extends MemcachedException> failure = misbehaviour.failure();
        if (failure == null) {
            Object reply = result(asked.get(0));
            assertThat(reply instanceof FoundItems<?> found ? found.hits() : reply)
                    .isEqualTo(misbehaviour.reply());
        } else {
            assertThat(failure(failure, asked.get(0)))
                    .hasMessageContaining(misbehaviour.reason())
                    .satisfies(e -> assertThat(e.isSafeToRetry()).isFalse());
        }
        endsRightly("b", asked.get(1), misbehaviour);
        endsRightly("c", asked.get(2), misbehaviour);

        eventually("replaced", () -> server.connections() == (misbehaviour.isReplaced() ? 2 : 1));
        eventually("works again", () -> answers(connection, way));
        eventually("nothing in flight", () -> connection.inFlight() == 0);
        assertThat(server.connections()).isEqualTo(misbehaviour.isReplaced() ? 2 : 1);
    }

    /** A command is counted just before it is queued, and nothing shows the second. */
    private static void letItBeQueued() {
        LockSupport.parkNanos(5_000_000);
    }

    /** The opaque of the next request, read whole. */
    private static String readRequest(ScriptedConnection server) {
        String line = server.readLine();
        if (line.startsWith("ms ")) {
            server.readLine();
        }
        if (line.endsWith(".0.0") && !line.contains(" q ")) {
            server.readLine(); // The second of few gets.
        }
        if (line.contains(" q ")) {
            while (!server.readLine().equals("mn")) {
                // One of many gets.
            }
        }
        int opaque = line.lastIndexOf(" O");
        return opaque < 0 ? "" : line.substring(opaque + 2).split("\\.")[0];
    }

    /** What is behind the misbehaviour has its own value, or shares its fate. */
    private static void endsRightly(String key, CompletableFuture<?> asked, Misbehaviour misbehaviour) {
        Object outcome = outcome(asked);
        Class<? extends MemcachedException> allowed = misbehaviour.failureOfOthers();
        if (outcome instanceof Throwable failure) {
            assertThat(allowed).as("%s of %s", failure, key).isNotNull();
            assertThat(failure).isInstanceOf(allowed);
        } else if (outcome == null) {
            assertThat(misbehaviour).as("a miss of " + key).isEqualTo(Misbehaviour.EXTRA_MISS);
        } else {
            assertThat(outcome).isEqualTo("value of " + key);
        }
    }

    private static boolean answers(Connection connection, Way way) {
        Object outcome = outcome(way.ask(connection, get("again")));
        if (outcome instanceof MemcachedConnectionException e && e.isSafeToRetry()) {
            return false;
        }
        assertThat(outcome).isEqualTo("value of again");
        return true;
    }

    private static @Nullable Object outcome(CompletableFuture<?> asked) {
        return result(asked.handle((value, failure) -> failure == null ? (Object) value : failure));
    }
}
