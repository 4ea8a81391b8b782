// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.SettingsBuilder;
import io.memshard.ZonedMemshard;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.discovery.ServerSource;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedConnectionFactoryBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Factory that creates clients from properties. Auto-configuration creates the client with the prefix {@code
 * memcached}; an application uses this factory for further clients. All clients get the application's customizers,
 * listeners and SSL bundles.
 *
 * <p>The caller must close each client, except a client that is a bean, which Spring closes. Closing a client also
 * closes its discovery.
 *
 * <p>Threading: called on the thread that creates beans.
 *
 * <p>Failure: a {@link MemcachedPropertyException} names the wrong property, or the library to add to the class path.
 * If a client is not ready in time, its creation fails with a {@link
 * io.memshard.client.exception.MemcachedConnectionException}. After a failure, no connection stays open.
 */
public final class MemcachedClients {

    private static final Log LOG = LogFactory.getLog(MemcachedClients.class);

    private static final int VIRTUAL_THREADS = 21;

    private final ApplicationContext context;

    MemcachedClients(ApplicationContext context) {
        this.context = context;
    }

    /**
     * Returns the properties of a client whose property prefix is {@code prefix}, such as {@code memcached-sessions}. A
     * client does not inherit properties from the client {@code memcached}.
     */
    public MemcachedProperties properties(String prefix) {
        return isDefault(prefix)
                ? context.getBean(MemcachedProperties.class)
                : Binder.get(context.getEnvironment()).bindOrCreate(prefix, Bindable.of(MemcachedProperties.class));
    }

    private static boolean isDefault(String prefix) {
        return prefix.equals(MemcachedAutoConfiguration.CLIENT);
    }

    private Settings settings(String prefix) {
        ObjectProvider<MemcachedConnectionDetails> container =
                context.getBeanProvider(MemcachedConnectionDetails.class);
        return new Settings(
                prefix,
                properties(prefix),
                isDefault(prefix) ? container.getIfAvailable() : null,
                context.getBeanProvider(SslBundles.class).getIfAvailable());
    }

    /**
     * Creates a client from the properties with a prefix. For the prefix {@code memcached}, the servers of a test
     * container or of a bean {@link ServerSource} replace the servers of the properties.
     */
    public Memshard memshard(String prefix) {
        Settings settings = settings(prefix);
        MemshardBuilder builder = builder(settings);
        ServerSource source = settings.container() == null ? source(settings, builder) : null;
        if (source == null) {
            settings.needServers();
        } else {
            builder.discovery(settings.discovery(source));
        }
        Memshard memshard = Settings.reading(prefix, builder::build);
        try {
            settings.set("await-ready", settings.properties()::awaitReady, memshard::awaitReady);
        } catch (Throwable e) {
            memshard.close();
            throw e;
        }
        return memshard;
    }

    private @Nullable ServerSource source(Settings settings, MemshardBuilder builder) {
        ServerSource given = isDefault(settings.client())
                ? context.getBeanProvider(ServerSource.class).getIfUnique()
                : null;
        return given != null
                ? given
                : settings.source(Settings.reading(settings.client(), () -> builder.unwrap(MemshardOptions.class)));
    }

    /** Creates a client with zones from the properties with a prefix. */
    public ZonedMemshard zonedMemshard(String prefix) {
        Settings settings = settings(prefix);
        MemcachedProperties.Zones zones = settings.properties().zones();
        DiscoveryType type = settings.properties().discovery().type();
        if (type != DiscoveryType.NONE) {
            throw settings.refused(
                    "discovery.type",
                    "is " + type
                            + ", but zones.own is set: define a bean ZonedMemshard, with a Memshard for each zone");
        }
        settings.needServers();
        MemshardBuilder builder = builder(settings);
        String own = Objects.requireNonNullElse(zones.own(), "");
        ReplicaOptions options = Settings.reading(
                prefix + ".zones", () -> new ReplicaOptions(own, zones.owner(), zones.acknowledgement(), false, false));
        return Settings.reading(prefix, () -> builder.buildZones(options));
    }

    /**
     * Creates a connection factory from the properties with a prefix. In mode pooled and with engine spymemcached, the
     * factory has its own connections; otherwise it shares the connections of {@code memshard}.
     *
     * @param memshard client that was created with the same prefix
     */
    public MemcachedConnectionFactory connectionFactory(String prefix, Memshard memshard) {
        Settings settings = settings(prefix);
        Duration waitLimit = settings.properties().poolWaitLimit();
        if (!settings.hasOwnConnections()) {
            if (waitLimit != null) {
                throw settings.refused(
                        "pool-wait-limit",
                        "is " + waitLimit + ", but no pool exists: set mode=pooled or remove this property");
            }
            return MemcachedConnectionFactory.over(memshard);
        }
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder();
        settings.apply(builder);
        settings.applyEngine(builder);
        finish(settings, builder, settings.properties().engine() != Engine.SPYMEMCACHED);
        return Settings.reading(prefix, builder::build);
    }

    private MemshardBuilder builder(Settings settings) {
        MemshardBuilder builder = Memshard.builder();
        settings.apply(builder);
        settings.applyConnections(builder);
        finish(settings, builder, true);
        if (settings.properties().keyPrefix() == null) {
            LOG.info(settings.client()
                    + ".key-prefix is not set: applications on the same servers can overwrite each other's items");
        }
        return builder;
    }

    private void finish(Settings settings, SettingsBuilder<?> builder, boolean hasListeners) {
        if (hasListeners) {
            if (hasVirtualThreads(context.getEnvironment())) {
                builder.completionExecutor(new VirtualThreadTaskExecutor("memcached-"));
            }
            beans(ConnectionListener.class).forEach(builder::listener);
            beans(MemcachedListenerProvider.class)
                    .map(provider -> provider.listenerOf(settings.client(), settings.properties()))
                    .filter(Objects::nonNull)
                    .forEach(builder::listener);
        }
        beans(MemcachedCustomizer.class).forEach(customizer -> customizer.customize(settings.client(), builder));
    }

    private <T> Stream<T> beans(Class<T> type) {
        return context.getBeanProvider(type).orderedStream();
    }

    /** Replaces Spring Boot's {@code Threading.VIRTUAL.isActive}, whose package moved in 4.0. */
    private static boolean hasVirtualThreads(Environment environment) {
        return Runtime.version().feature() >= VIRTUAL_THREADS
                && environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false);
    }
}
