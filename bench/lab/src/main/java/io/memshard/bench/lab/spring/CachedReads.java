// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.spring;

import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.serializer.SampleOrder;
import io.memshard.bench.statistics.Sample;
import io.memshard.testkit.fault.FaultProxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Calls of a method with {@code @Cacheable}, all of which are hits. */
final class CachedReads implements OpenedArm {

    private static final int KEYS = 1000;
    private static final Duration DELAY = Duration.ofMillis(25);
    private static final int DELAYED_CALLS = 5;

    private final Opener opener;
    private final InetSocketAddress server;
    private final boolean countsRoundTrips;
    private final Application application;

    CachedReads(Setup setup, Opener opener) throws Exception {
        this.opener = opener;
        this.server = setup.serverOrThrow();
        this.countsRoundTrips = setup.condition().threads() == 1;
        this.application = Application.start(opener.open(server), KEYS);
    }

    @Override
    public Cycle cycle(int caller) {
        SplittableRandom random = new SplittableRandom(caller);
        return number -> {
            int id = random.nextInt(KEYS);
            if (application.catalogue().order(id).id() != id) {
                throw new IllegalStateException("another order than " + id);
            }
            return id;
        };
    }

    /**
     * Returns {@code round_trips}, the number of times that a hit waits for the server, measured over a delayed
     * connection.
     */
    @Override
    public Map<String, Double> figures() {
        if (!countsRoundTrips) {
            return Map.of();
        }
        try (FaultProxy line = new FaultProxy(server);
                Application far = Application.start(opener.open(line.address()), 1)) {
            far.catalogue().order(0);
            line.delay(DELAY);
            double[] seconds = new double[DELAYED_CALLS];
            for (int i = 0; i < seconds.length; i++) {
                long start = System.nanoTime();
                far.catalogue().order(0);
                seconds[i] = (double) (System.nanoTime() - start) / TimeUnit.SECONDS.toNanos(1);
            }
            double oneTrip = 2.0 * DELAY.toMillis() / TimeUnit.SECONDS.toMillis(1);
            return Map.of("round_trips", (double) Math.round(Sample.median(seconds) / oneTrip));
        } catch (Exception e) {
            throw new IllegalStateException("cannot count round trips: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws Exception {
        application.close();
    }

    /** Spring context with a cache manager and a method whose results it caches. */
    private record Application(AnnotationConfigApplicationContext context, Catalogue catalogue, AutoCloseable closer)
            implements AutoCloseable {

        /** Starts an application whose cache holds the first {@code orders} orders. */
        static Application start(SpringCache.OpenedManager opened, int orders) {
            FilledOnce target = new FilledOnce();
            AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
            context.register(Caching.class);
            context.registerBean(CacheManager.class, opened::manager);
            context.registerBean(Catalogue.class, () -> target);
            context.refresh();
            Catalogue cached = context.getBean(Catalogue.class);
            for (int id = 0; id < orders; id++) {
                cached.order(id);
            }
            target.fillingToFilled();
            return new Application(context, cached, opened.closer());
        }

        @Override
        public void close() throws Exception {
            context.close();
            closer.close();
        }
    }

    /** Opener of a cache manager. */
    interface Opener {
        SpringCache.OpenedManager open(InetSocketAddress server) throws Exception;
    }

    /** Service that an application calls. Spring puts the cache in front of it. Threading: thread-safe. */
    interface Catalogue {
        /** Returns the order with this number. */
        SampleOrder order(long id);
    }

    /**
     * Service behind the cache. Once the cache is filled, its method fails, because each further call must be a hit.
     *
     * <p>Memory effects: {@code filled} is volatile, written by {@link #fillingToFilled} and read by each call.
     */
    static final class FilledOnce implements Catalogue {
        private static final SampleOrder SAMPLE = SampleOrder.of(3);

        private volatile boolean filled;

        /** Returns an order that differs from others by its number. */
        @Override
        @Cacheable(cacheNames = SpringCache.CACHE)
        public SampleOrder order(long id) {
            if (filled) {
                throw new IllegalStateException("order " + id + " is not in the cache");
            }
            return new SampleOrder(
                    id, SAMPLE.customer(), SAMPLE.created(), SAMPLE.paid(), SAMPLE.lines(), SAMPLE.attributes());
        }

        /** Makes each further miss a failure. */
        void fillingToFilled() {
            filled = true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {}
}
