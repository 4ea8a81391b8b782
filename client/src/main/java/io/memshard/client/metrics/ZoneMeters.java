// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ZoneEnd;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Meters of one zone, as described in {@link MicrometerListener}.
 *
 * <p>Threading: thread-safe.
 */
final class ZoneMeters {

    private static final String SERVED = "served";
    private static final String MISSED = "missed";
    private static final String UNAWAITED = "unawaited";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<Ended, Counter> counters = new ConcurrentHashMap<>();

    /** Key of the counters of a zone. */
    private record Ended(String operation, @Nullable Class<? extends MemcachedException> failure, String otherwise) {}

    ZoneMeters(MeterRegistry registry, String pool, String zone) {
        this.registry = registry;
        this.tags = Tags.of("pool", pool, "zone", zone);
    }

    void ended(ZoneEnd end) {
        MemcachedException failure = end.failure();
        String otherwise = !end.awaited() ? UNAWAITED : end.served() > 0 ? SERVED : MISSED;
        Ended ended = new Ended(end.operation(), failure == null ? null : failure.getClass(), otherwise);
        counters.computeIfAbsent(ended, this::newCounter).increment();
    }

    private Counter newCounter(Ended ended) {
        boolean failedLater = ended.failure() != null && ended.otherwise().equals(UNAWAITED);
        String outcome = ended.failure() == null ? ended.otherwise() : Outcome.of(ended.failure());
        return Counter.builder(failedLater ? "memshard.zones.failed.later" : "memshard.zones.commands")
                .description(
                        failedLater
                                ? "Commands that failed in the zone after their caller had stopped waiting"
                                : "Commands sent to the zone")
                .tags(tags.and("operation", ended.operation(), "outcome", outcome))
                .register(registry);
    }
}
