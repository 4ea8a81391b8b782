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

/**
 * Factory of the source of servers that properties describe.
 *
 * @param prefix prefix of the properties, such as {@code memcached.discovery}
 */
record Sources(String prefix, MemcachedProperties.Discovery properties) {

    private static final int MEMCACHED_PORT = 11211;

    /** Returns the source; null if the servers are fixed. */
    @Nullable
    ServerSource source(ConnectionOptions connection) {
        DiscoveryType type = Objects.requireNonNullElse(properties.type(), DiscoveryType.NONE);
        return Settings.reading(prefix, type, given -> switch (given) {
            case NONE -> null;
            case DNS_ADDRESSES -> dns(addresses(address(required("name", properties.name()), MEMCACHED_PORT)));
            case DNS_SERVICES -> dns(DnsSource.services(required("name", properties.name())));
            case CONFIGURATION_ENDPOINT ->
                endpoint(ServerAddress.parse(required("endpoint", properties.endpoint())), connection);
            case FILE -> file(required("file", properties.file()));
        });
    }

    Discovery discovery(ServerSource source) {
        return Settings.reading(
                prefix,
                source,
                given -> new Discovery(
                        given,
                        Objects.requireNonNullElse(properties.settleTime(), Discovery.DEFAULT_SETTLE_TIME),
                        Discovery.DEFAULT_LOOK_TIMEOUT));
    }

    private DnsSource dns(DnsSource source) {
        Duration period = properties.period();
        return period == null ? source : source.withPeriod(period, period);
    }

    private static DnsSource addresses(ServerAddress name) {
        return DnsSource.addresses(name.host(), name.port());
    }

    private static ServerAddress address(String text, int defaultPort) {
        boolean hasPort = text.matches(".*[^:]:\\d+|\\[.*]:\\d+");
        return ServerAddress.parse(hasPort ? text : text + ':' + defaultPort);
    }

    private ServerSource endpoint(ServerAddress address, ConnectionOptions connection) {
        Duration period = properties.period();
        return period == null
                ? ServerSource.configurationEndpoint(address, connection)
                : ServerSource.configurationEndpoint(address, connection, period);
    }

    private ServerSource file(Path path) {
        Duration period = properties.period();
        return period == null ? ServerSource.file(path) : ServerSource.file(path, period);
    }

    private <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw new MemcachedPropertyException(
                    prefix + '.' + name, "is not set, but type=" + properties.type() + " requires it", null);
        }
        return value;
    }
}
