// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes the items of a pool and remembers them. Threading: thread-safe. */
final class Items {

    private final Queue<Item> made = new ConcurrentLinkedQueue<>();

    Item make() {
        Item item = new Item();
        made.add(item);
        return item;
    }

    /** How many were made since the pool was opened; a pool that destroys idle items makes new ones. */
    int made() {
        return made.size();
    }

    /** Uses of all items, as they counted. */
    long uses() {
        return made.stream().mapToLong(Item::uses).sum();
    }
}
