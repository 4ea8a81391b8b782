// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A few variants that stand for many: what two settings do together is in one of them, if it is in any of the many.
 *
 * <p>Chosen one kind of server after the other, in the order of {@link ServerKind}, so that a machine which lacks the
 * later kinds still runs each pair that it can.
 */
final class PairwiseVariants {

    private PairwiseVariants() {}

    /** Some of {@code all}, in which every pair of settings occurs that occurs in {@code all}; always the same ones. */
    static List<ClientVariant> of(List<ClientVariant> all) {
        List<ClientVariant> chosen = new ArrayList<>();
        Set<Set<Enum<?>>> covered = new HashSet<>();
        for (ServerKind server : ServerKind.values()) {
            List<ClientVariant> candidates =
                    all.stream().filter(variant -> variant.server() == server).toList();
            Comparator<ClientVariant> byNewPairs = Comparator.<ClientVariant>comparingLong(
                            variant -> uncovered(pairsWithout(server, variant), covered))
                    .thenComparingLong(variant -> uncovered(pairsWith(server, variant), covered));
            while (candidates.stream().anyMatch(variant -> uncovered(pairsWith(server, variant), covered) > 0)) {
                ClientVariant best = candidates.stream().max(byNewPairs).orElseThrow();
                chosen.add(best);
                covered.addAll(pairs(best).toList());
            }
        }
        return chosen;
    }

    private static long uncovered(Stream<Set<Enum<?>>> pairs, Set<Set<Enum<?>>> covered) {
        return pairs.filter(pair -> !covered.contains(pair)).count();
    }

    private static Stream<Set<Enum<?>>> pairsWith(ServerKind server, ClientVariant variant) {
        return pairs(variant).filter(pair -> pair.contains(server));
    }

    private static Stream<Set<Enum<?>>> pairsWithout(ServerKind server, ClientVariant variant) {
        return pairs(variant).filter(pair -> !pair.contains(server));
    }

    /** Each two of a variant's settings, which are constants of four enums. */
    private static Stream<Set<Enum<?>>> pairs(ClientVariant variant) {
        List<Enum<?>> settings = List.of(variant.server(), variant.protocol(), variant.transport(), variant.calls());
        return settings.stream()
                .flatMap(one -> settings.stream().filter(other -> other != one).map(other -> Set.of(one, other)));
    }
}
