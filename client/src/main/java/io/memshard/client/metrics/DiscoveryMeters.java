// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gauges of one discovery, as described in {@link MicrometerListener}.
 *
 * <p>Threading: thread-safe.
 */
final class DiscoveryMeters {

    private final Clock clock;
    private final SharedMeters gauges;
    private final AtomicInteger lastServers;
    private final AtomicLong lastNanos;

    /** Adds the gauges, after a look that found these servers. */
    DiscoveryMeters(MeterRegistry registry, Tags tags, int servers) {
        Clock time = registry.config().clock();
        // The gauges must not keep this object, which refers to the registry.
        AtomicInteger found = new AtomicInteger(servers);
        AtomicLong nanos = new AtomicLong(time.monotonicTime());
        clock = time;
        lastServers = found;
        lastNanos = nanos;
        gauges = new SharedMeters(registry);
        gauges.addGauge("memshard.discovery.servers", "Servers in the current list", null, tags, found::get);
        gauges.addGauge(
                "memshard.discovery.age",
                "Time since the source last returned its servers",
                "seconds",
                tags,
                () -> (time.monotonicTime() - nanos.get()) / 1e9);
    }

    void looked(int servers) {
        lastServers.set(servers);
        lastNanos.set(clock.monotonicTime());
    }

    void remove() {
        gauges.remove();
    }
}
