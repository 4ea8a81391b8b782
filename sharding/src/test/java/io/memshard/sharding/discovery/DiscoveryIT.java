// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static io.memshard.testkit.Eventually.eventually;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that the DNS moves to another address. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(120)
class DiscoveryIT {

    private static final String SERVICE = "_memcached._tcp.example";
    private static final Duration LONG = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void anotherAddressIsFoundSoonAfterAServerIsDown(int servers) {
        LeakCheck leaks = LeakCheck.start();
        List<MemcachedProcess> memcacheds = new ArrayList<>();
        try (ScriptedDns dns = ScriptedDns.start()) {
            String[] services = new String[servers];
            for (int i = 0; i < servers; i++) {
                memcacheds.add(MemcachedProcess.start("-l", "127.0.0.2"));
                dns.addresses("memcached-" + i + ".example", "127.0.0.2");
                services[i] = "0 0 " + memcacheds.get(i).port() + " memcached-" + i + ".example";
            }
            dns.services(SERVICE, services);
            Duration period = Duration.ofSeconds(20);
            DnsSource source = DnsSource.services(SERVICE).withNameServers(dns.address());
            try (Memshard memshard = Memshard.builder()
                    .discovery(new Discovery(
                            source, period, Discovery.DEFAULT_SETTLE_TIME, Discovery.DEFAULT_LOOK_TIMEOUT))
                    .requestTimeout(LONG)
                    .build()) {
                MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
                String key = IntStream.range(0, 1_000)
                        .mapToObj(i -> "key" + i)
                        .filter(each -> memshard.serverOf(each).address().port()
                                == memcacheds.get(0).port())
                        .findFirst()
                        .orElseThrow();
                cache.set(key, "v", Duration.ofDays(1));
                memcacheds.get(0).kill();
                dns.addresses("memcached-0.example", "127.0.0.3");
                // By the period, the next look would come after 20 seconds.
                eventually("it is known", Duration.ofSeconds(15), () -> {
                    try {
                        cache.get(key);
                    } catch (MemcachedException e) {
                        return memshard.servers().stream()
                                .anyMatch(server -> server.address().host().equals("127.0.0.3"));
                    }
                    return false;
                });
            }
        } finally {
            memcacheds.forEach(MemcachedProcess::close);
        }
        leaks.assertNothingLeft();
    }
}
