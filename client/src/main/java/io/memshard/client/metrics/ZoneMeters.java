// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ZoneOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

final class ZoneMeters {

    private static final String SERVED = "served";
    private static final String MISSED = "missed";
    private static final String UNAWAITED = "unawaited";

    private final MeterRegistry registry;
    private final @Nullable String pool;
    private final Map<Ended, Counter> counters = new ConcurrentHashMap<>();

    private record Ended(
            String zone, String operation, @Nullable Class<? extends MemcachedException> failure, String otherwise) {}

    ZoneMeters(MeterRegistry registry, @Nullable String pool) {
        this.registry = registry;
        this.pool = pool;
    }

    void ended(ZoneOutcome outcome) {
        Set<String> answered = new LinkedHashSet<>(outcome.served().keySet());
        answered.addAll(outcome.failures().keySet());
        for (String zone : answered) {
            String otherwise = outcome.served().getOrDefault(zone, 0) > 0 ? SERVED : MISSED;
            count(zone, outcome.operation(), outcome.failures().get(zone), otherwise);
        }
        for (String zone : outcome.pending()) {
            count(zone, outcome.operation(), null, UNAWAITED);
        }
    }

    void failedLater(String zone, String operation, MemcachedException failure) {
        count(zone, operation, failure, UNAWAITED);
    }

    private void count(String zone, String operation, @Nullable MemcachedException failure, String otherwise) {
        Ended ended = new Ended(zone, operation, failure == null ? null : failure.getClass(), otherwise);
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
                .tags(Tags.of("pool", pool == null ? ended.zone() : pool, "zone", ended.zone()))
                .tags("operation", ended.operation(), "outcome", outcome)
                .register(registry);
    }
}
