// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static java.util.Map.entry;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.variant.Bean;
import io.memshard.bench.lab.variant.Variants;
import java.lang.reflect.Field;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Opener of each library's pool, with the sizes and the settings of an arm. Everything else is as shipped. Threading:
 * stateless.
 */
final class Libraries {
    /**
     * Class and properties of each data source that is a bean, in the order in which the setters are called. Some
     * libraries took their property names from the first DBCP.
     */
    private static final Map<String, String> BEANS = Map.ofEntries(
            entry("druid", "com.alibaba.druid.pool.DruidDataSource " + dbcp("maxActive=$max")),
            entry("dbcp1", "org.apache.commons.dbcp.BasicDataSource " + dbcp("maxActive=$max maxIdle=$max")),
            entry("dbcp2", "org.apache.commons.dbcp2.BasicDataSource " + dbcp("maxTotal=$max maxIdle=$max")),
            entry("tomcat", "org.apache.tomcat.jdbc.pool.DataSource " + dbcp("maxIdle=$max maxActive=$max")),
            entry(
                    "hikari",
                    "com.zaxxer.hikari.HikariDataSource driverClassName=$driver jdbcUrl=$url username=lab password=lab"
                            + " minimumIdle=$min maximumPoolSize=$max"),
            entry(
                    "bonecp",
                    "com.jolbox.bonecp.BoneCPDataSource driverClass=$driver jdbcUrl=$url username=lab password=lab"
                            + " partitionCount=1 minConnectionsPerPartition=$min maxConnectionsPerPartition=$max"),
            entry(
                    "c3p0",
                    "com.mchange.v2.c3p0.ComboPooledDataSource driverClass=$driver jdbcUrl=$url user=lab password=lab"
                            + " initialPoolSize=$initial minPoolSize=$min maxPoolSize=$max"),
            entry(
                    "proxool",
                    "org.logicalcobwebs.proxool.ProxoolDataSource alias=lab driver=$driver driverUrl=$url user=lab"
                            + " password=lab minimumConnectionCount=$min maximumConnectionCount=$max"));

    private Libraries() {}

    private static String dbcp(String most) {
        return "driverClassName=$driver url=$url username=lab password=lab initialSize=$initial minIdle=$min " + most;
    }

    /** Connections of a pool: those that it opens first, those that it keeps open, and the most at a time. */
    record Sizes(int initial, int min, int max) {
        /** Returns the sizes of a pool that opens {@code max} connections at the start and keeps them open. */
        static Sizes fixed(int max) {
            return new Sizes(max, max, max);
        }
    }

    /** Open pool of connections, with figures such as {@code lock_is_fair}. */
    record OpenedSource(DataSource source, AutoCloseable closer, Map<String, Double> figures) {}

    /**
     * Returns the arms of {@code systems}. Each line has name, library, variant, and settings such as {@code
     * fair=true}.
     */
    static List<Arm> arms(String systems, Function<Condition, Sizes> sizes) {
        return systems.lines()
                .map(line -> line.split(" *\\| ?", -1))
                .map(system -> Variants.arm(system[0], system[3], system[2], setup -> {
                    Sizes of = sizes.apply(setup.condition());
                    return new SourceArm(url -> open(system[1], url, of, system[3]), of, setup.condition());
                }))
                .toList();
    }

    private static OpenedSource open(String library, String url, Sizes sizes, String settings) throws Exception {
        return switch (library) {
            case "none" -> throw new UnsupportedOperationException("the system is in no public repository");
            case "jacamar" -> jacamar(url, sizes, settings.equals("fair=true"));
            case "pool2" -> pool2(url, sizes, settings.equals("fairness=true"));
            default -> bean(library, url, sizes, settings);
        };
    }

    private static OpenedSource bean(String library, String url, Sizes sizes, String settings) throws Exception {
        String[] words = (BEANS.get(library) + " " + settings).strip().split(" ", -1);
        Bean bean = Bean.of(words[0]);
        String lock = "";
        for (int i = 1; i < words.length; i++) {
            String[] sides = words[i].split("=", 2);
            if (sides[0].equals("lock")) {
                lock = sides[1];
            } else {
                bean.set(sides[0], value(sides[1], url, sizes));
            }
        }
        DataSource source = bean.as(DataSource.class);
        if (library.equals("proxool")) {
            // Proxool keeps its pools in a static table, by alias.
            String facade = "org.logicalcobwebs.proxool.ProxoolFacade";
            return new OpenedSource(source, () -> Bean.callStatic(facade, "removeConnectionPool", "lab", 0), Map.of());
        }
        if (!library.equals("druid")) {
            return new OpenedSource(source, () -> bean.call("close"), Map.of());
        }
        bean.call("init");
        boolean fair = druidIsFair(source);
        // The lab must not measure an arm whose lock differs from its settings.
        if (!lock.isEmpty() && fair != lock.equals("fair")) {
            bean.call("close");
            throw new IllegalStateException("the lock is " + (fair ? "fair" : "unfair") + " under " + settings);
        }
        return new OpenedSource(source, () -> bean.call("close"), Map.of("lock_is_fair", fair ? 1.0 : 0));
    }

