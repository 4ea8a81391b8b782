// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void aMemcachedIsNoConfigurationEndpointAndTheFailureSaysSo(MemcachedServer memcached) {
        LeakCheck leaks = LeakCheck.start();
        ServerSource endpoint = ServerSource.configurationEndpoint(
                new ServerAddress(memcached.host(), memcached.port()),
                ConnectionOptions.builder().connectTimeout(LONG).build());

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> endpoint.servers(LONG))
                .withMessageContainingAll(
                        "it is not a configuration endpoint",
                        "it answered ERROR to config get cluster",
                        "has no item AmazonElastiCache:cluster",
                        "name the servers themselves");
        leaks.assertNothingLeft();
    }
}
