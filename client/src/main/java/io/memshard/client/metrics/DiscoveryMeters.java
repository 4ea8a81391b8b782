// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Gauges of one discovery, as described in {@link MicrometerListener}.
 *
 * <p>Threading: thread-safe.
 */
final class DiscoveryMeters {

    private final Clock clock;
    private final SharedMeters gauges;
    private final AtomicReference<Look> last;

    private record Look(int servers, long nanos) {}

    /** Adds the gauges, after a look that found these servers. */
    DiscoveryMeters(MeterRegistry registry, Tags tags, int servers) {
        Clock time = registry.config().clock();
        AtomicReference<Look> look = new AtomicReference<>(new Look(servers, time.monotonicTime()));
        clock = time;
        last = look;
        gauges = new SharedMeters(registry);
        gauges.addGauge(
                "memshard.discovery.servers",
                "Servers in force",
                null,
                tags,
                () -> look.get().servers());
        gauges.addGauge(
                "memshard.discovery.age",
                "Time since the source last returned its servers",
                "seconds",
                tags,
                () -> (time.monotonicTime() - look.get().nanos()) / 1e9);
    }

    void looked(int servers) {
        last.set(new Look(servers, clock.monotonicTime()));
    }

    void remove() {
        gauges.remove();
    }
}
