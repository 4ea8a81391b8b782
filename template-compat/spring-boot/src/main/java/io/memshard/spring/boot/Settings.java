// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.MemshardBuilder;
import io.memshard.SettingsBuilder;
import io.memshard.client.options.TlsOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactoryBuilder;
import io.memshard.template.Mode;
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
 * Settings of one client, from its properties. A rejected value is reported with the name of its property.
 *
 * @param client prefix of the properties
 */
record Settings(String client, MemcachedProperties properties, MemcachedConnectionDetails details) {

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

    MemcachedPropertyException refused(String property, String reason) {
        return new MemcachedPropertyException(client + '.' + property, reason, null);
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
    void apply(SettingsBuilder<?> builder) {
        set("servers", details.getServers(), servers -> builder.servers(String.join(",", servers)));
        set("ring", properties.ring(), name -> builder.ring(Ring.named(name)));
        set("protocol", properties.protocol(), builder::protocol);
        set("request-timeout", properties.requestTimeout(), builder::requestTimeout);
        set("connect-timeout", properties.connectTimeout(), builder::connectTimeout);
        set("failure-policy", properties.failurePolicy(), builder::failurePolicy);
        set("max-value-bytes", properties.maxValueBytes(), size -> builder.maxValueBytes(bytes(size)));
        set("key-prefix", properties.keyPrefix(), builder::keyPrefix);
        set("hash-keys", properties.hashKeys(), builder::hashKeys);
        set("hide-keys", properties.hideKeys(), builder::hideKeys);
        set("eject-after", properties.ejectAfter(), builder::ejectAfter);
        set("gutter", properties.gutter(), standby -> builder.gutter(String.join(",", standby)));
        set("server-down", properties.serverDown(), builder::serverDown);
        set("username", details.getCredentials(), credentials -> builder.credentials(() -> credentials));
        set("ssl", tls(details.getSslBundle()), builder::tls);
    }

    /**
     * Applies the settings of a client's connections. Does nothing in mode pooled or with engine spymemcached, whose
     * connection factory has its own connections.
     */
    void applyConnections(MemshardBuilder builder) {
        Integer connections = properties.connectionsPerServer();
        if (hasOwnConnections()) {
            return;
        }
        if (properties.mode() == Mode.SINGLE) {
            if (connections != null && connections != 1) {
                throw refused(
                        "connections-per-server",
                        "is " + connections + " in mode single, which has 1 connection: set mode=sharded or remove it");
            }
            connections = 1;
        }
        set("connections-per-server", connections, builder::connectionsPerServer);
        builder.connectEagerly();
    }

    /** Applies the settings of a connection factory in mode pooled or with engine spymemcached. */
    void applyEngine(MemcachedConnectionFactoryBuilder factory) {
        set("engine", properties.engine(), factory::engine);
        set("mode", properties.mode(), factory::mode);
        set("connections-per-server", properties.connectionsPerServer(), factory::connectionsPerServer);
        set("pool-wait-limit", properties.poolWaitLimit(), factory::poolWaitLimit);
    }

    /** Returns whether the connection factory has its own connections instead of those of the client. */
    boolean hasOwnConnections() {
        return properties.engine() == Engine.SPYMEMCACHED || properties.mode() == Mode.POOLED;
    }

    /** Returns whether servers, credentials and TLS are those of the properties, not those of a container. */
    boolean areOfProperties() {
        return details instanceof PropertiesMemcachedConnectionDetails;
    }

    private @Nullable TlsOptions tls(@Nullable SslBundle bundle) {
        MemcachedProperties.Ssl ssl = properties.ssl();
        if (bundle == null && !(areOfProperties() && ssl.isRequested())) {
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
        String[] protocols = bundle == null ? null : bundle.getOptions().getEnabledProtocols();
        tls = protocols == null || protocols.length == 0 ? tls : tls.withProtocols(protocols);
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

    static int bytes(DataSize size) {
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
