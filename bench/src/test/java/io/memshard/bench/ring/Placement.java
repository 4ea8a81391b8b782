// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Placement of keys by a ring, and those of them that a change moves. No clock is read: the same ring, fleet and keys
 * give the same figures.
 *
 * <p>Threading: confined to one thread.
 */
final class Placement {

    /** Most keys of which a placement looks whether they move. */
    static final int MOST_MOVING = 50_000;

    private final Ring ring;
    private final String[] keys;
    private final Map<RingMeasure, Double> figures = new EnumMap<>(RingMeasure.class);

    /** @param keys not copied */
    Placement(Ring ring, String[] keys) {
        this.ring = ring;
        this.keys = keys;
    }

    /** Returns whether {@code ring} has weights. */
    static boolean hasWeights(Ring ring) {
        try {
            ring.locator(new Fleet(1).weighted(4));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Returns the figures with {@code count} servers of {@code fleet}, those of weights only where the ring has them.
     *
     * @param keyCount how many of the keys are placed
     * @param seed of the order into which the servers are put
     */
    Map<RingMeasure, Double> figures(Fleet fleet, int count, int keyCount, long seed) {
        int[] owners = owners(fleet.plain(count), keyCount);
        balance(owners, count);
        Change.plain(fleet, count, seed).forEach(change -> move(change, owners));
        if (hasWeights(ring)) {
            List<Server> weighted = fleet.weighted(count);
            int[] weightedOwners = owners(weighted, keyCount);
            put(RingMeasure.LIGHT_OVER_DUE, overDue(weighted, weightedOwners, 1));
            if (count >= 4) {
                put(RingMeasure.HEAVY_OVER_DUE, overDue(weighted, weightedOwners, Fleet.HEAVY));
            }
            Change.weighted(fleet, count).forEach(change -> move(change, weightedOwners));
        }
        return figures;
    }

    private int[] owners(List<Server> servers, int keyCount) {
        ServerLocator locator = ring.locator(servers);
        int[] owners = new int[keyCount];
        for (int i = 0; i < keyCount; i++) {
            owners[i] = locator.locate(keys[i]);
        }
        return owners;
    }

    private void balance(int[] owners, int count) {
        int[] load = new int[count];
        for (int owner : owners) {
            load[owner]++;
        }
        double mean = (double) owners.length / count;
        double squares = Arrays.stream(load)
                .mapToDouble(keysOfOne -> (keysOfOne - mean) * (keysOfOne - mean))
                .sum();
        put(RingMeasure.MAX_OVER_MEAN, Arrays.stream(load).max().orElseThrow() / mean);
        put(RingMeasure.MIN_OVER_MEAN, Arrays.stream(load).min().orElseThrow() / mean);
        put(RingMeasure.DEVIATION, Math.sqrt(squares / count) / mean);
    }

    /** Keys of the servers of {@code weight} over what is due to them. */
    private static double overDue(List<Server> servers, int[] owners, int weight) {
        IntPredicate isOfWeight = index -> servers.get(index).weight() == weight;
        double total = servers.stream().mapToInt(Server::weight).sum();
        double due = servers.stream()
                .mapToInt(Server::weight)
                .filter(each -> each == weight)
                .sum();
        return Arrays.stream(owners).filter(isOfWeight).count() / (double) owners.length / (due / total);
    }

    private void move(Change change, int[] before) {
        int asked = Math.min(before.length, MOST_MOVING);
        int[] after = owners(change.servers(), asked);
        int moved = 0;
        int astray = 0;
        for (int i = 0; i < asked; i++) {
            if (change.was().get(after[i]) != before[i]) {
                moved++;
                if (before[i] != change.loser() && after[i] != change.gainer()) {
                    astray++;
                }
            }
        }
        put(change.moved(), (double) moved / asked);
        if (change.astray() != null) {
            put(change.astray(), (double) astray / asked);
        }
    }

    private void put(RingMeasure measure, double value) {
        figures.put(measure, value);
    }
}
