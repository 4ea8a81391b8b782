// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.datasource.SourceArm.OpenedSource;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Variants;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Openers of pools, by library. Settings that are not listed keep the library's defaults. */
final class Libraries {
    /** Names, classes and properties of data sources. The setters are called in the order of the properties. */
    private static final Map<String, String> BEANS = """
            druid com.alibaba.druid.pool.DruidDataSource $dbcp maxActive=$max
            dbcp1 org.apache.commons.dbcp.BasicDataSource $dbcp maxActive=$max maxIdle=$max
            tomcat org.apache.tomcat.jdbc.pool.DataSource $dbcp maxIdle=$max maxActive=$max
            hikari com.zaxxer.hikari.HikariDataSource driverClassName=$driver jdbcUrl=$url username=lab password=lab \
            minimumIdle=$min maximumPoolSize=$max
            bonecp com.jolbox.bonecp.BoneCPDataSource driverClass=$driver jdbcUrl=$url username=lab password=lab \
            partitionCount=1 minConnectionsPerPartition=$min maxConnectionsPerPartition=$max
            c3p0 com.mchange.v2.c3p0.ComboPooledDataSource driverClass=$driver jdbcUrl=$url user=lab password=lab \
            initialPoolSize=$min minPoolSize=$min maxPoolSize=$max
            proxool org.logicalcobwebs.proxool.ProxoolDataSource alias=lab driver=$driver driverUrl=$url user=lab \
            password=lab minimumConnectionCount=$min maximumConnectionCount=$max
            """.replace(
                    "$dbcp", "driverClassName=$driver url=$url username=lab password=lab initialSize=$min minIdle=$min")
            .lines()
            .map(line -> line.split(" ", 2))
            .collect(Collectors.toUnmodifiableMap(words -> words[0], words -> words[1]));

    private Libraries() {}

    record Sizes(int min, int max) {}

    /** Parses systems, one in each line: name, library, variant, and settings such as {@code fair=true}. */
    static List<Arm> arms(String systems, Function<Condition, Sizes> sizes) {
        return systems.lines()
                .map(line -> line.split(" *\\| ?", -1))
                .map(system -> Variants.arm(system[0], system[2], setup -> {
                    Sizes of = sizes.apply(setup.condition());
                    return SourceArm.open(url -> open(system[1], url, of, system[3]), of, setup.condition());
                }))
                .toList();
    }

    private static OpenedSource open(String library, String url, Sizes sizes, String settings) throws Exception {
        if (library.equals("jacamar")) {
            return jacamar(url, sizes, settings.equals("fair=true"));
        }
        String[] words = (BEANS.get(library) + " " + settings).strip().split(" ", -1);
        DataSource source = (DataSource) Bean.make(words[0]);
        for (String property : List.of(words).subList(1, words.length)) {
            String[] sides = property.split("=", 2);
            Bean.set(source, sides[0], value(sides[1], url, sizes));
        }
        return switch (library) {
            case "druid" -> {
                Bean.call(source, "init");
                Map<String, Double> figures = Map.of("lock_is_fair", isFair(source));
                yield new OpenedSource(source, () -> Bean.call(source, "close"), figures);
            }
            // Proxool has no method that closes a source. Its threads are daemons.
            case "proxool" -> new OpenedSource(source, () -> {}, Map.of());
            default -> new OpenedSource(source, () -> Bean.call(source, "close"), Map.of());
        };
    }

    private static Object value(String text, String url, Sizes sizes) {
        return switch (text) {
            case "$driver" -> StubDriver.class.getName();
            case "$url" -> url;
            case "$min" -> sizes.min();
            case "$max" -> sizes.max();
            case "true", "false" -> Boolean.valueOf(text);
            default ->
                text.matches("\\d+")
                        ? Integer.valueOf(text)
                        : text.matches("\\d+L") ? Long.valueOf(text.substring(0, text.length() - 1)) : text;
        };
    }

    private static double isFair(DataSource druid) throws ReflectiveOperationException {
        Field lock = Stream.<Class<?>>iterate(druid.getClass(), Class::getSuperclass)
                .flatMap(type -> Stream.of(type.getDeclaredFields()))
                .filter(field -> field.getName().equals("lock"))
                .findFirst()
                .orElseThrow();
        lock.setAccessible(true);
        return ((ReentrantLock) lock.get(druid)).isFair() ? 1 : 0;
    }

    private static OpenedSource jacamar(String url, Sizes sizes, boolean fair) throws Exception {
        String core = "org.jboss.jca.core.";
        String adapters = "org.jboss.jca.adapters.jdbc.";
        Object factory = Bean.make(adapters + "local.LocalManagedConnectionFactory");
        Bean.set(factory, "driverClass", StubDriver.class.getName());
        Bean.set(factory, "connectionURL", url);
        Bean.set(factory, "userName", "lab");
        Bean.set(factory, "password", "lab");
        Bean.set(factory, "resourceAdapter", Bean.make(adapters + "JDBCResourceAdapter"));
        Object configuration = Bean.make(core + "api.connectionmanager.pool.PoolConfiguration");
        Bean.set(configuration, "initialSize", sizes.min());
        Bean.set(configuration, "minSize", sizes.min());
        Bean.set(configuration, "maxSize", sizes.max());
        Bean.set(configuration, "fair", fair);
        Object pool = Bean.call(
                Bean.make(core + "connectionmanager.pool.api.PoolFactory"),
                "create",
                constant(core + "connectionmanager.pool.api.PoolStrategy", "ONE_POOL"),
                factory,
                configuration,
                false,
                true,
                core + "connectionmanager.pool.mcp.SemaphoreArrayListManagedConnectionPool");
        Bean.set(pool, "name", "lab");
        Object manager = Bean.call(
                Bean.make(core + "connectionmanager.ConnectionManagerFactory"),
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
        DataSource source = (DataSource) Bean.call(factory, "createConnectionFactory", manager);
        return new OpenedSource(source, () -> Bean.call(pool, "shutdown"), Map.of());
    }

    private static Object constant(String enumeration, String name) throws ReflectiveOperationException {
        return Class.forName(enumeration).getField(name).get(null);
    }
}
