// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.discovery.DnsSource;
import io.memshard.sharding.discovery.ServerSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

record Sources(String prefix, MemcachedProperties.Discovery properties) {

    @Nullable
    ServerSource source(ConnectionOptions connection) {
        DiscoveryType type = Objects.requireNonNullElse(properties.type(), DiscoveryType.NONE);
        Duration period = properties.period();
        return Settings.<@Nullable ServerSource>reading(prefix, () -> switch (type) {
            case NONE -> null;
            case DNS_ADDRESSES -> {
                ServerAddress name = ServerAddress.parse(required("name", properties.name()));
                yield dns(DnsSource.addresses(name.host(), name.port()));
            }
            case DNS_SERVICES -> dns(DnsSource.services(required("name", properties.name())));
            case CONFIGURATION_ENDPOINT -> {
                ServerAddress endpoint = ServerAddress.parse(required("endpoint", properties.endpoint()));
                yield period == null
                        ? ServerSource.configurationEndpoint(endpoint, connection)
                        : ServerSource.configurationEndpoint(endpoint, connection, period);
            }
            case FILE -> {
                Path file = required("file", properties.file());
                yield period == null ? ServerSource.file(file) : ServerSource.file(file, period);
            }
        });
    }

    /** Waits for the first list of servers, possibly longer than the builder would wait. */
    Discovery discovery(ServerSource source) {
        Duration settleTime = Objects.requireNonNullElse(properties.settleTime(), Discovery.DEFAULT_SETTLE_TIME);
        Discovery discovery =
                Settings.reading(prefix, () -> new Discovery(source, settleTime, Discovery.DEFAULT_LOOK_TIMEOUT));
        try {
            discovery.awaitServers(properties.await());
            return discovery;
        } catch (Throwable e) {
            discovery.close();
            throw e;
        }
    }

    private DnsSource dns(DnsSource source) {
        Duration period = properties.period();
        return period == null ? source : source.withPeriod(period);
    }

    private <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw new MemcachedPropertyException(
                    prefix + '.' + name, "is not set, but type=" + properties.type() + " requires this property", null);
        }
        return value;
    }
}
