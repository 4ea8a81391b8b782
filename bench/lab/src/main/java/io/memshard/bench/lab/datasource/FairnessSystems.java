// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.Variants;
import java.util.List;

/**
 * The systems of {@code druid-fairness} and their settings, each with its reason. All have every connection open from
 * the beginning, so that nobody waits for one to be opened.
 *
 * <p>Threading: stateless.
 */
final class FairnessSystems {

    /** Parameter with the connections of a pool. */
    static final String MAX = "max";

    private static final int LONGEST_WAIT_MILLIS = 60_000;

    private FairnessSystems() {}

    /** All; Druid 1.1.20 as shipped, which is unfair, is the baseline. */
    static List<Arm> arms() {
        return List.of(
                druid("druid-1.1.20", "as shipped: unfair", "druid-1.1.20", false, bean -> {}),
                druid(
                        "druid-1.1.20-max-wait",
                        "setMaxWait: makes the lock fair",
                        "druid-1.1.20",
                        true,
                        bean -> bean.set("maxWait", LONGEST_WAIT_MILLIS)),
                druid(
                        "druid-1.1.20-max-wait-then-unfair",
                        "setMaxWait, then setUseUnfairLock(true): unfair again",
                        "druid-1.1.20",
                        false,
                        bean -> bean.set("maxWait", LONGEST_WAIT_MILLIS).set("useUnfairLock", true)),
                druid(
                        "druid-1.1.20-unfair-then-max-wait",
                        "setUseUnfairLock(true), then setMaxWait: fair all the same",
                        "druid-1.1.20",
                        true,
                        bean -> bean.set("useUnfairLock", true).set("maxWait", LONGEST_WAIT_MILLIS)),
                druid(
                        "druid-1.2.28",
                        "setMaxWait, which no longer changes the lock: unfair",
                        "druid-1.2.28",
                        false,
                        bean -> bean.set("maxWait", LONGEST_WAIT_MILLIS)),
                druid(
                        "druid-1.2.28-fair",
                        "setUseUnfairLock(false): fair",
                        "druid-1.2.28",
                        true,
                        bean -> bean.set("maxWait", LONGEST_WAIT_MILLIS).set("useUnfairLock", false)),
                arm("hikari-3.4.2", "as shipped: no lock, a fair hand-over", "hikari-3.4.2", FairnessSystems::hikari),
                arm("hikari-7.1.0", "as shipped: no lock, a fair hand-over", "hikari-7.1.0", FairnessSystems::hikari),
                arm(
                        "tomcat-jdbc-11.0.25",
                        "as shipped: fairQueue",
                        "tomcat-jdbc-11.0.25",
                        (url, sizes) -> Libraries.tomcat(url, sizes, Libraries.AS_SHIPPED)),
                arm(
                        "tomcat-jdbc-11.0.25-unfair",
                        "fairQueue off",
                        "tomcat-jdbc-11.0.25",
                        (url, sizes) -> Libraries.tomcat(url, sizes, bean -> bean.set("fairQueue", false))),
                arm(
                        "ironjacamar-1.4.35",
                        "as shipped: fair",
                        "ironjacamar-1.4.35",
                        (url, sizes) -> IronJacamar.open(url, sizes, true)),
                arm(
                        "ironjacamar-1.4.35-unfair",
                        "fair off",
                        "ironjacamar-1.4.35",
                        (url, sizes) -> IronJacamar.open(url, sizes, false)),
                arm(
                        "commons-pool2-2.13.1",
                        "DBCP's PoolingDataSource, fairness off as shipped",
                        "dbcp2-2.14.0",
                        (url, sizes) -> PoolingSource.open(url, sizes, false)),
                arm(
                        "commons-pool2-2.13.1-fair",
                        "DBCP's PoolingDataSource, fairness on",
                        "dbcp2-2.14.0",
                        (url, sizes) -> PoolingSource.open(url, sizes, true)));
    }

    private static OpenedSource hikari(String url, Sizes sizes) throws Exception {
        return Libraries.hikari(url, sizes, Libraries.AS_SHIPPED);
    }

    /** A Druid whose lock is looked at when it is open: an arm that is not what it says is not measured. */
    private static Arm druid(String name, String settings, String variant, boolean fair, Libraries.Settings order) {
        return arm(name, settings, variant, (url, sizes) -> {
            OpenedSource opened = Libraries.druid(url, sizes, order);
            boolean isFair = opened.figures().containsValue(1.0);
            if (isFair != fair) {
                opened.closer().close();
                throw new IllegalStateException("the lock of " + name + " is " + (isFair ? "fair" : "unfair"));
            }
            return opened;
        });
    }

    private static Arm arm(String name, String settings, String variant, OpenedSource.Opener opener) {
        return Variants.named(variant).arm(name, settings, setup -> {
            int max = setup.condition().number(MAX, 20);
            return SourceArm.open(opener, Sizes.fixed(max), setup.condition());
        });
    }
}
