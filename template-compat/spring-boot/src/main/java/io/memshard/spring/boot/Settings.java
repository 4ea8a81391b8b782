// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.MemshardBuilder;
import io.memshard.SettingsBuilder;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.discovery.DnsSource;
import io.memshard.sharding.discovery.ServerSource;
import io.memshard.sharding.ring.Ring;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactoryBuilder;
import io.memshard.template.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** Settings of one client. A {@code container} replaces the properties for servers, discovery, credentials and TLS. */
record Settings(
        String client,
        MemcachedProperties properties,
        @Nullable MemcachedConnectionDetails container,
        @Nullable SslBundles bundles) {

    private static final List<String> LOCAL = List.of("localhost:11211");
    private static final String TEST = "org.springframework.boot.test.context.SpringBootTest";

    static <R extends @Nullable Object> R reading(String property, Supplier<R> reader) {
        try {
            return reader.get();
        } catch (MemcachedPropertyException e) {
            throw e;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new MemcachedPropertyException(property, String.valueOf(e.getMessage()), e);
        }
    }

    MemcachedPropertyException refused(String property, String reason) {
        return new MemcachedPropertyException(client + '.' + property, reason, null);
    }

    <T> void set(String property, Supplier<? extends @Nullable T> value, Consumer<? super T> setter) {
        reading(client + '.' + property, () -> {
            T given = value.get();
            if (given != null) {
                setter.accept(given);
            }
            return given;
        });
    }

    void apply(SettingsBuilder<?> builder) {
        set("servers", this::servers, servers -> builder.servers(String.join(",", servers)));
        set("ring", properties::ring, name -> builder.ring(Ring.named(name)));
        set("protocol", properties::protocol, builder::protocol);
        set("request-timeout", properties::requestTimeout, builder::requestTimeout);
        set("connect-timeout", properties::connectTimeout, builder::connectTimeout);
        set("failure-policy", properties::failurePolicy, builder::failurePolicy);
        set("max-value-bytes", properties::maxValueBytes, size -> builder.maxValueBytes(bytes(size)));
        set("key-prefix", properties::keyPrefix, builder::keyPrefix);
        set("hash-keys", properties::hashKeys, builder::hashKeys);
        set("hide-keys", properties::hideKeys, builder::hideKeys);
        set("eject-after", properties::ejectAfter, builder::ejectAfter);
        set("gutter", properties::gutter, spares -> builder.gutter(String.join(",", spares)));
        set("server-down", properties::serverDown, builder::serverDown);
        set("username", this::credentials, credentials -> builder.credentials(() -> credentials));
        set("ssl", this::tls, builder::tls);
    }

    void applyConnections(MemshardBuilder builder) {
        Integer connections = properties.connectionsPerServer();
        if (hasOwnConnections()) {
            return;
        }
        if (properties.mode() == Mode.SINGLE) {
            if (connections != null && connections != 1) {
                throw refused(
                        "connections-per-server",
                        "is " + connections
                                + " in mode single, which has 1 connection: set mode=sharded or remove this property");
            }
            builder.connectionsPerServer(1);
        } else {
            set("connections-per-server", properties::connectionsPerServer, builder::connectionsPerServer);
        }
        builder.connectEagerly();
    }

    void applyEngine(MemcachedConnectionFactoryBuilder factory) {
        set("engine", properties::engine, factory::engine);
        set("mode", properties::mode, factory::mode);
        set("connections-per-server", properties::connectionsPerServer, factory::connectionsPerServer);
        set("pool-wait-limit", properties::poolWaitLimit, factory::poolWaitLimit);
    }

    boolean hasOwnConnections() {
        return properties.engine() == Engine.SPYMEMCACHED || properties.mode() == Mode.POOLED;
    }

    private List<String> servers() {
        return container != null ? container.getServers() : Objects.requireNonNullElse(properties.servers(), LOCAL);
    }

    void needServers() {
        if (container == null && properties.servers() == null && !ClassUtils.isPresent(TEST, null)) {
            throw refused(
                    "servers",
                    "is not set: name the servers, as in cache-1:11211, cache-2:11211, or set " + client
                            + ".discovery.type");
        }
    }

    private @Nullable Credentials credentials() {
        if (container != null) {
            return null;
        }
        String user = properties.username();
        String password = properties.password();
        if (user != null && password != null) {
            return new Credentials(user, password);
        }
        if (user == null && password == null) {
            return null;
        }
        throw refused(user == null ? "username" : "password", "is not set: set both username and password, or neither");
    }

    private @Nullable TlsOptions tls() {
        String bundle = properties.ssl().bundle();
        boolean isRequested = Objects.requireNonNullElse(properties.ssl().enabled(), bundle != null);
        if (!isRequested || container != null) {
            return null;
        }
        if (bundle == null) {
            return TlsOptions.trustingSystem();
        }
        if (bundles == null) {
            throw refused("ssl.bundle", "is \"" + bundle + "\", but spring.ssl.bundle defines no bundle");
        }
        SslBundle found = bundles.getBundle(bundle);
        String[] protocols = found.getOptions().getEnabledProtocols();
        TlsOptions tls = TlsOptions.of(found.createSslContext());
        return protocols == null || protocols.length == 0 ? tls : tls.withProtocols(protocols);
    }

    @Nullable
    ServerSource source(ConnectionOptions options) {
        MemcachedProperties.Discovery discovery = properties.discovery();
        return Settings.<@Nullable ServerSource>reading(client + ".discovery", () -> switch (discovery.type()) {
            case NONE -> null;
            case DNS_ADDRESSES -> {
                ServerAddress name = ServerAddress.parse(required("name", discovery.name()));
                yield DnsSource.addresses(name.host(), name.port());
            }
            case DNS_SERVICES -> DnsSource.services(required("name", discovery.name()));
            case CONFIGURATION_ENDPOINT ->
                ServerSource.configurationEndpoint(
                        ServerAddress.parse(required("endpoint", discovery.endpoint())),
                        options.tls,
                        options.credentials);
            case FILE -> ServerSource.file(required("file", discovery.file()));
        });
    }

    private <T> T required(String property, @Nullable T value) {
        if (value == null) {
            throw refused(
                    "discovery." + property,
                    "is not set, but type=" + properties.discovery().type() + " requires this property");
        }
        return value;
    }

    /** Waits for the first list of servers, possibly longer than the builder would wait. */
    Discovery discovery(ServerSource source) {
        MemcachedProperties.Discovery given = properties.discovery();
        Duration settleTime = Objects.requireNonNullElse(given.settleTime(), Discovery.DEFAULT_SETTLE_TIME);
        Discovery discovery = reading(client + ".discovery", () -> {
            Duration period = given.period() == null ? source.period() : given.period();
            return new Discovery(source, period, settleTime, Discovery.DEFAULT_LOOK_TIMEOUT);
        });
        try {
            discovery.awaitServers(given.await());
            return discovery;
        } catch (Throwable e) {
            discovery.close();
            throw e;
        }
    }

    static int bytes(DataSize size) {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, size.toBytes()));
    }
}
