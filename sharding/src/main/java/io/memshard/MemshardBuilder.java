// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.sharding.MemshardOptions;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.replica.ZoneListener;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of a {@link Memshard}, which {@link SettingsBuilder} describes. */
public final class MemshardBuilder extends SettingsBuilder<MemshardBuilder> {

    MemshardBuilder() {}

    /**
     * Connections with these settings.
     *
     * @throws IllegalArgumentException if no server is named, if settings do not fit together, or if TLS files
     *     cannot be read or are of no use
     * @throws io.memshard.client.exception.MemcachedConnectionException if a discovery has no servers in time
     * @throws IllegalStateException if Netty is missing, older than 4.1.100, or mixed of 4.1 and 4.2
     */
    public Memshard build() {
        return new Memshard(options());
    }

    /**
     * Connections with these settings to the servers of several zones, which have a copy of the data each. Each server
     * needs its zone: {@code servers("a:11211@eu-1, b:11211@eu-2")}.
     *
     * @throws IllegalArgumentException as {@link #build()}, or if a server has no zone, there are fewer than two zones,
     *     or an option names one that is missing
     */
    public ZonedMemshard buildZones(ReplicaOptions options) {
        return buildZones(options, ZoneListener.NONE);
    }

    /** As {@link #buildZones(ReplicaOptions)}; the listener is told which zones take part in each command. */
    public ZonedMemshard buildZones(ReplicaOptions options, ZoneListener listener) {
        Map<String, MemshardOptions> byZone = optionsByZone();
        options.check(byZone.keySet());
        Map<String, Memshard> zones = new LinkedHashMap<>();
        try {
            byZone.forEach((zone, settings) -> zones.put(zone, new Memshard(settings)));
            return ZonedMemshard.of(zones, options, listener);
        } catch (Throwable e) {
            zones.values().forEach(Memshard::close);
            throw e;
        }
    }
}
