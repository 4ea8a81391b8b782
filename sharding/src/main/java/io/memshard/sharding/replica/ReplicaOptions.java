// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings for reads and writes of a client with zones. Each method that changes an option returns a copy.
 *
 * <p>Threading: immutable.
 *
 * @param own the zone of this client, which its reads query first
 * @param owner the zone that decides the results of counters, {@code cas}, {@code add}, {@code replace}, {@code append}
 *     and {@code prepend} for the clients of all zones. The owner also decides which caller of {@code getOrLoad} loads
 *     the value. Null by default: counters are rejected, and the client's own zone decides the other results
 * @param acknowledgement the number of zones in which a write must succeed; {@link Acknowledgement#ALL} by default
 * @param readsOthersOnMiss whether a read queries the other zones after a miss in the client's own zone; false by
 *     default. After a failure, a read always queries the other zones. The value true requires
 *     {@link Acknowledgement#ALL}, so that no read finds a deleted value in a zone that the delete has not reached
 * @param addsOnMiss whether a read adds a value found in another zone to the client's own zone, with the remaining time
 *     to live; false by default. If true, deletes are sent twice, so that no simultaneous read adds a deleted value
 *     again. All clients must use the same value of this option
 */
public record ReplicaOptions(
        String own,
        @Nullable String owner,
        Acknowledgement acknowledgement,
        boolean readsOthersOnMiss,
        boolean addsOnMiss) {

    /** Checks that the options do not contradict each other. */
    public ReplicaOptions {
        Objects.requireNonNull(own, "own is null: name the zone of this client, such as eu-1");
        Objects.requireNonNull(acknowledgement, "acknowledgement is null");
        if (own.isBlank()) {
            throw new IllegalArgumentException("own is \"" + own + "\": name the zone of this client, such as eu-1");
        }
        if (readsOthersOnMiss && acknowledgement != Acknowledgement.ALL) {
            throw new IllegalArgumentException(
                    "acknowledgement is " + acknowledgement + " and readsOthersOnMiss is set,"
                            + " so a read could return a deleted value from a zone that the delete has not reached: use"
                            + " acknowledgement ALL, or remove readsOthersOnMiss");
        }
        if (addsOnMiss && !readsOthersOnMiss) {
            throw new IllegalArgumentException(
                    "addsOnMiss is set without readsOthersOnMiss: set both, because only a read that queries other"
                            + " zones finds values to add");
        }
    }

    /** Returns the default options for a client in the zone {@code own}. */
    public static ReplicaOptions of(String own) {
        return new ReplicaOptions(own, null, Acknowledgement.ALL, false, false);
    }

    /** Returns a copy with this {@link #owner()}. */
    public ReplicaOptions withOwner(String zone) {
        return new ReplicaOptions(own, zone, acknowledgement, readsOthersOnMiss, addsOnMiss);
    }

    /**
     * Returns a copy with another {@link #acknowledgement()}.
     *
     * @throws IllegalArgumentException if {@code readsOthersOnMiss} is true and {@code required} is not {@code ALL}
     */
    public ReplicaOptions withAcknowledgement(Acknowledgement required) {
        return new ReplicaOptions(own, owner, required, readsOthersOnMiss, addsOnMiss);
    }

    /**
     * Returns a copy with {@link #readsOthersOnMiss()} set to true.
     *
     * @throws IllegalArgumentException if the acknowledgement is not {@code ALL}
     */
    public ReplicaOptions readingOthersOnMiss() {
        return new ReplicaOptions(own, owner, acknowledgement, true, addsOnMiss);
    }

    /**
     * Returns a copy with {@link #readsOthersOnMiss()} and {@link #addsOnMiss()} set to true.
     *
     * @throws IllegalArgumentException if the acknowledgement is not {@code ALL}
     */
    public ReplicaOptions addingOnMiss() {
        return new ReplicaOptions(own, owner, acknowledgement, true, true);
    }

    /** Returns the owner or, if no owner is set, the client's own zone. */
    public String decider() {
        return owner == null ? own : owner;
    }

    /**
     * Checks that {@code zones} contains the zones of these options.
     *
     * @throws IllegalArgumentException if {@code zones} has fewer than two zones, or lacks a zone of these options
     */
    public void check(Collection<String> zones) {
        if (zones.size() < 2) {
            throw new IllegalArgumentException(
                    "zones are " + zones + ": name at least two zones, as in a:11211@eu-1, b:11211@eu-2");
        }
        checkIsAmong(zones, "own", own);
        if (owner != null) {
            checkIsAmong(zones, "owner", owner);
        }
    }

    private static void checkIsAmong(Collection<String> zones, String role, String name) {
        if (!zones.contains(name)) {
            throw new IllegalArgumentException(
                    role + " zone \"" + name + "\" is not one of the zones " + zones + ": name one of these zones");
        }
    }
}
