// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.pool.PoolArm.Items;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.pool.BasePoolableObjectFactory;
import org.apache.commons.pool.impl.GenericObjectPool;

/**
 * Commons Pool 1.3 to 1.6, which have the same methods: one monitor, taken two to six times for a borrow and return.
 */
final class CommonsPool1 {

    private CommonsPool1() {}

    /**
     * Opens the pool as shipped, except that it keeps up to {@code max} idle items. With the default of 8 it would drop
     * items and make new ones.
     */
    static Pool<Object> open(int max, Items items) throws Exception {
        GenericObjectPool pool = new GenericObjectPool(new BasePoolableObjectFactory() {
            @Override
            public Object makeObject() {
                return items.make();
            }
        });
        pool.setMaxActive(max);
        pool.setMaxIdle(max);
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < max; i++) {
            all.add(pool.borrowObject());
        }
        for (Object each : all) {
            pool.returnObject(each);
        }
        return Pool.of(pool::borrowObject, pool::returnObject, pool::close);
    }
}
