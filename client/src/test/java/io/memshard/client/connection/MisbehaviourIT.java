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
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever a server does, each command ends with its own reply or the failure that fits, and the connection works
 * afterwards, the same one or another.
 */
@EachTransport
@Timeout(120)
class MisbehaviourIT extends ConnectionFixture {

    private final Transport transport;
    private ConnectionGroup patient;
    private ConnectionGroup impatient;

    MisbehaviourIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

    /** One group for all rows, because opening and closing one takes longer than a row. */
    @BeforeEach
    void openGroups() {
        patient = closedAfterwards(new ConnectionGroup(options(), 1));
        impatient = closedAfterwards(
                new ConnectionGroup(settings.livenessTimeout(BRIEF).build(), 1));
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

    @Test
    void commandsEndAsTheyShould() {
        allEndAsTheyShould(transport == Transport.EVENT_LOOP ? Way.FUTURES : Way.THREADS);
    }

    @Tag("deep")
    @Test
    void commandsThatAreWaitedForInTheOtherWayEndAsTheyShould() {
        allEndAsTheyShould(transport == Transport.EVENT_LOOP ? Way.THREADS : Way.FUTURES);
    }

    private void allEndAsTheyShould(Way way) {
        for (Misbehaviour misbehaviour : Misbehaviour.values()) {
            try (ScriptedServer server = startScriptedServer().expectTimeout(LONG)) {
                survives(misbehaviour, way, server);
            } catch (Throwable e) {
                throw new AssertionError(misbehaviour.toString(), e);
            }
        }
    }

    private void survives(Misbehaviour misbehaviour, Way way, ScriptedServer server) {
        List<String> opaques = new CopyOnWriteArrayList<>();
        server.onConnection(c -> {
                    greet(c);
                    while (opaques.size() < 3) {
                        String opaque = readRequest(c);
                        if (opaque == null) {
                            return; // A timeout that ended the link on a busy machine.
                        }
                        opaques.add(opaque);
                    }
                    misbehaviour.play(c, opaques);
                    if (!misbehaviour.isReplaced()) {
                        answer(c);
                    }
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection =
                (misbehaviour.isSilent() ? impatient : patient).newConnection(address(server), 0, transport);
        List<CompletableFuture<?>> asked = new ArrayList<>();
        // Commands are to be in flight in the order in which they were asked; the server waits for all three.
        asked.add(way.ask(connection, misbehaviour.command()));
        eventually("the first sent", () -> opaques.size() == 1 || asked.get(0).isDone());
        asked.add(way.ask(connection, get("b")));
        eventually("the second sent", () -> opaques.size() == 2 || asked.get(0).isDone());
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

        if (misbehaviour.isSilent()) {
            eventually("replaced", () -> server.connections() >= 2);
            worksInTheEnd(connection);
        } else {
            eventually("replaced", () -> server.connections() == (misbehaviour.isReplaced() ? 2 : 1));
            eventually("works again", () -> answers(connection, way));
            eventually("nothing in flight", () -> connection.inFlight() == 0);
            assertThat(server.connections()).isEqualTo(misbehaviour.isReplaced() ? 2 : 1);
        }
        connection.close();
    }

    /** The opaque of the next request, read whole; null where the client has closed. */
    private static @Nullable String readRequest(ScriptedConnection server) {
        String line;
        try {
            line = server.readLine();
        } catch (AssertionError e) {
            return null;
        }
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
