// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.variant.Bean;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;

/**
 * Web application with its database, its pool and its callers, all in this process.
 *
 * <p>The database is H2 with enough rows that a query has to search for one. The pool is DBCP 1 or 2 as a driver, which
 * is how OpenCms uses it: {@code jdbc:apache:commons:dbcp:name}.
 */
final class PageArm implements OpenedArm {
    /** Number of connections: fewer than callers, so that pages wait for connections, as in OpenCms. */
    static final int CONNECTIONS = 25;

    private static final String NAME = "opencms";
    private static final String URL = "jdbc:apache:commons:dbcp:" + NAME;

    /** Connection that keeps the database alive. */
    private final Connection database;

    private final Object pool;
    private final PageServer server;
    private final List<PageCaller> callers = new ArrayList<>();

    /** Opens everything; {@code connector} makes the source of connections from the URL of the pool. */
    PageArm(Function<String, PageServer.Connector> connector) throws Exception {
        // The driver registers itself with DriverManager.
        Class.forName("org.h2.Driver");
        String url = "jdbc:h2:mem:pages-" + System.nanoTime();
        database = DriverManager.getConnection(url);
        try (Statement statement = database.createStatement()) {
            statement.execute("create table content (id int primary key, title varchar(100))");
            statement.execute("insert into content select x, '" + PageServer.TITLE + "' || x from system_range(0, "
                    + (PageServer.ROWS - 1) + ")");
        }
        pool = isPresent("org.apache.commons.dbcp2.PoolingDriver") ? dbcp2(url) : dbcp1(url);
        for (int i = 0; i < CONNECTIONS; i++) {
            Bean.around(pool).call("addObject");
        }
        server = new PageServer(connector.apply(URL));
    }

    private static boolean isPresent(String className) {
        try {
            Class.forName(className);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static Object dbcp1(String url) throws ReflectiveOperationException {
        String dbcp = "org.apache.commons.dbcp.";
        Object pool = Bean.of("org.apache.commons.pool.impl.GenericObjectPool")
                .set("maxActive", CONNECTIONS)
                .set("maxIdle", CONNECTIONS)
                .as(Object.class);
        Object source = Bean.construct(dbcp + "DriverManagerConnectionFactory", url, new Properties());
        // The factory registers itself with the pool: no statement cache, no validation query, read and write,
        // auto-commit.
        Bean.construct(dbcp + "PoolableConnectionFactory", source, pool, null, null, false, true);
        Bean.of(dbcp + "PoolingDriver").call("registerPool", NAME, pool);
        return pool;
    }

    private static Object dbcp2(String url) throws ReflectiveOperationException {
        String dbcp = "org.apache.commons.dbcp2.";
        Object source = Bean.construct(dbcp + "DriverManagerConnectionFactory", url, new Properties());
        Object factory = Bean.construct(dbcp + "PoolableConnectionFactory", source, null);
        Object config = Bean.of("org.apache.commons.pool2.impl.GenericObjectPoolConfig")
                .set("maxTotal", CONNECTIONS)
                .set("maxIdle", CONNECTIONS)
                .as(Object.class);
        Object pool = Bean.construct("org.apache.commons.pool2.impl.GenericObjectPool", factory, config);
        Bean.around(factory).set("pool", pool);
        Bean.of(dbcp + "PoolingDriver").call("registerPool", NAME, pool);
        return pool;
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        PageCaller made = new PageCaller(server.address(), caller * PageServer.ROWS / 500);
        callers.add(made);
        return made;
    }

    @Override
    public void close() throws IOException, SQLException, ReflectiveOperationException {
        for (PageCaller caller : callers) {
            caller.close();
        }
        server.close();
        Bean.around(pool).call("close");
        database.close();
    }
}
