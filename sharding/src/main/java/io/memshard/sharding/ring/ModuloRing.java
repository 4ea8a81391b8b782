// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

record ModuloRing(Slots slots, KeyHash hash) implements Ring {

    enum Slots {
        ONE,
        BY_WEIGHT,
        BY_WEIGHT_SORTED;

        private int[] of(List<Server> servers) {
            IntStream indexes = IntStream.range(0, servers.size());
            if (this == ONE) {
                Servers.requireNoWeights(servers);
                return indexes.toArray();
            }
            int[] slots = new int
                    [Servers.checkedPoints(
                            servers.stream().mapToLong(Server::weight).sum())];
            Stream<Integer> ordered = this == BY_WEIGHT
                    ? indexes.boxed()
                    : indexes.boxed()
                            .sorted(Comparator.comparing(
                                    index -> NodeKey.LIBMEMCACHED_OR_PATH.of(servers.get(index)), SHORT_FIRST));
            int filled = 0;
            for (int index : ordered.toList()) {
                int end = filled + servers.get(index).weight();
                Arrays.fill(slots, filled, end, index);
                filled = end;
            }
            return slots;
        }
    }

    /** Order of twemproxy. Source: {@code string_compare} in {@code nc_string.c}. */
    private static final Comparator<String> SHORT_FIRST =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    @Override
    public ServerLocator locator(List<Server> servers) {
        List<Server> copy = Servers.checked(servers);
        int[] owners = slots.of(copy);
        return new CircleLocator(copy, owners, key -> (int) (hash.of(key) % owners.length));
    }
}
