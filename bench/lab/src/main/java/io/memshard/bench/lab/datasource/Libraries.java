// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.variant.Bean;
import java.util.Map;
import javax.sql.DataSource;

/**
 * How each library's pool is opened: the sizes, and the settings that the caller adds. Everything else is as shipped.
 *
 * <p>Threading: stateless.
 */
final class Libraries {

    private static final String DRIVER = StubDriver.class.getName();
    private static final String USER = "lab";

    private Libraries() {}

    /** Further settings of a pool. */
    @FunctionalInterface
    interface Settings {

        void apply(Bean bean) throws ReflectiveOperationException;
    }

    /** Nothing further. */
    static final Settings AS_SHIPPED = bean -> {};

    static OpenedSource druid(String url, Sizes sizes, Settings settings) throws Exception {
        Bean druid = bean("com.alibaba.druid.pool.DruidDataSource", url, sizes).set("maxActive", sizes.max());
        settings.apply(druid);
        druid.call("init");
        return OpenedSource.of(druid, "close").with("lock_is_fair", DruidLock.isFair(druid) ? 1 : 0);
    }

    static OpenedSource dbcp1(String url, Sizes sizes, Settings settings) throws Exception {
        return opened(
                bean("org.apache.commons.dbcp.BasicDataSource", url, sizes)
                        .set("maxActive", sizes.max())
                        .set("maxIdle", sizes.max()),
                settings);
    }

    static OpenedSource dbcp2(String url, Sizes sizes, Settings settings) throws Exception {
        return opened(
                bean("org.apache.commons.dbcp2.BasicDataSource", url, sizes)
                        .set("maxTotal", sizes.max())
                        .set("maxIdle", sizes.max()),
                settings);
    }

    static OpenedSource tomcat(String url, Sizes sizes, Settings settings) throws Exception {
        return opened(
                bean("org.apache.tomcat.jdbc.pool.DataSource", url, sizes)
                        .set("maxIdle", sizes.max())
                        .set("maxActive", sizes.max()),
                settings);
    }

    /** One of those that have the names of properties of the first DBCP. */
    private static Bean bean(String type, String url, Sizes sizes) throws ReflectiveOperationException {
        return Bean.of(type)
                .set("driverClassName", DRIVER)
                .set("url", url)
                .set("username", USER)
                .set("password", USER)
                .set("initialSize", sizes.initial())
                .set("minIdle", sizes.min());
    }

    private static OpenedSource opened(Bean bean, Settings settings) throws Exception {
        settings.apply(bean);
        return OpenedSource.of(bean, "close");
    }

    static OpenedSource hikari(String url, Sizes sizes, Settings settings) throws Exception {
        Bean hikari = Bean.of("com.zaxxer.hikari.HikariDataSource")
                .set("driverClassName", DRIVER)
                .set("jdbcUrl", url)
                .set("username", USER)
                .set("password", USER)
                .set("minimumIdle", sizes.min())
                .set("maximumPoolSize", sizes.max());
        return opened(hikari, settings);
    }

    static OpenedSource bonecp(String url, Sizes sizes, Settings settings) throws Exception {
        Bean bonecp = Bean.of("com.jolbox.bonecp.BoneCPDataSource")
                .set("driverClass", DRIVER)
                .set("jdbcUrl", url)
                .set("username", USER)
                .set("password", USER)
                .set("partitionCount", 1)
                .set("minConnectionsPerPartition", sizes.min())
                .set("maxConnectionsPerPartition", sizes.max());
        return opened(bonecp, settings);
    }

    static OpenedSource c3p0(String url, Sizes sizes, Settings settings) throws Exception {
        Bean c3p0 = Bean.of("com.mchange.v2.c3p0.ComboPooledDataSource")
                .set("driverClass", DRIVER)
                .set("jdbcUrl", url)
                .set("user", USER)
                .set("password", USER)
                .set("initialPoolSize", sizes.initial())
                .set("minPoolSize", sizes.min())
                .set("maxPoolSize", sizes.max());
        return opened(c3p0, settings);
    }

    /** Proxool has its pools in a static table, by alias. It never waits for a connection: it throws. */
    static OpenedSource proxool(String url, Sizes sizes) throws Exception {
        Bean proxool = Bean.of("org.logicalcobwebs.proxool.ProxoolDataSource")
                .set("alias", USER)
                .set("driver", DRIVER)
                .set("driverUrl", url)
                .set("user", USER)
                .set("password", USER)
                .set("minimumConnectionCount", sizes.min())
                .set("maximumConnectionCount", sizes.max());
        return new OpenedSource(
                proxool.as(DataSource.class),
                () -> Bean.callStatic("org.logicalcobwebs.proxool.ProxoolFacade", "removeConnectionPool", USER, 0),
                Map.of());
    }
}
