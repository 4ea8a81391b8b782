// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.TlsOptions;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several instances of an application over memcacheds whose connections are cut, and the threads that use them
 * meanwhile. The system property {@code memshard.soak.seconds} says for how long at least.
 */
abstract class InstancesUnderFaults {

    static final Duration LONG = Duration.ofSeconds(60);
    static final Duration TTL = Duration.ofHours(3);
    static final Duration SOAK = Duration.ofSeconds(Integer.getInteger("memshard.soak.seconds", 0));

    private static final Logger LOG = LoggerFactory.getLogger(InstancesUnderFaults.class);

    final List<MemcachedProcess> servers = new ArrayList<>();
    final List<FaultProxy> proxies = new ArrayList<>();
    final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    final LongAdder acknowledged = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder checked = new LongAdder();
    volatile boolean isOver;

    @TempDir
    private Path directory;

    private final LeakCheck leaks = LeakCheck.start();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private final LongAdder turns = new LongAdder();
    private @Nullable TlsOptions tls;

    void startServers(int count, boolean withTls) {
        CertificateAuthority authority = CertificateAuthority.create(directory, "authority");
        CertificateAuthority.Issued own = authority.issue("127.0.0.1");
        for (int i = 0; i < count; i++) {
            servers.add(withTls ? MemcachedProcess.startTls(own.certificates(), own.key()) : MemcachedProcess.start());
        }
        tls = withTls ? TlsOptions.trusting(authority.certificate()) : null;
    }

    /** The address of a new proxy of a server. */
    String proxied(MemcachedProcess server) throws IOException {
        FaultProxy proxy = new FaultProxy(server.address());
        proxies.add(proxy);
        return "127.0.0.1:" + proxy.address().getPort();
    }

    /** Settings with which calls may fail, and then count as not acknowledged. */
    MemshardBuilder builder(String list) {
        MemshardBuilder builder = Memshard.builder()
                .servers(list)
                .connectionsPerServer(1)
                .connectTimeout(LONG)
                .requestTimeout(Duration.ofSeconds(1)); // Calls may fail.
        return tls == null ? builder : builder.tls(tls);
    }

    <C extends AutoCloseable> C opened(C client) {
        opened.add(client);
        return client;
    }

    void start(Runnable task) {
        running.add(threads.submit(task));
    }

    void start(RandomFaults faults) {
        running.add(threads.submit(() -> faults.causeUntil(() -> {
            turns.increment();
            return isOver;
        })));
    }

    /** Ends all threads, once there were enough faults. */
    void end(int leastFaults) throws Exception {
        eventually("faults", () -> turns.sum() > leastFaults);
        isOver = true;
        for (Future<?> each : running) {
            each.get(100, TimeUnit.SECONDS);
        }
    }

    void assertNothingWrong() {
        LOG.info(
                "{} writes acknowledged, {} failed, {} reads checked, {} faults", acknowledged, failed, checked, turns);
        assertThat(wrong).isEmpty();
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        for (AutoCloseable client : opened) {
            client.close();
        }
        proxies.forEach(FaultProxy::close);
        servers.forEach(MemcachedProcess::close);
        leaks.assertNothingLeft();
    }
}
