// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import io.memshard.bench.lab.variant.Bean;
import java.sql.DriverManager;
import java.util.Properties;

/**
 * DBCP 1 or 2 as a driver of its own, which is how OpenCms uses it: {@code jdbc:apache:commons:dbcp:name}.
 *
 * <p>Threading: opened and closed by one thread.
 */
final class PooledDriver implements AutoCloseable {

    private static final String URL = "jdbc:apache:commons:dbcp:";
    private static final String NAME = "opencms";

    private final Object pool;

    private PooledDriver(Object pool) {
        this.pool = pool;
    }

    /**
     * Opens {@code connections} of them to {@code databaseUrl}, kept open and never validated; callers wait for one.
     */
    static PooledDriver open(String databaseUrl, int connections) throws ReflectiveOperationException {
        return isPresent("org.apache.commons.dbcp2.PoolingDriver")
                ? openDbcp2(databaseUrl, connections)
                : openDbcp1(databaseUrl, connections);
    }

    private static PooledDriver openDbcp1(String databaseUrl, int connections) throws ReflectiveOperationException {
        String dbcp = "org.apache.commons.dbcp.";
        Object pool = Bean.of("org.apache.commons.pool.impl.GenericObjectPool")
                .set("maxActive", connections)
                .set("maxIdle", connections)
                .as(Object.class);
        Object source = Bean.construct(dbcp + "DriverManagerConnectionFactory", databaseUrl, new Properties());
        // Registers itself with the pool: no cache of statements, no query that validates, read and write, auto-commit.
        Bean.construct(dbcp + "PoolableConnectionFactory", source, pool, null, null, false, true);
        return register(dbcp, pool, connections);
    }

    private static PooledDriver openDbcp2(String databaseUrl, int connections) throws ReflectiveOperationException {
        String dbcp = "org.apache.commons.dbcp2.";
        Object source = Bean.construct(dbcp + "DriverManagerConnectionFactory", databaseUrl, new Properties());
        Object factory = Bean.construct(dbcp + "PoolableConnectionFactory", source, null);
        Object config = Bean.of("org.apache.commons.pool2.impl.GenericObjectPoolConfig")
                .set("maxTotal", connections)
                .set("maxIdle", connections)
                .as(Object.class);
        Object pool = Bean.construct("org.apache.commons.pool2.impl.GenericObjectPool", factory, config);
        Bean.around(factory).set("pool", pool);
        return register(dbcp, pool, connections);
    }

    private static PooledDriver register(String dbcp, Object pool, int connections)
            throws ReflectiveOperationException {
        Bean.of(dbcp + "PoolingDriver").call("registerPool", NAME, pool);
        for (int i = 0; i < connections; i++) {
            Bean.around(pool).call("addObject");
        }
        return new PooledDriver(pool);
    }

    private static boolean isPresent(String className) {
        try {
            Class.forName(className);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** What {@link DriverManager} takes. */
    String url() {
        return URL + NAME;
    }

    @Override
    public void close() {
        try {
            Bean.around(pool).call("close");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the pool does not close", e);
        }
    }
}
