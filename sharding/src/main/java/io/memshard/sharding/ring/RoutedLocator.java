// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/** Locator that places a key by a part of the key only. See {@link Ring#routedBy}. */
record RoutedLocator(ServerLocator whole, UnaryOperator<String> part) implements ServerLocator {

    @Override
    public List<Server> servers() {
        return whole.servers();
    }

    @Override
    public int locate(String key) {
        return whole.locate(part.apply(key));
    }

    @Override
    public int locate(String key, IntPredicate accepts) {
        return whole.locate(part.apply(key), accepts);
    }
}
