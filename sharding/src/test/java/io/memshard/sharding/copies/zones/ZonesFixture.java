// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import static io.memshard.sharding.copies.FakeFleet.asyncOver;
import static io.memshard.sharding.copies.FakeFleet.over;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ZoneOutcome;
import io.memshard.sharding.copies.FakeFleet;
import io.memshard.sharding.replica.ReplicaOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Zones of fake servers, which are named a, b and c, and clients over them. */
abstract class ZonesFixture {

    /** The own zone of each client is b. */
    static final ReplicaOptions OPTIONS = ReplicaOptions.of("b");

    final FakeFleet a = new FakeFleet("a");
    final FakeFleet b = new FakeFleet("b");
    final FakeFleet c = new FakeFleet("c");

    final List<ZoneOutcome> outcomes = new CopyOnWriteArrayList<>();
    final List<String> later = new CopyOnWriteArrayList<>();
    final ConnectionListener listener = new ConnectionListener() {
        @Override
        public void zonesEnded(ZoneOutcome outcome) {
            outcomes.add(outcome);
        }

        @Override
        public void zoneFailedLater(String zone, String operation, MemcachedException failure) {
            later.add(zone + ' ' + operation);
        }
    };

    final Replicas replicas(ReplicaOptions options) {
        Map<String, FakeFleet> zones = new LinkedHashMap<>();
        List.of(a, b, c).forEach(zone -> zones.put(zone.toString(), zone));
        return new Replicas(zones, options, listener);
    }

    final MemcachedClient<String> client(ReplicaOptions options) {
        return over(replicas(options));
    }

    final AsyncMemcachedClient<String> async(ReplicaOptions options) {
        return asyncOver(replicas(options));
    }

    final ZoneOutcome last() {
        return outcomes.get(outcomes.size() - 1);
    }

    final List<String> values(String key) {
        return Stream.of(a, b, c)
                .map(zone -> String.valueOf(over(zone).get(key)))
                .toList();
    }
}
