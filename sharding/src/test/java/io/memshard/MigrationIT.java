// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.MemcachedClient;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.ring.Ring;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.spy.memcached.KetamaConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A move from the ring of another client, which has filled the source fleet, to ours, without a cold cache. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(300)
class MigrationIT {

    private static final int ITEMS = 100;
    private static final int HOUR_SECONDS = 3600;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final LeakCheck leaks = LeakCheck.start();
    private final List<MemcachedProcess> servers =
            IntStream.range(0, 5).mapToObj(i -> MemcachedProcess.start()).toList();
    private MemshardMigration move;

    @AfterEach
    void close() {
        if (move != null) {
            move.close();
        }
        servers.forEach(MemcachedProcess::close);
        leaks.assertNothingLeft();
    }

    private String list(int from, int to) {
        return servers.subList(from, to).stream()
                .map(server -> "127.0.0.1:" + server.port())
                .collect(Collectors.joining(","));
    }

    private Memshard open(String list, Ring ring) {
        return Fleet.patient().servers(list).ring(ring).build();
    }

    private static List<String> keys() {
        return IntStream.range(0, ITEMS).mapToObj(i -> "key" + i).toList();
    }

    @Test
    void fleetThatSpymemcachedHasFilledMovesToOurs() throws Exception {
        net.spy.memcached.MemcachedClient spymemcached = new net.spy.memcached.MemcachedClient(
                new KetamaConnectionFactory() {
                    @Override
                    public long getOperationTimeout() {
                        return LONG.toMillis();
                    }
                },
                servers.subList(0, 3).stream()
                        .map(server -> new InetSocketAddress("127.0.0.1", server.port()))
                        .toList());
        try {
            // Until a server is connected, spymemcached writes its keys to another one.
            eventually("connected", () -> spymemcached.getAvailableServers().size() == 3);
            for (String key : keys()) {
                assertThat(spymemcached.set(key, HOUR_SECONDS, "of " + key).get())
                        .isTrue();
            }
        } finally {
            spymemcached.shutdown();
        }
        move = MemshardMigration.of(
                open(list(0, 3), Ring.spymemcachedKetama()),
                open(list(3, 5), Ring.libmemcachedWeighted()),
                MigrationOptions.DEFAULT.withMaxCopies(1_000));
        MemcachedClient<String> client = move.client(Transcoder.utf8());

        MultiGetResult<String> first = client.multiGet(keys());
        assertThat(first.hitsOrThrow()).hasSize(ITEMS).containsEntry("key7", "of key7");
        assertThat(move.stats().misses()).isZero();
        assertThat(move.stats().sourceHits()).isPositive();
        eventually("all are copied", () -> move.stats().copied() == move.stats().sourceHits());

        assertThat(move.stats().failed()).isZero();
        move.moveTo(MigrationStage.ENDED);
        assertThat(client.multiGet(keys()).hitsOrThrow()).hasSize(ITEMS);
        for (String key : keys()) {
            Duration ttl = Objects.requireNonNull(
                            client.meta().get(GetRequest.of(key).returning(ItemField.TTL)))
                    .ttl()
                    .orElseThrow();
            assertThat(ttl).isBetween(Duration.ofMinutes(58), Duration.ofHours(1));
        }
    }

    @Test
    void fleetsWithDifferentKeysAreRefused() {
        try (Memshard source =
                        Fleet.patient().servers(list(0, 1)).keyPrefix("a:").build();
                Memshard target = Fleet.patient().servers(list(1, 2)).build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MemshardMigration.of(source, target, MigrationOptions.DEFAULT))
                    .withMessageContaining("the source fleet has keyPrefix=a:");
        }
    }
}
