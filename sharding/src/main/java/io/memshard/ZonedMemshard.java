// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.copies.zones.Replicas;
import io.memshard.sharding.replica.ReplicaOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * Connections to several zones, each of which has a copy of the data. Creates clients that use all zones.
 * {@link ReplicaOptions} determines which zones execute a read or a write.
 *
 * <p>Each zone is a {@link Memshard}, with its own servers, discovery and admin clients. A client of all zones uses
 * these settings of its {@linkplain ReplicaOptions#own() own zone}: {@code requestTimeout}, {@code maxValueBytes},
 * {@code failurePolicy}, {@code keyPrefix}, {@code hashKeys} and {@code listener}.
 *
 * <p>Threading: thread-safe.
 */
public final class ZonedMemshard implements AutoCloseable {

    private final Map<String, Memshard> zones;
    private final Memshard own;
    private final Replicas replicas;
    private final LongUnaryOperator times;

    private ZonedMemshard(Map<String, Memshard> zones, Memshard own, Replicas replicas) {
        this.zones = zones;
        this.own = own;
        this.replicas = replicas;
        times = zones.values().stream()
                .<LongUnaryOperator>map(zone -> zone.cluster()::callNanos)
                .reduce((one, other) -> nanos -> Math.min(one.applyAsLong(nanos), other.applyAsLong(nanos)))
                .orElseThrow();
    }

    /**
     * Returns a {@code ZonedMemshard} of these zones.
     *
     * @param zones the zones by name; closed when the result is closed. Reads query the own zone first, and then the
     *     other zones in the order of the map
     * @param options the settings of reads and writes
     * @throws IllegalArgumentException if fewer than two zones are given, if a zone of the options is not given, or if
     *     the zones have different settings for key prefixes or hashed keys
     */
    public static ZonedMemshard of(Map<String, Memshard> zones, ReplicaOptions options) {
        options.check(zones.keySet());
        Map<String, Memshard> copied = Collections.unmodifiableMap(new LinkedHashMap<>(zones));
        Memshard own = Objects.requireNonNull(copied.get(options.own()), "the Memshard of this client's zone is null");
        Map<String, CommandSender> senders = new LinkedHashMap<>();
        copied.forEach((name, zone) -> {
            own.checkSameKeys(zone, "zone " + name);
            senders.put(name, zone.sender());
        });
        return new ZonedMemshard(copied, own, new Replicas(senders, options, own.options().listener));
    }

    /** Returns the zone with this name, for access to its admin clients, health and servers. */
    public Memshard zone(String name) {
        Memshard zone = zones.get(name);
        if (zone == null) {
            throw new IllegalArgumentException(
                    "zone \"" + name + "\" is not one of the zones " + zones.keySet() + ": name one of these zones");
        }
        return zone;
    }

    /** Returns the zones by name. */
    public Map<String, Memshard> zones() {
        return zones;
    }

    /** Returns a blocking client that converts values to bytes with {@code transcoder}. */
    public <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return own.options().client(replicas, transcoder, own.cluster()::addressOf, times);
    }

    /** Returns an asynchronous client that converts values to bytes with {@code transcoder}. */
    public <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return client(transcoder).async();
    }

    /** Opens the connections of all zones, and waits until every socket is ready: see {@link Memshard#awaitReady}. */
    public void awaitReady(Duration timeout) {
        long deadlineNanos =
                System.nanoTime() + Timeouts.check("awaitReady", timeout).toNanos();
        zones.values()
                .forEach(zone -> zone.awaitReady(Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()))));
    }

    /** Closes each zone. Idempotent. */
    @Override
    public void close() {
        zones.values().forEach(Memshard::close);
    }

    /** Returns the names of the zones. */
    @Override
    public String toString() {
        return "ZonedMemshard[" + replicas + ']';
    }
}
