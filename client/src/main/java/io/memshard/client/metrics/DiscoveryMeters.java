// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Gauges of one discovery, as described in {@link MicrometerListener}. Thread-safe. */
final class DiscoveryMeters {

    private final Clock clock;
    private final SharedMeters gauges;
    private final AtomicInteger servers = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();

    DiscoveryMeters(MeterRegistry registry, Tags tags) {
        clock = registry.config().clock();
        gauges = new SharedMeters(registry);
        // The gauges must not keep this object, which refers to the registry.
        Clock time = clock;
        AtomicLong looked = nanos;
        gauges.addGauge("memshard.discovery.servers", "Servers in the current list", null, tags, servers::get);
        gauges.addGauge(
                "memshard.discovery.age",
                "Time since the source last returned its servers",
                "seconds",
                tags,
                () -> (time.monotonicTime() - looked.get()) / 1e9);
    }

    void looked(int found) {
        servers.set(found);
        nanos.set(clock.monotonicTime());
    }

    void remove() {
        gauges.remove();
    }
}
