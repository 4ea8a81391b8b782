// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Meters of one owner, such as a server. If a filter removes the tags in which owners differ, these owners share a
 * meter until the last owner is removed. Thread-safe: all owners use one lock.
 */
final class SharedMeters {

    /** Values that owners contribute to each meter. A supplier must not keep the registry in memory. */
    private static final Map<MeterRegistry, Map<Meter.Id, Collection<DoubleSupplier>>> SHARES = new WeakHashMap<>();

    /** Returns 0, because owners update their timers and counters directly. */
    private static double counted() {
        return 0;
    }

    private final MeterRegistry registry;

    /** Guarded by {@link #SHARES}. */
    private final List<Share> own = new ArrayList<>();

    private record Share(Meter.Id meter, DoubleSupplier value) {}

    SharedMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    <M extends Meter> M add(Supplier<M> registration) {
        synchronized (SHARES) {
            M meter = registration.get();
            DoubleSupplier share = SharedMeters::counted;
            all().computeIfAbsent(meter.getId(), any -> new CopyOnWriteArrayList<>())
                    .add(share);
            own.add(new Share(meter.getId(), share));
            return meter;
        }
    }

    void addGauge(String name, String description, @Nullable String unit, Tags tags, DoubleSupplier value) {
        synchronized (SHARES) {
            // Micrometer ignores a second registration, so the gauge of other owners is removed first.
            Meter others = registry.removeByPreFilterId(new Meter.Id(name, tags, unit, description, Meter.Type.GAUGE));
            Collection<DoubleSupplier> known = others == null ? null : all().get(others.getId());
            Collection<DoubleSupplier> shares = known == null ? new CopyOnWriteArrayList<>() : known;
            shares.add(value);
            Gauge gauge = Gauge.builder(name, shares, SharedMeters::sum)
                    .description(description)
                    .baseUnit(unit)
                    .tags(tags)
                    .register(registry);
            all().put(gauge.getId(), shares);
            own.add(new Share(gauge.getId(), value));
        }
    }

    private static double sum(Collection<DoubleSupplier> shares) {
        return shares.stream().mapToDouble(DoubleSupplier::getAsDouble).sum();
    }

    void remove() {
        synchronized (SHARES) {
            for (Share share : own) {
                Collection<DoubleSupplier> shares = all().get(share.meter());
                if (shares != null && shares.remove(share.value()) && shares.isEmpty()) {
                    all().remove(share.meter());
                    registry.remove(share.meter());
                }
            }
            own.clear();
        }
    }

    private Map<Meter.Id, Collection<DoubleSupplier>> all() {
        return SHARES.computeIfAbsent(registry, any -> new HashMap<>());
    }
}
