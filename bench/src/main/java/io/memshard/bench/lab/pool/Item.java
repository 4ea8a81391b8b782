// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Pooled item. Its count of uses is too low if two callers use the item at once. */
final class Item {
    private static final int LONGS = 48;
    private static final int MIDDLE = LONGS / 2;

    private final long[] padded = new long[LONGS];

    static List<Item> make(int number) {
        return Stream.generate(Item::new).limit(number).toList();
    }

    static OpenedArm arm(Pool<Item> pool, List<Item> items, Condition condition) {
        return new PoolArm<>(pool, (item, number) -> item.use(), condition, uses -> {
            long counted = items.stream().mapToLong(item -> item.padded[MIDDLE]).sum();
            return Map.of(PoolArm.LOST_USES, (double) (uses - counted));
        });
    }

    long use() {
        return ++padded[MIDDLE];
    }
}
