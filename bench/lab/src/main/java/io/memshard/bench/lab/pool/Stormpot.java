// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

/** Stormpot 3 and 4: a slot of the calling thread first, a queue behind it. */
final class Stormpot implements Pool<Object> {

    private final Object pool;

    private Stormpot(Object pool) {
        this.pool = pool;
    }

    static Stormpot open(int max, Items items) throws Exception {
        Object[] all = new Object[max];
        for (int i = 0; i < max; i++) {
            all[i] = items.make();
        }
        return new Stormpot(StormpotCalls.open(all));
    }

    @Override
    public Object borrow() throws Exception {
        return StormpotCalls.claim(pool);
    }

    @Override
    public Item item(Object borrowed) {
        return (Item) StormpotCalls.object(borrowed);
    }

    @Override
    public void giveBack(Object borrowed) {
        StormpotCalls.release(borrowed);
    }

    @Override
    public void close() throws Exception {
        StormpotCalls.close(pool);
    }
}