    private static Object value(String text, String url, Sizes sizes) {
        return switch (text) {
            case "$driver" -> StubDriver.class.getName();
            case "$url" -> url;
            case "$initial" -> sizes.initial();
            case "$min" -> sizes.min();
            case "$max" -> sizes.max();
            case "true", "false" -> Boolean.valueOf(text);
            default ->
                text.matches("\\d+")
                        ? Integer.valueOf(text)
                        : text.matches("\\d+L") ? Long.valueOf(text.substring(0, text.length() - 1)) : text;
        };
    }

    private static boolean druidIsFair(DataSource druid) throws ReflectiveOperationException {
        for (Class<?> type = druid.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals("lock") && field.getType() == ReentrantLock.class) {
                    field.setAccessible(true);
                    return ((ReentrantLock) field.get(druid)).isFair();
                }
            }
        }
        throw new NoSuchFieldException("lock of " + druid.getClass().getName());
    }

    /**
     * Opens DBCP 2's {@code PoolingDataSource} over a Commons Pool 2 with {@code fair}, which {@code BasicDataSource}
     * cannot set.
     */
    private static OpenedSource pool2(String url, Sizes sizes, boolean fair) throws Exception {
        String dbcp = "org.apache.commons.dbcp2.";
        String impl = "org.apache.commons.pool2.impl.";
        // Registers the driver, which DriverManager is asked for below.
        Class.forName(StubDriver.class.getName());
        DriverManager.getDriver(url);
        Object connections = Bean.construct(dbcp + "DriverManagerConnectionFactory", url, new Properties());
        Object factory = Bean.construct(dbcp + "PoolableConnectionFactory", connections, null);
        Bean config = Bean.of(impl + "GenericObjectPoolConfig")
                .set("maxTotal", sizes.max())
                .set("maxIdle", sizes.max())
                .set("minIdle", sizes.min())
                .set("fairness", fair);
        Object pool = Bean.construct(impl + "GenericObjectPool", factory, config.as(Object.class));
        Bean.around(factory).set("pool", pool);
        for (int i = 0; i < sizes.initial(); i++) {
            Bean.around(pool).call("addObject");
        }
        DataSource source = (DataSource) Bean.construct(dbcp + "PoolingDataSource", pool);
        return new OpenedSource(source, () -> Bean.around(pool).call("close"), Map.of("lock_is_fair", fair ? 1.0 : 0));
    }

    /**
     * Opens IronJacamar, the pool of JBoss, without an application server. Without a resource adapter statements fail;
     * without a pool name or a flush strategy opening fails. As shipped the pool is fair.
     */
    private static OpenedSource jacamar(String url, Sizes sizes, boolean fair) throws Exception {
        String core = "org.jboss.jca.core.";
        String adapters = "org.jboss.jca.adapters.jdbc.";
        Bean factory = Bean.of(adapters + "local.LocalManagedConnectionFactory")
                .set("driverClass", StubDriver.class.getName())
                .set("connectionURL", url)
                .set("userName", "lab")
                .set("password", "lab")
                .set(
                        "resourceAdapter",
                        Bean.of(adapters + "JDBCResourceAdapter").as(Object.class));
        Bean configuration = Bean.of(core + "api.connectionmanager.pool.PoolConfiguration")
                .set("initialSize", sizes.initial())
                .set("minSize", sizes.min())
                .set("maxSize", sizes.max())
                .set("fair", fair);
        Object pool = Bean.of(core + "connectionmanager.pool.api.PoolFactory")
                .call(
                        "create",
                        constant(core + "connectionmanager.pool.api.PoolStrategy", "ONE_POOL"),
                        factory.as(Object.class),
                        configuration.as(Object.class),
                        false,
                        true,
                        core + "connectionmanager.pool.mcp.SemaphoreArrayListManagedConnectionPool");
        Bean.around(pool).set("name", "lab");
        Object manager = Bean.of(core + "connectionmanager.ConnectionManagerFactory")
                .call(
                        "createNonTransactional",
                        constant("javax.resource.spi.TransactionSupport$TransactionSupportLevel", "NoTransaction"),
                        pool,
                        null,
                        null,
                        false,
                        null,
                        false,
                        false,
                        false,
                        null,
                        constant("org.jboss.jca.common.api.metadata.common.FlushStrategy", "FAILING_CONNECTION_ONLY"),
                        null,
                        null);
        DataSource source = (DataSource) factory.call("createConnectionFactory", manager);
        return new OpenedSource(
                source, () -> Bean.around(pool).call("shutdown"), Map.of("lock_is_fair", fair ? 1.0 : 0));
    }

    private static Object constant(String enumeration, String name) throws ReflectiveOperationException {
        return Class.forName(enumeration).getField(name).get(null);
    }
}
