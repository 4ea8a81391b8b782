// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Locator on a circle of places. Each element of {@code owners} is the index of the server of a place. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record CircleLocator(List<Server> servers, int[] owners, ToIntFunction<String> placeOf) implements ServerLocator {

    @Override
    public int locate(String key) {
        return owners[placeOf.applyAsInt(key)];
    }

    @Override
    public int locate(String key, IntPredicate accepts) {
        int place = placeOf.applyAsInt(key);
        // Without an accepted server, the loop would test the owner of each place.
        boolean any = accepts.test(owners[place])
                || IntStream.range(0, servers.size()).anyMatch(accepts);
        for (int step = 0; any && step < owners.length; step++) {
            int owner = owners[(place + step) % owners.length];
            if (accepts.test(owner)) {
                return owner;
            }
        }
        return NONE;
    }
}
