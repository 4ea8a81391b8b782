// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.sample.catalogue.Catalogue;
import io.memshard.sample.catalogue.ProductRepository;
import io.memshard.sample.catalogue.ShopApplication;
import io.memshard.sample.shop.Moment.OneConnection;
import io.memshard.sample.shop.Moment.Outage;
import io.memshard.sample.shop.Moment.ServerView;
import io.memshard.spring.cache.MemcachedCache;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.spring.cache.MemcachedCacheStatistics;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

final class Shop implements AutoCloseable {

    private static final Duration PROBE_TIMEOUT = Duration.ofMillis(800);

    private final Setup setup;
    private final ConfigurableApplicationContext context;
    private final ConnectionStates states;
    private final Catalogue catalogue;
    private final MemcachedCacheManager caches;
    private final ProductRepository repository;
    private final MemcachedConnectionFactory connections;

    private Shop(Setup setup, ConfigurableApplicationContext context, ConnectionStates states) {
        this.setup = setup;
        this.context = context;
        this.states = states;
        this.catalogue = context.getBean(Catalogue.class);
        this.caches = context.getBean(MemcachedCacheManager.class);
        this.repository = context.getBean(ProductRepository.class);
        this.connections = context.getBean(MemcachedConnectionFactory.class);
    }

    static Shop open(Setup setup, Servers servers) {
        ConnectionStates states = new ConnectionStates();
        SpringApplication application = new SpringApplication(ShopApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setAdditionalProfiles(setup.engine().name().toLowerCase(Locale.ROOT));
        application.setDefaultProperties(Map.of(
                "spring.config.name", "shop",
                "memcached.engine", setup.engine().name(),
                "memcached.mode", setup.mode().name(),
                "memcached.servers", addresses(setup, servers)));
        application.addInitializers(
                context -> ((GenericApplicationContext) context).registerBean(ConnectionListener.class, () -> states));
        try {
            return new Shop(setup, application.run(), states);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "The shop cannot open with engine " + setup.engine() + " in mode " + setup.mode() + ": "
                            + rootOf(e).getMessage(),
                    e);
        }
    }

    private static String addresses(Setup setup, Servers servers) {
        return servers.all().stream()
                .limit(setup.usesFirstServerOnly() ? 1 : Servers.MAX_COUNT)
                .map(SampleServer::address)
                .collect(Collectors.joining(","));
    }

    Outage after(Outage before, Figures.OfPeriod second, Instant end, List<ServerView> views) {
        String address = before.address();
        boolean isUp = views.get(before.server()).state().equals(ServerState.UP.name());
        Instant ejected = before.ejected() == null
                ? states.changeOf(address, ServerState.EJECTED, before.stopped())
                : before.ejected();
        Instant back = before.back();
        if (back == null && before.started() != null && isUp) {
            back = Objects.requireNonNullElse(states.changeOf(address, ServerState.UP, before.started()), end);
        }
        return new Outage(
                before.server(),
                address,
                before.stopped(),
                ejected,
                before.started(),
                back,
                before.failures() + second.failures());
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return cause == null || cause == thrown ? thrown : rootOf(cause);
    }

    Catalogue catalogue() {
        return catalogue;
    }

    Figures.Counts counts() {
        long hits = 0;
        long misses = 0;
        long lost = 0;
        for (String name : caches.getCacheNames()) {
            MemcachedCacheStatistics statistics =
                    ((MemcachedCache) Objects.requireNonNull(caches.getCache(name))).getStatistics();
            hits += statistics.hits();
            misses += statistics.misses();
            lost += statistics.lostLookups() + statistics.lostWrites();
        }
        return new Figures.Counts(hits, misses, lost, repository.queries());
    }

    List<ServerView> servers(Servers servers) {
        List<ServerView> views = new ArrayList<>();
        for (int number = 0; number < servers.all().size(); number++) {
            views.add(view(number, servers.get(number)));
        }
        return views;
    }

    private ServerView view(int number, SampleServer server) {
        if (number > 0 && setup.usesFirstServerOnly()) {
            return ServerView.of(number, server, ServerView.UNUSED, "The shop uses the first server only.", List.of());
        }
        if (setup.engine() == Engine.SPYMEMCACHED) {
            return viewOfSpymemcached(server);
        }
        List<ConnectionStatus> known = states.connectionsTo(server.address());
        ServerState state = states.stateOf(server.address());
        boolean isCutOff = !known.isEmpty() && known.stream().noneMatch(ConnectionStatus::isReady);
        return ServerView.of(
                number,
                server,
                state == ServerState.UP && isCutOff ? ServerView.NO_CONNECTION : state.name(),
                states.reasonOf(server.address()),
                known.stream()
                        .map(connection -> new OneConnection(
                                connection.state().name(), connection.inFlight(), connection.socket()))
                        .toList());
    }

    private ServerView viewOfSpymemcached(SampleServer server) {
        boolean isUp = connections.health(PROBE_TIMEOUT).isUp();
        return ServerView.of(
                0,
                server,
                isUp ? ServerState.UP.name() : ServerView.NO_CONNECTION,
                isUp ? "" : "The server does not answer.",
                List.of());
    }

    @Override
    public void close() {
        context.close();
    }
}
