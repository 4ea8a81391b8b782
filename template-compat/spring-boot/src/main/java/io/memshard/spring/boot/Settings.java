// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.SettingsBuilder;
import io.memshard.client.concurrent.Backoff;
import io.memshard.client.ejection.EjectionOptions;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.TlsOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactoryBuilder;
import io.memshard.template.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.unit.DataSize;

/**
 * Settings of a builder from properties. A rejected value is reported with the name of its property.
 *
 * <p>Threading: confined to one thread.
 *
 * @param client prefix of the properties
 */
record Settings(String client, MemcachedProperties properties, SettingsBuilder<?> builder) {

    /** Message that begins with the name of a setting in camel case. The property has the same name, with dashes. */
    private static final Pattern SETTING = Pattern.compile("([a-z]+(?:[A-Z][a-z]+)+) (is .*)");

    /** Applies {@code reader} to a value. If the reader rejects the value, the exception names the property. */
    static <T, R> R reading(String property, T value, Function<? super T, R> reader) {
        try {
            return reader.apply(value);
        } catch (MemcachedPropertyException e) {
            throw e;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new MemcachedPropertyException(property, String.valueOf(e.getMessage()), e);
        }
    }

    /** Passes the value of a property to its setter. If the value is missing, the setting keeps its default. */
    private <T> void set(String property, @Nullable T value, Consumer<? super T> setter) {
        if (value != null) {
            reading(client + '.' + property, value, given -> {
                setter.accept(given);
                return given;
            });
        }
    }

    /** Applies the settings that clients and connection factories share. */
    void apply(MemcachedConnectionDetails details) {
        set("servers", details.getServers(), servers -> builder.servers(String.join(",", servers)));
        set("ring", properties.ring(), name -> builder.ring(Ring.named(name)));
        set("transport", properties.transport(), builder::transport);
        set("protocol", properties.protocol(), builder::protocol);
        if (Boolean.TRUE.equals(properties.connectEagerly())) {
            builder.connectEagerly();
        }
        set("request-timeout", properties.requestTimeout(), builder::requestTimeout);
        set("connect-timeout", properties.connectTimeout(), builder::connectTimeout);
        set("liveness-timeout", properties.livenessTimeout(), builder::livenessTimeout);
        set("heartbeat-interval", properties.heartbeatInterval(), builder::heartbeatInterval);
        MemcachedProperties.ReconnectDelay reconnect = properties.reconnectDelay();
        Backoff reconnectDefaults = new Backoff(
                ConnectionOptions.DEFAULTS.firstReconnectDelay(), ConnectionOptions.DEFAULTS.longestReconnectDelay());
        setPair("reconnect-delay", reconnect.first(), reconnect.longest(), reconnectDefaults, builder::reconnectDelay);
        set("failure-policy", properties.failurePolicy(), builder::failurePolicy);
        set("max-in-flight", properties.maxInFlight(), builder::maxInFlight);
        set("max-bytes-in-flight", properties.maxBytesInFlight(), size -> builder.maxBytesInFlight(size.toBytes()));
        set("max-value-bytes", properties.maxValueBytes(), size -> builder.maxValueBytes(bytes(size)));
        set("io-threads", properties.ioThreads(), builder::ioThreads);
        setKeepAlive(properties.keepAlive());
        set("tcp-user-timeout", properties.tcpUserTimeout(), builder::tcpUserTimeout);
        set("key-prefix", properties.keyPrefix(), builder::keyPrefix);
        set("hash-keys", properties.hashKeys(), builder::hashKeys);
        set("hide-keys", properties.hideKeys(), builder::hideKeys);
        setServersThatFail();
        set("username", details.getCredentials(), this::setCredentials);
        boolean isOfProperties = details instanceof PropertiesMemcachedConnectionDetails;
        set("ssl", tls(details.getSslBundle(), isOfProperties), builder::tls);
    }

    /**
     * Applies the settings of a client's connections. Does nothing in mode pooled or with engine spymemcached, whose
     * connection factory has its own connections.
     */
    void applyConnections() {
        Integer connections = properties.connectionsPerServer();
        if (properties.engine() == Engine.SPYMEMCACHED || properties.mode() == Mode.POOLED) {
            return;
        }
        if (properties.mode() == Mode.SINGLE) {
            if (connections != null && connections != 1) {
                throw new MemcachedPropertyException(
                        client + ".connections-per-server",
                        "is " + connections + " in mode single, which has 1 connection: set mode=sharded or remove it",
                        null);
            }
            connections = 1;
        }
        set("connections-per-server", connections, builder::connectionsPerServer);
        set("chooser", properties.chooser(), chooser -> builder.chooser(chooser.newChooser()));
        if (properties.connectEagerly() == null) {
            builder.connectEagerly();
        }
    }

