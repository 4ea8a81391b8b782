// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a client with zones reads and writes. Each method returns changed options.
 *
 * <p>Threading: immutable.
 *
 * @param own the zone of this client, which reads ask first
 * @param owner the zone that decides for the clients of all zones: about counters, {@code cas}, {@code add}, {@code
 *     replace}, {@code append}, {@code prepend}, and who loads in {@code getOrLoad}. Null, as by default, for none:
 *     counters are refused then, and one's own zone decides about the rest
 * @param acknowledgement in how many zones a write must be done; by default, in all
 * @param readsOthersOnMiss whether a read that misses in one's own zone asks the others; false by default. A read that
 *     fails asks them in any case. What deletes in other zones must then be done in all of them, whatever the
 *     acknowledgement: {@code delete}, {@code invalidate}, {@code cas}, {@code append}, {@code prepend} and counting
 * @param addsOnMiss whether such a read adds what it finds to one's own zone, with the remaining time to live; false by
 *     default. Deletes then are sent twice, so that no copy on its way outlives them. Set it alike in all clients
 */
public record ReplicaOptions(
        String own,
        @Nullable String owner,
        Acknowledgement acknowledgement,
        boolean readsOthersOnMiss,
        boolean addsOnMiss) {

    /** Checks that copies are made only where reads ask other zones. */
    public ReplicaOptions {
        Objects.requireNonNull(own, "own zone is null");
        Objects.requireNonNull(acknowledgement, "acknowledgement is null");
        if (own.isBlank()) {
            throw new IllegalArgumentException("own zone is \"" + own + "\": name one of the zones, such as eu-1");
        }
        if (addsOnMiss && !readsOthersOnMiss) {
            throw new IllegalArgumentException(
                    "addsOnMiss without readsOthersOnMiss: only a read that asks other zones finds what to add");
        }
    }

    /** The defaults for a client in a zone. */
    public static ReplicaOptions of(String own) {
        return new ReplicaOptions(own, null, Acknowledgement.ALL, false, false);
    }

    /** The same with a zone that decides for the clients of all zones. */
    public ReplicaOptions withOwner(String zone) {
        return new ReplicaOptions(own, zone, acknowledgement, readsOthersOnMiss, addsOnMiss);
    }

    /** The same with another number of zones in which writes must be done. */
    public ReplicaOptions withAcknowledgement(Acknowledgement required) {
        return new ReplicaOptions(own, owner, required, readsOthersOnMiss, addsOnMiss);
    }

    /** The same, asking other zones where one's own misses. */
    public ReplicaOptions readingOthersOnMiss() {
        return new ReplicaOptions(own, owner, acknowledgement, true, addsOnMiss);
    }

    /** The same, asking other zones where one's own misses, and adding to it what they have. */
    public ReplicaOptions addingOnMiss() {
        return new ReplicaOptions(own, owner, acknowledgement, true, true);
    }

    /** The zone that decides: the owner, or else one's own. */
    public String decider() {
        return owner == null ? own : owner;
    }

    /**
     * Checks the names of zones against those that there are.
     *
     * @throws IllegalArgumentException if there are fewer than two, or one that is named here is not among them
     */
    public void check(Collection<String> zones) {
        if (zones.size() < 2) {
            throw new IllegalArgumentException(
                    "zones are " + zones + ": give at least two, such as a:11211@eu-1, b:11211@eu-2");
        }
        checkIsAmong(zones, "own", own);
        if (owner != null) {
            checkIsAmong(zones, "owner", owner);
        }
    }

    private static void checkIsAmong(Collection<String> zones, String role, String name) {
        if (!zones.contains(name)) {
            throw new IllegalArgumentException(
                    role + " zone \"" + name + "\" is none of the zones " + zones + ": write one of these");
        }
    }
}
