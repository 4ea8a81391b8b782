// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.sharding.cluster.Topology;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.discovery.ServerSource;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Other servers in the place of some: who is told, what is left, and what is refused. */
@Timeout(300)
class ReplaceIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration HOUR = Duration.ofHours(1);

    private final LeakCheck leaks = LeakCheck.start();
    private final Fleet fleet = Fleet.of(4);
    private final List<Server> all = fleet.servers();

    private Memshard memshard = builder().build();

    private MemshardBuilder builder() {
        return Fleet.patient().servers(all);
    }

    private void rebuild(MemshardBuilder builder) {
        memshard.close();
        memshard = builder.build();
    }

    @AfterEach
    void close() {
        memshard.close();
        fleet.close();
        leaks.assertNothingLeft();
    }

    @Test
    void aListenerLearnsHowManyServersADiscoveryHas() {
        List<String> told = new CopyOnWriteArrayList<>();
        ServerSource source = timeout -> all.subList(0, 2);
        rebuild(Fleet.patient().discovery(new Discovery(source)).listener(new ConnectionListener() {
            @Override
            public void discovered(String from, int servers) {
                told.add(from + ": " + servers);
            }
        }));
        assertThat(told).contains(ReplaceIT.class.getName() + ": 2");

        memshard.close();
        assertThat(told).endsWith(ReplaceIT.class.getName() + ": 0");
    }

    @Test
    void changesOfManyThreadsAreMadeOneAtATime() throws Exception {
        Queue<Topology> made = new ConcurrentLinkedQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        CyclicBarrier start = new CyclicBarrier(8);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            List<Server> servers = all.subList(i % 4, i % 4 + 1);
            ends.add(threads.submit(() -> {
                start.await();
                for (int change = 0; change < 50; change++) {
                    made.add(memshard.cluster().replace(servers));
                    memshard.client().set("key", new byte[1], HOUR);
                }
                return null;
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        threads.shutdown();
        assertThat(new HashSet<>(made)).extracting(Topology::version).doesNotHaveDuplicates();
        assertThat(made).contains(memshard.cluster().topology());
    }

    @Test
    void illegalServersChangeNothing() {
        Topology before = memshard.cluster().topology();
        assertThatIllegalArgumentException().isThrownBy(() -> memshard.replace(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> memshard.replace(Server.parseAll("a:1, b:2@eu-1")))
                .withMessage("servers: b:2@eu-1 has a zone, but the client has no zones: remove @eu-1, or create the"
                        + " client with buildZones");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> memshard.replace(List.of(all.get(0), all.get(0).withName("other"))))
                .withMessageContaining("same address");
        assertThat(memshard.cluster().replace(all)).isSameAs(before);
        assertThat(memshard.cluster().topology()).isSameAs(before);
        memshard.client().set("key", new byte[1], HOUR);
    }

    @Test
    void aClosedClientHasNoNewServers() {
        memshard.replace(all.subList(0, 2));
        memshard.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> memshard.replace(all))
                .withMessageContaining("closed");
    }

    @Test
    void eagerClientsOpenTheConnectionsToNewServers() {
        rebuild(builder().servers(all.subList(0, 1)).connectEagerly());
        memshard.awaitReady(LONG);
        memshard.replace(all.subList(0, 2));
        eventually("open", () -> memshard.connectionStates().stream().allMatch(ConnectionState.READY::equals));
        memshard.replace(all.subList(1, 3));
        memshard.awaitReady(LONG);
    }

    @Test
    void aCommandWithoutAKeyGoesToAServerThatIsUp() throws Exception {
        for (String name : fleet.names().subList(0, 3)) {
            fleet.kill(name);
        }
        MemcachedClient<byte[]> client = memshard.client();
        // Each of these may find one server that is down.
        for (int i = 0; i < 3; i++) {
            try {
                client.version();
                memshard.asyncClient().version().get();
            } catch (MemcachedException | java.util.concurrent.ExecutionException e) {
                // Known from now on.
            }
        }
        eventually("the servers are known to be down", () -> answers(client));
        for (int i = 0; i < 10; i++) {
            assertThat(client.version()).isNotEmpty();
        }
    }

    private static boolean answers(MemcachedClient<byte[]> client) {
        try {
            return !client.version().isEmpty();
        } catch (MemcachedException e) {
            return false;
        }
    }
}
