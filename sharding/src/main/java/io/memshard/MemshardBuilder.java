// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.ring.Server;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builder of a {@link Memshard}. {@link SettingsBuilder} describes the settings. */
public final class MemshardBuilder extends SettingsBuilder<MemshardBuilder> {

    MemshardBuilder() {}

    /**
     * Returns a {@code Memshard} with these settings.
     *
     * @throws IllegalArgumentException if no server is named, if settings contradict each other, or if TLS files cannot
     *     be read or used
     * @throws io.memshard.client.exception.MemcachedConnectionException if the discovery finds no servers in time
     * @throws IllegalStateException if Netty is missing, is older than 4.1.100, or is a mixture of 4.1 and 4.2
     *     artifacts
     */
    public Memshard build() {
        return new Memshard(options());
    }

    /**
     * Returns a {@code ZonedMemshard} with these settings, in which each zone has a copy of the data. Each server must
     * name its zone, as in {@code servers("a:11211@eu-1, b:11211@eu-2")}.
     *
     * @throws IllegalArgumentException if {@link #build()} would reject the settings, if a discovery is set, or if a
     *     server has no zone. Also thrown if fewer than two zones exist, or if {@code replicas} names an unknown zone
     */
    public ZonedMemshard buildZones(ReplicaOptions replicas) {
        Map<String, MemshardOptions> byZone = optionsByZone();
        replicas.check(byZone.keySet());
        Map<String, Memshard> zones = new LinkedHashMap<>();
        try {
            byZone.forEach((zone, settings) -> zones.put(zone, new Memshard(settings)));
            return ZonedMemshard.of(zones, replicas);
        } catch (Throwable e) {
            zones.values().forEach(Memshard::close);
            throw e;
        }
    }

    private Map<String, MemshardOptions> optionsByZone() {
        if (options.discovery != null) {
            options.discovery.close();
            throw new IllegalArgumentException("discovery is set, but serves one client, and each zone is a client:"
                    + " build a Memshard with discovery for each zone, and pass every Memshard to ZonedMemshard.of");
        }
        Map<String, List<Server>> byZone = new LinkedHashMap<>();
        for (Server each : options.servers) {
            String zone = each.zone();
            if (zone == null) {
                throw new IllegalArgumentException(
                        "servers: " + each + " has no zone, but this client has zones: write " + each + "@eu-1");
            }
            byZone.computeIfAbsent(zone, any -> new ArrayList<>()).add(each.withZone(null));
        }
        if (byZone.isEmpty()) {
            options(options.servers);
        }
        Map<String, MemshardOptions> ofZones = new LinkedHashMap<>();
        byZone.forEach((zone, of) -> ofZones.put(zone, options(of)));
        return ofZones;
    }
}
