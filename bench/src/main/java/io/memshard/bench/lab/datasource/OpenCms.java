// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.experiment.Variants;
import io.memshard.bench.lab.pool.Pool;
import io.memshard.bench.lab.pool.PoolArm;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;

/**
 * Experiment on the two changes that made OpenCms faster: a removed monitor, and another pool.
 *
 * <p>The pool has a connection for each caller. A caller that waits inside the monitor would block all returns.
 */
public final class OpenCms extends Experiment {

    private static final String OLD = "dbcp-1.2.2-pool-1.3";
    private static final String NEW = "dbcp-1.2.2-pool-1.5.5";
    private static final String DBCP = "org.apache.commons.dbcp.";
    private static final String NAME = "opencms";

    public OpenCms() {
        super("opencms", "read");
    }

    @Override
    public List<Arm> arms() {
        return List.of(
                arm("synchronized-old", OLD, true),
                arm("unsynchronized-old", OLD, false),
                arm("synchronized-new", NEW, true),
                arm("unsynchronized-new", NEW, false));
    }

    private static Arm arm(String name, String variant, boolean isSynchronized) {
        return Variants.arm(name, variant, setup -> open(setup.condition(), isSynchronized));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Plan.Cell> ofMany = Plan.cross(doses(400), armNames());
        return size == Size.QUICK
                ? Plan.quick(Plan.cross(doses(100), armNames()))
                : Plan.of(
                                Plan.all(Plan.cross(doses(100), armNames()), ofMany),
                                6,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(3))
                        .withProfiles(ofMany);
    }

    private static List<Condition> doses(int callers) {
        Condition none = Condition.ofThreads(callers);
        return List.of(none, none.with(Hold.PARAMETER, "park-1000us"), none.with(Hold.PARAMETER, "park-6000us"));
    }

    private static OpenedArm open(Condition condition, boolean isSynchronized) throws Exception {
        // Loading the class registers the driver.
        Class.forName(StubDriver.class.getName());
        Object pool = Bean.make("org.apache.commons.pool.impl.GenericObjectPool");
        Bean.set(pool, "maxActive", condition.threads());
        Bean.set(pool, "maxIdle", condition.threads());
        Object source = Bean.make(DBCP + "DriverManagerConnectionFactory", StubDriver.PREFIX + NAME, new Properties());
        // The constructor registers the new factory with the pool.
        Bean.make(DBCP + "PoolableConnectionFactory", source, pool, null, null, false, true);
        Bean.call(Bean.make(DBCP + "PoolingDriver"), "registerPool", NAME, pool);
        for (int i = 0; i < condition.threads(); i++) {
            Bean.call(pool, "addObject");
        }
        Object monitor = new Object();
        Supplier<Object> lock = isSynchronized ? () -> monitor : Object::new;
        Pool<Connection> connections = new Pool<>(
                () -> {
                    synchronized (lock.get()) {
                        return DriverManager.getConnection("jdbc:apache:commons:dbcp:" + NAME);
                    }
                },
                connection -> {
                    // Closing the connection closes the statement too.
                    synchronized (lock.get()) {
                        connection.close();
                    }
                },
                () -> Bean.call(pool, "close"));
        return new PoolArm<>(
                connections,
                (connection, number) -> {
                    PreparedStatement statement;
                    synchronized (lock.get()) {
                        statement = connection.prepareStatement("select 1");
                    }
                    return SourceArm.answer(statement);
                },
                condition,
                StubDatabase.named(NAME)::figures);
    }
}
