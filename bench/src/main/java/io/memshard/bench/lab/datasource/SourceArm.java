// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.datasource.Libraries.Sizes;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.pool.Pool;
import io.memshard.bench.lab.pool.PoolArm;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

final class SourceArm {
    static final String BODY = "body";

    static final String CYCLE = "cycle";
    static final String SELECT = "select";

    private static final long LONGEST_OPENING_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private SourceArm() {}

    record OpenedSource(DataSource source, AutoCloseable closer, Map<String, Double> figures) {}

    @FunctionalInterface
    interface Opener {
        OpenedSource open(String url) throws Exception;
    }

    static OpenedArm open(Opener opener, Sizes sizes, Condition condition) throws Exception {
        String name = "arm-" + System.nanoTime();
        OpenedSource opened = opener.open(StubDriver.PREFIX + name);
        opened.source().getConnection().close();
        StubDatabase database = StubDatabase.named(name);
        long deadline = System.nanoTime() + LONGEST_OPENING_NANOS;
        while (database.open() < sizes.min() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        boolean selects = condition.text(BODY, CYCLE).equals(SELECT);
        return new PoolArm<>(
                new Pool<>(opened.source()::getConnection, Connection::close, opened.closer()),
                selects ? (connection, number) -> select(connection) : (connection, number) -> 1,
                condition,
                uses -> {
                    Map<String, Double> figures = new TreeMap<>(opened.figures());
                    figures.putAll(database.figures(selects ? uses : 0));
                    figures.put("opened_above_maximum", (double) Math.max(0, database.peak() - sizes.max()));
                    return figures;
                });
    }

    private static long select(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select 1")) {
            return answer(statement);
        }
    }

    static long answer(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            if (!result.next() || result.getInt(1) != 1) {
                throw new SQLException("the query did not return a row that contains 1");
            }
            return 1;
        }
    }
}