    /** Applies the settings of a connection factory in mode pooled or with engine spymemcached. */
    void applyEngine(MemcachedConnectionFactoryBuilder factory) {
        set("engine", properties.engine(), factory::engine);
        set("mode", properties.mode(), factory::mode);
        set("connections-per-server", properties.connectionsPerServer(), factory::connectionsPerServer);
        set("chooser", properties.chooser(), chooser -> factory.chooser(chooser.newChooser()));
        set("pool-wait-limit", properties.poolWaitLimit(), factory::poolWaitLimit);
        set("binary-protocol", properties.binaryProtocol(), factory::binaryProtocol);
    }

    private void setCredentials(Credentials credentials) {
        builder.credentials(() -> credentials);
    }

    private void setServersThatFail() {
        set("eject-after", properties.ejectAfter(), builder::ejectAfter);
        MemcachedProperties.ProbeDelay probe = properties.probeDelay();
        Backoff probeDefaults = EjectionOptions.DEFAULTS.probeDelay();
        setPair("probe-delay", probe.first(), probe.longest(), probeDefaults, builder::probeDelay);
        set("take-back-after", properties.takeBackAfter(), builder::takeBackAfter);
        set("gutter", properties.gutter(), standby -> builder.gutter(String.join(",", standby)));
        set("failover-ttl", properties.failoverTtl(), builder::failoverTtl);
        set("server-down", properties.serverDown(), builder::serverDown);
    }

    private void setPair(
            String property,
            @Nullable Duration first,
            @Nullable Duration longest,
            Backoff defaults,
            BiConsumer<Duration, Duration> setter) {
        if (first != null || longest != null) {
            set(
                    property,
                    property,
                    any -> setter.accept(
                            Objects.requireNonNullElse(first, defaults.base()),
                            Objects.requireNonNullElse(longest, defaults.limit())));
        }
    }

    private void setKeepAlive(MemcachedProperties.KeepAlive keepAlive) {
        Duration idle = keepAlive.idle();
        Duration interval = keepAlive.interval();
        Integer probes = keepAlive.probes();
        if (idle == null && interval == null && probes == null) {
            return;
        }
        if (idle == null || interval == null || probes == null) {
            throw new MemcachedPropertyException(
                    client + ".keep-alive", "is set in part: set idle, interval and probes, or none of them", null);
        }
        set("keep-alive", probes, number -> builder.keepAlive(idle, interval, number));
    }

    private @Nullable TlsOptions tls(@Nullable SslBundle bundle, boolean isOfProperties) {
        MemcachedProperties.Ssl ssl = properties.ssl();
        if (bundle == null && !(isOfProperties && ssl.isRequested())) {
            return null;
        }
        return reading(client + ".ssl", ssl, given -> tlsOptions(given, bundle));
    }

    private static TlsOptions tlsOptions(MemcachedProperties.Ssl ssl, @Nullable SslBundle bundle) {
        TlsOptions tls = bundle == null
                ? ssl.trustedCertificates() == null
                        ? TlsOptions.trustingSystem()
                        : TlsOptions.trusting(ssl.trustedCertificates())
                : TlsOptions.of(bundle.createSslContext());
        if (bundle != null && ssl.trustedCertificates() != null) {
            throw new IllegalArgumentException("a bundle and trusted-certificates are set: remove one of them");
        }
        List<String> protocols = Objects.requireNonNullElseGet(ssl.protocols(), () -> protocolsOf(bundle));
        tls = protocols.isEmpty() ? tls : tls.withProtocols(protocols.toArray(String[]::new));
        if (ssl.clientCertificate() != null || ssl.clientKey() != null) {
            if (ssl.clientCertificate() == null || ssl.clientKey() == null) {
                throw new IllegalArgumentException(
                        "client-certificate and client-key go together: set both or neither");
            }
            tls = tls.withClientCertificate(ssl.clientCertificate(), ssl.clientKey());
        }
        tls = ssl.serverName() == null ? tls : tls.withServerName(ssl.serverName());
        return ssl.verifyHostname() ? tls : tls.dangerouslyAcceptingAnyHostname();
    }

    private static List<String> protocolsOf(@Nullable SslBundle bundle) {
        String[] enabled = bundle == null ? null : bundle.getOptions().getEnabledProtocols();
        return enabled == null ? List.of() : List.of(enabled);
    }

    private static int bytes(DataSize size) {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, size.toBytes()));
    }

    /**
     * Calls {@code build}. If it rejects the settings, the exception names the property at fault. If the message names
     * no setting, the exception names the prefix of the properties instead.
     */
    <T> T building(Supplier<T> build) {
        try {
            return reading(client, client, any -> build.get());
        } catch (MemcachedPropertyException e) {
            Matcher setting = SETTING.matcher(e.reason());
            if (!setting.matches()) {
                throw e;
            }
            String property = client + '.' + DataObjectPropertyName.toDashedForm(setting.group(1));
            throw new MemcachedPropertyException(property, setting.group(2), e.getCause());
        }
    }
}
