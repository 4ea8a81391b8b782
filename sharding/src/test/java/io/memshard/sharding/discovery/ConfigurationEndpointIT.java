// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@MemcachedTest
@Timeout(60)
class ConfigurationEndpointIT {

    @Test
    void aMemcachedIsNoConfigurationEndpointAndTheFailureSaysSo(MemcachedServer memcached) {
        LeakCheck leaks = LeakCheck.start();
        ServerSource endpoint = ServerSource.configurationEndpoint(
                new ServerAddress(memcached.host(), memcached.port()), ConnectionOptions.DEFAULTS);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> endpoint.servers(Duration.ofSeconds(10)))
                .withMessageContainingAll(
                        "it is not a configuration endpoint",
                        "it answered ERROR to config get cluster",
                        "has no item AmazonElastiCache:cluster",
                        "name the servers themselves");
        try (Discovery discovery = new Discovery(endpoint)) {
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> discovery.awaitServers(Duration.ofSeconds(3)))
                    .withMessageContaining("it is not a configuration endpoint");
            assertThat(discovery.status().failures()).isPositive();
        }
        leaks.assertNothingLeft();
    }
}
