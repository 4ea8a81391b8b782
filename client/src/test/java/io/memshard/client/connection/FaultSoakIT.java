// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.FaultSoak.Fault;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.fault.FaultProxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Load through whatever befalls a network: no value of another key, nothing that hangs, nothing that is
 * left, and connections that work in the end.
 *
 * <p>How long each soak takes is the system property {@code memshard.soak.seconds}.
 */
@MemcachedTest
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("deep")
class FaultSoakIT {

    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("memshard.soak.seconds", 3));
    private static final int THREADS = 200;
    private static final int CONNECTIONS = 2;
    private static final Duration RECOVERY = Duration.ofMinutes(1);

    /** Quick to find out what is dead, so that a short soak sees it often. */
    private static final ConnectionOptions OPTIONS = ConnectionOptions.builder()
            .connectTimeout(Duration.ofMillis(500)) // A soak in failures may have more of them.
            .livenessTimeout(Duration.ofSeconds(1)) // Likewise.
            .heartbeatInterval(Duration.ofMillis(200))
            .reconnectDelay(Duration.ofMillis(5), Duration.ofMillis(50))
            .build();

    /** Failure after a changed byte that is not in a value. */
    private static final String CHANGED = "MemcachedProtocolException";

    /** What losses end an operation with. */
    private static final Set<String> LOSSES = Set.of(
            "MemcachedConnectionException",
            "MemcachedTimeoutException",
            "MemcachedOverloadException",
            "MemcachedInterruptedException");

    private final MemcachedServer server;

    FaultSoakIT(MemcachedServer server) {
        this.server = server;
    }

    private static List<Fault> faultsOfANetwork(FaultProxy proxy) {
        return List.of(
                new Fault("cut", 1, random -> proxy.cutAll()),
                new Fault("reset", 1, random -> proxy.resetAll()),
                new Fault("slice", 1, random -> proxy.slice(random.nextInt(1, 200))),
                new Fault("slice no more", 2, random -> proxy.slice(64 * 1024)),
                new Fault("stall", 1, random -> {
                    proxy.stall(true);
                    goOnFor(random.nextInt(50));
                    proxy.stall(false);
                }),
                new Fault("delay", 1, random -> {
                    proxy.delay(Duration.ofMillis(random.nextInt(1, 5)));
                    goOnFor(random.nextInt(50));
                    proxy.delay(Duration.ZERO);
                }),
                new Fault("black hole", 1, random -> {
                    proxy.swallow(true);
                    goOnFor(random.nextInt(50));
                    proxy.swallow(false);
                }));
    }

    private static void goOnFor(long millis) throws InterruptedException {
        Thread.sleep(millis); // How long a fault lasts.
    }

    @Test
    void aFaultyNetworkYieldsNoWrongValueAndNoHang() throws Exception {
        try (FaultProxy proxy = new FaultProxy(server.address())) {
            FaultSoak.Report report = soak(proxy.address(), faultsOfANetwork(proxy), proxy::heal);

            assertThat(LOSSES).containsAll(report.errors().keySet());
            assertThat(report.corrupt()).isZero();
        }
    }

    /** A byte changed within a value is the value's affair; one changed anywhere else must not mix values up. */
    @Test
    void aNetworkThatChangesBytesYieldsNoValueOfAnotherKey() throws Exception {
        try (FaultProxy proxy = new FaultProxy(server.address())) {
            List<Fault> faults = new ArrayList<>(faultsOfANetwork(proxy));
            faults.add(new Fault("corrupt", 8, random -> {
                proxy.corrupt(random.nextInt(5, 50));
                goOnFor(random.nextInt(50));
                proxy.corrupt(0);
            }));
            FaultSoak.Report report = soak(proxy.address(), faults, proxy::heal);
            // On a busy machine one soak may read too few replies to meet a changed byte outside of a value.
            while (!report.errors().containsKey(CHANGED)) {
                report = soak(proxy.address(), faults, proxy::heal);
            }

            assertThat(report.errors().keySet()).allMatch(FaultSoakIT::isOurs);
        }
    }

    private static boolean isOurs(String error) {
        return Arrays.stream(MemcachedException.class.getPermittedSubclasses())
                .anyMatch(type -> type.getSimpleName().equals(error));
    }

    /** Over both transports: blocking threads use one, futures the other. */
    private static FaultSoak.Report soak(InetSocketAddress address, List<Fault> faults, Runnable heal)
            throws Exception {
        LeakCheck leaks = LeakCheck.start();
        FaultSoak.Report report;
        try (ConnectionGroup group = new ConnectionGroup(OPTIONS, 1)) {
            ServerAddress server = new ServerAddress(address.getHostString(), address.getPort());
            List<Connection> connections = IntStream.range(0, CONNECTIONS)
                    .mapToObj(index -> group.newConnection(server, index, Transport.AUTO))
                    .toList();
            report = new FaultSoak(connections, faults, DURATION).run(THREADS);
            System.out.println(report);
            heal.run();
            for (Connection connection : connections) {
                awaitWorks(connection);
            }
        }
        leaks.assertNothingLeft();
        assertThat(report.wrong()).isZero();
        assertThat(report.hanging()).isZero();
        return report;
    }

    private static void awaitWorks(Connection connection) {
        eventually("works", () -> {
            try {
                connection.call(ConnectionFixture.set("afterwards", "works"), RECOVERY.toNanos());
                assertThat(connection.call(ConnectionFixture.get("afterwards"), RECOVERY.toNanos()))
                        .isEqualTo("works");
                return true;
            } catch (MemcachedException e) {
                return false;
            }
        });
    }
}
