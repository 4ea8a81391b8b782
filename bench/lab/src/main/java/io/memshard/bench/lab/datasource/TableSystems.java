// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.Variants;
import java.util.List;

/**
 * The systems of {@code druid-table} and their settings, each with its reason.
 *
 * <p>All have the sizes of Druid's test: 10 at first, 10 at least, 50 at most, and as many idle. {@code -shipped} has
 * nothing else. {@code -equal} does the same work in all: no validation, no statement cache, no tracking of
 * connections, and callers may overtake where that can be chosen. A library whose defaults are that already has one
 * row.
 *
 * <p>Threading: stateless.
 */
final class TableSystems {

    private static final String NOTHING_TO_EQUAL = "sizes only; validates nothing and caches nothing by default";

    private TableSystems() {}

    /** All; the Druid of the table is the baseline. */
    static List<Arm> arms() {
        return List.of(
                arm("druid-0.2.9-shipped", "sizes only: tests on borrow", "druid-0.2.9", TableSystems::druid),
                arm("druid-0.2.9-equal", "testOnBorrow and testWhileIdle off", "druid-0.2.9", TableSystems::druidEqual),
                arm("druid-1.1.20-shipped", "sizes only: unfair lock", "druid-1.1.20", TableSystems::druid),
                arm("druid-1.1.20-equal", "testWhileIdle off", "druid-1.1.20", TableSystems::druidEqual),
                arm("druid-1.2.28-shipped", "sizes only: unfair lock", "druid-1.2.28", TableSystems::druid),
                arm("druid-1.2.28-equal", "testWhileIdle off", "druid-1.2.28", TableSystems::druidEqual),
                arm(
                        "dbcp-1.4-shipped",
                        NOTHING_TO_EQUAL + "; callers in order by construction",
                        "dbcp-1.4-pool-1.5.4",
                        (url, sizes) -> Libraries.dbcp1(url, sizes, Libraries.AS_SHIPPED)),
                arm(
                        "dbcp2-2.14.0-shipped",
                        "sizes only: isValid on each borrow",
                        "dbcp2-2.14.0",
                        (url, sizes) -> Libraries.dbcp2(url, sizes, Libraries.AS_SHIPPED)),
                arm(
                        "dbcp2-2.14.0-equal",
                        "testOnBorrow off",
                        "dbcp2-2.14.0",
                        (url, sizes) -> Libraries.dbcp2(url, sizes, bean -> bean.set("testOnBorrow", false))),
                arm("bonecp-0.7.1-shipped", "sizes only: tracks connections", "bonecp-0.7.1", TableSystems::bonecp),
                arm(
                        "bonecp-0.7.1-as-in-2012",
                        "serviceOrder LIFO, statement cache 100, as in Druid's test: a LinkedBlockingDeque",
                        "bonecp-0.7.1",
                        (url, sizes) -> Libraries.bonecp(
                                url,
                                sizes,
                                bean -> bean.set("serviceOrder", "LIFO")
                                        .set("statementsCacheSize", 100)
                                        .set("acquireIncrement", 5))),
                arm("bonecp-0.7.1-equal", "tracking off", "bonecp-0.7.1", TableSystems::boneCpEqual),
                arm("bonecp-0.8.0-shipped", "sizes only: tracks connections", "bonecp-0.8.0", TableSystems::bonecp),
                arm("bonecp-0.8.0-equal", "tracking off", "bonecp-0.8.0", TableSystems::boneCpEqual),
                arm("c3p0-0.9.1.2-shipped", NOTHING_TO_EQUAL, "c3p0-0.9.1.2", TableSystems::c3p0),
                arm("c3p0-0.14.1-shipped", NOTHING_TO_EQUAL, "c3p0-0.14.1", TableSystems::c3p0),
                arm(
                        "proxool-0.9.1-shipped",
                        NOTHING_TO_EQUAL + "; never waits but throws when all are out",
                        "proxool-0.9.1",
                        (url, sizes) -> Libraries.proxool(url, sizes)),
                arm("tomcat-jdbc-7.0.33-shipped", "sizes only: fairQueue", "tomcat-jdbc-7.0.33", TableSystems::tomcat),
                arm("tomcat-jdbc-7.0.33-equal", "fairQueue off", "tomcat-jdbc-7.0.33", TableSystems::tomcatEqual),
                arm(
                        "tomcat-jdbc-11.0.25-shipped",
                        "sizes only: fairQueue",
                        "tomcat-jdbc-11.0.25",
                        TableSystems::tomcat),
                arm("tomcat-jdbc-11.0.25-equal", "fairQueue off", "tomcat-jdbc-11.0.25", TableSystems::tomcatEqual),
                arm(
                        "ironjacamar-1.4.35-shipped",
                        "sizes only: fair; stands in for the JBoss row",
                        "ironjacamar-1.4.35",
                        (url, sizes) -> IronJacamar.open(url, sizes, true)),
                arm(
                        "ironjacamar-1.4.35-equal",
                        "fair off; stands in for the JBoss row",
                        "ironjacamar-1.4.35",
                        (url, sizes) -> IronJacamar.open(url, sizes, false)),
                arm(
                        "tbdatasource-2.0.2",
                        "the JBoss row of the table: a private fork, in no public repository",
                        "tbdatasource-2.0.2",
                        (url, sizes) -> {
                            throw new UnsupportedOperationException("tbdatasource 2.0.2 is in no public repository");
                        }),
                arm(
                        "hikari-3.4.2-shipped",
                        "sizes only: isValid after 500 ms idle",
                        "hikari-3.4.2",
                        TableSystems::hikari),
                arm(
                        "hikari-7.1.0-shipped",
                        "sizes only: isValid after 500 ms idle",
                        "hikari-7.1.0",
                        TableSystems::hikari));
    }

    private static OpenedSource druid(String url, Sizes sizes) throws Exception {
        return Libraries.druid(url, sizes, Libraries.AS_SHIPPED);
    }

    private static OpenedSource druidEqual(String url, Sizes sizes) throws Exception {
        return Libraries.druid(
                url, sizes, bean -> bean.set("testOnBorrow", false).set("testWhileIdle", false));
    }

    private static OpenedSource bonecp(String url, Sizes sizes) throws Exception {
        return Libraries.bonecp(url, sizes, Libraries.AS_SHIPPED);
    }

    private static OpenedSource boneCpEqual(String url, Sizes sizes) throws Exception {
        return Libraries.bonecp(url, sizes, bean -> bean.set("disableConnectionTracking", true));
    }

    private static OpenedSource c3p0(String url, Sizes sizes) throws Exception {
        return Libraries.c3p0(url, sizes, Libraries.AS_SHIPPED);
    }

    private static OpenedSource tomcat(String url, Sizes sizes) throws Exception {
        return Libraries.tomcat(url, sizes, Libraries.AS_SHIPPED);
    }

    private static OpenedSource tomcatEqual(String url, Sizes sizes) throws Exception {
        return Libraries.tomcat(url, sizes, bean -> bean.set("fairQueue", false));
    }

    private static OpenedSource hikari(String url, Sizes sizes) throws Exception {
        return Libraries.hikari(url, sizes, Libraries.AS_SHIPPED);
    }

    private static Arm arm(String name, String settings, String variant, OpenedSource.Opener opener) {
        return Variants.named(variant)
                .arm(name, settings, setup -> SourceArm.open(opener, Sizes.OF_THE_TABLE, setup.condition()));
    }
}
