// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.sharding.ring.Server;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A list of servers after a change, and which of the servers before it each was. Threading: immutable.
 *
 * @param moved the measure of the keys that move
 * @param astray the measure of those of them that neither leave {@code loser} nor come to {@code gainer}; null for a
 *     change that has neither, so that each key that moves is astray
 * @param servers afterwards
 * @param was the index before of each server, or {@value #NONE} for a new one
 * @param loser the index before of the server that may lose keys, or {@value #NONE}
 * @param gainer the index afterwards of the server that may gain keys, or {@value #NONE}
 */
record Change(
        RingMeasure moved,
        @Nullable RingMeasure astray,
        List<Server> servers,
        List<Integer> was,
        int loser,
        int gainer) {

    static final int NONE = -1;

    /** Those of a fleet without weights. */
    static List<Change> plain(Fleet fleet, int count, long seed) {
        List<Server> before = fleet.plain(count);
        return List.of(
                added(RingMeasure.ADDED_MOVED, RingMeasure.ADDED_ASTRAY, before, fleet.server(count)),
                removed(before),
                replaced(before, fleet.server(count)),
                reordered(before, seed),
                readdressed(before, fleet));
    }

    /** Those of a fleet with weights. */
    static List<Change> weighted(Fleet fleet, int count) {
        List<Server> before = fleet.weighted(count);
        Server heavy = fleet.server(count).withWeight(Fleet.HEAVY);
        return List.of(
                added(RingMeasure.HEAVY_ADDED_MOVED, RingMeasure.HEAVY_ADDED_ASTRAY, before, heavy),
                reweighted(before));
    }

    private static Change added(RingMeasure moved, RingMeasure astray, List<Server> before, Server server) {
        int count = before.size();
        List<Server> after = new ArrayList<>(before);
        after.add(server);
        List<Integer> was = identity(count);
        was.add(NONE);
        return new Change(moved, astray, after, was, NONE, count);
    }

    private static Change removed(List<Server> before) {
        int middle = before.size() / 2;
        List<Server> after = new ArrayList<>(before);
        after.remove(middle);
        List<Integer> was = identity(before.size());
        was.remove(middle);
        return new Change(RingMeasure.REMOVED_MOVED, RingMeasure.REMOVED_ASTRAY, after, was, middle, NONE);
    }

    private static Change replaced(List<Server> before, Server other) {
        int middle = before.size() / 2;
        List<Integer> was = identity(before.size());
        was.set(middle, NONE);
        return new Change(
                RingMeasure.REPLACED_MOVED,
                RingMeasure.REPLACED_ASTRAY,
                with(before, middle, other),
                was,
                middle,
                middle);
    }

    private static Change reordered(List<Server> before, long seed) {
        List<Integer> order = shuffled(before.size(), seed);
        List<Server> after = order.stream().map(before::get).toList();
        return new Change(RingMeasure.REORDERED_MOVED, null, after, order, NONE, NONE);
    }

    private static Change readdressed(List<Server> before, Fleet fleet) {
        int middle = before.size() / 2;
        List<Server> after = with(before, middle, fleet.readdressed(before.get(middle), middle));
        return new Change(RingMeasure.READDRESSED_MOVED, null, after, identity(before.size()), NONE, NONE);
    }

    private static Change reweighted(List<Server> before) {
        return new Change(
                RingMeasure.REWEIGHTED_MOVED,
                RingMeasure.REWEIGHTED_ASTRAY,
                with(before, 0, before.get(0).withWeight(2)),
                identity(before.size()),
                NONE,
                0);
    }

    private static List<Server> with(List<Server> before, int index, Server server) {
        List<Server> after = new ArrayList<>(before);
        after.set(index, server);
        return after;
    }

    private static List<Integer> identity(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toCollection(ArrayList::new));
    }

    /** Returns an order in which no server keeps its place: one cycle. Source: S. Sattolo, 1986. */
    private static List<Integer> shuffled(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Integer> order = identity(count);
        for (int i = count - 1; i > 0; i--) {
            Collections.swap(order, i, random.nextInt(i));
        }
        return order;
    }
}
