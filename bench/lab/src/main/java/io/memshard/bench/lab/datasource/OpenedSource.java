// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.variant.Bean;
import java.util.Map;
import javax.sql.DataSource;

/**
 * A pool of connections that is open.
 *
 * @param source where callers get connections
 * @param closer closes the pool
 * @param figures what was found out about it when it was opened, such as {@code lock_is_fair}
 */
record OpenedSource(DataSource source, Closer closer, Map<String, Double> figures) {

    static OpenedSource of(Bean bean, String closeMethod) {
        return new OpenedSource(bean.as(DataSource.class), () -> bean.call(closeMethod), Map.of());
    }

    OpenedSource with(String figure, double value) {
        return new OpenedSource(source, closer, Map.of(figure, value));
    }

    /** Closes a pool. */
    @FunctionalInterface
    interface Closer {

        void close() throws Exception;
    }

    /** Opens a pool over the stub. */
    @FunctionalInterface
    interface Opener {

        OpenedSource open(String url, Sizes sizes) throws Exception;
    }
}
