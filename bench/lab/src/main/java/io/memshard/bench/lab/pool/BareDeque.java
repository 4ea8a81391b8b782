// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.concurrent.LinkedBlockingDeque;

/** The deque of the JDK and nothing around it: two acquisitions of one lock a borrow and return. */
final class BareDeque implements Pool<Item> {

    private final LinkedBlockingDeque<Item> idle = new LinkedBlockingDeque<>();

    private BareDeque() {}

    static BareDeque open(int max, Items items) {
        BareDeque pool = new BareDeque();
        for (int i = 0; i < max; i++) {
            pool.idle.addFirst(items.make());
        }
        return pool;
    }

    @Override
    public Item borrow() throws InterruptedException {
        return idle.takeFirst();
    }

    @Override
    public Item item(Item borrowed) {
        return borrowed;
    }

    @Override
    public void giveBack(Item borrowed) {
        idle.addFirst(borrowed);
    }

    @Override
    public void close() {
        idle.clear();
    }
}
