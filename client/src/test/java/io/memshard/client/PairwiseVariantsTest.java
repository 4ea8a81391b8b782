// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pairs are found here in another way than in the selection: by the values of two settings of each variant. */
class PairwiseVariantsTest {

    private record Pair(Object one, Object other) {}

    static Stream<Arguments> selections() {
        return Stream.of(
                Arguments.of(ClientVariant.all(), 20),
                Arguments.of(ClientVariant.allMeta(), 18),
                Arguments.of(ClientVariant.allMetaUnguarded(), 6));
    }

    private static Set<Pair> pairs(Collection<ClientVariant> variants) {
        Set<Pair> pairs = new HashSet<>();
        for (ClientVariant variant : variants) {
            pairs.add(new Pair(variant.server(), variant.protocol()));
            pairs.add(new Pair(variant.server(), variant.transport()));
            pairs.add(new Pair(variant.server(), variant.calls()));
            pairs.add(new Pair(variant.protocol(), variant.transport()));
            pairs.add(new Pair(variant.protocol(), variant.calls()));
            pairs.add(new Pair(variant.transport(), variant.calls()));
        }
        return pairs;
    }

    @ParameterizedTest
    @MethodSource("selections")
    void everyPairOfSettingsThatCanGoTogetherOccursInFew(List<ClientVariant> all, int size) {
        List<ClientVariant> chosen = PairwiseVariants.of(all);

        assertThat(all).containsAll(chosen);
        assertThat(pairs(chosen)).containsExactlyInAnyOrderElementsOf(pairs(all));
        assertThat(chosen).doesNotHaveDuplicates().hasSize(size);
    }

    /** What a machine without Docker runs, one that has memcached but no proxy, and one that has nothing. */
    @ParameterizedTest
    @MethodSource("selections")
    void everyPairOccursOnMachinesThatHaveOnlySomeServers(List<ClientVariant> all) {
        for (ServerKind last : EnumSet.of(ServerKind.TWEMPROXY, ServerKind.TLS, ServerKind.EMBEDDED_AUTHENTICATED)) {
            assertThat(pairs(upTo(last, PairwiseVariants.of(all))))
                    .as("up to %s", last)
                    .containsExactlyInAnyOrderElementsOf(pairs(upTo(last, all)));
        }
    }

    private static Set<ClientVariant> upTo(ServerKind last, List<ClientVariant> variants) {
        return variants.stream()
                .filter(variant -> variant.server().compareTo(last) <= 0)
                .collect(Collectors.toSet());
    }
}
