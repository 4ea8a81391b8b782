// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.variant.Bean;
import java.sql.DriverManager;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;

/** DBCP 2's {@code PoolingDataSource} over a Commons Pool 2 whose fairness is set; {@code BasicDataSource} cannot. */
final class PoolingSource {

    private static final String DBCP = "org.apache.commons.dbcp2.";
    private static final String POOL = "org.apache.commons.pool2.";

    private PoolingSource() {}

    static OpenedSource open(String url, Sizes sizes, boolean fair) throws Exception {
        // Registers the driver, which DriverManager is asked for below.
        Class.forName(StubDriver.class.getName());
        DriverManager.getDriver(url);
        Object connections = Bean.construct(DBCP + "DriverManagerConnectionFactory", url, new Properties());
        Object factory = Bean.construct(DBCP + "PoolableConnectionFactory", connections, null);
        Bean config = Bean.of(POOL + "impl.GenericObjectPoolConfig")
                .set("maxTotal", sizes.max())
                .set("maxIdle", sizes.max())
                .set("minIdle", sizes.min())
                .set("fairness", fair);
        Object pool = Bean.construct(POOL + "impl.GenericObjectPool", factory, config.as(Object.class));
        Bean.around(factory).set("pool", pool);
        for (int i = 0; i < sizes.initial(); i++) {
            Bean.around(pool).call("addObject");
        }
        DataSource source = (DataSource) Bean.construct(DBCP + "PoolingDataSource", pool);
        return new OpenedSource(source, () -> Bean.around(pool).call("close"), Map.of("lock_is_fair", fair ? 1.0 : 0));
    }
}
