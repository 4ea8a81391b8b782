// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.datasource.Libraries.OpenedSource;
import io.memshard.bench.lab.datasource.Libraries.Sizes;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Pool of connections with its callers. Each caller gets a connection, perhaps sends one query, holds the connection
 * and closes it.
 *
 * <p>A failure ends one cycle and not the caller, so every arm runs the requested number of cycles.
 */
final class SourceArm implements OpenedArm {
    /**
     * Parameter for the work in a cycle: {@code cycle} as in Druid's test, or {@code select} with the query that
     * Druid's page prints.
     */
    static final String BODY = "body";

    static final String CYCLE = "cycle";
    static final String SELECT = "select";

    private static final long LONGEST_OPENING_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final OpenedSource opened;
    private final StubDatabase database;
    private final int max;
    private final int openAtStart;
    private final boolean selects;
    private final Condition condition;
    private final List<Client> clients = new ArrayList<>();

    /** Opener of a pool over the stub database. */
    @FunctionalInterface
    interface Opener {
        OpenedSource open(String url) throws Exception;
    }

    /**
     * Opens the pool over a separate database and gets one connection, so that lazy pools open too. Then waits up to
     * two seconds for the initial connections: some pools open them one by one, others never open them. The figure
     * {@code physical_at_start} is the number of connections then.
     */
    SourceArm(Opener opener, Sizes sizes, Condition condition) throws Exception {
        this.max = sizes.max();
        this.selects = selects(condition);
        this.condition = condition;
        String name = "arm-" + System.nanoTime();
        this.opened = opener.open(StubDriver.PREFIX + name);
        opened.source().getConnection().close();
        this.database = StubDatabase.named(name);
        long deadline = System.nanoTime() + LONGEST_OPENING_NANOS;
        while (database.open() < sizes.initial() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        this.openAtStart = database.open();
    }

    private static boolean selects(Condition condition) {
        String body = condition.text(BODY, CYCLE);
        if (!body.equals(CYCLE) && !body.equals(SELECT)) {
            throw new IllegalArgumentException("a body must be cycle or select, not \"" + body + "\"");
        }
        return body.equals(SELECT);
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        Client client = new Client();
        clients.add(client);
        return client;
    }

    @Override
    public Map<String, Double> figures() {
        Map<String, Double> figures = new TreeMap<>(opened.figures());
        figures.put("physical_at_start", (double) openAtStart);
        figures.put("physical_now", (double) database.open());
        figures.put("physical_peak", (double) database.peak());
        figures.put("physical_total", (double) database.total());
        figures.put("opened_above_maximum", (double) Math.max(0, database.peak() - max));
        long failed = clients.stream().mapToLong(client -> client.failed).sum();
        figures.put("failed", (double) failed);
        figures.put("hold_us", Hold.meanMicros(clients.stream().map(client -> client.hold)));
        if (selects) {
            long asked = clients.stream().mapToLong(client -> client.asked).sum();
            figures.put("lost_uses", (double) (asked - database.queries()));
        }
        return figures;
    }

    @Override
    public void close() throws Exception {
        opened.closer().close();
    }

    private final class Client implements Cycle {
        private final Hold hold = Hold.of(condition);
        private long asked;
        private long failed;

        @Override
        public long run(long number) throws SQLException {
            try (Connection connection = opened.source().getConnection()) {
                long answer = selects ? select(connection) : 1;
                hold.hold();
                return answer;
            } catch (SQLException e) {
                failed++;
                throw e;
            }
        }

        private long select(Connection connection) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement("select 1");
                    ResultSet result = statement.executeQuery()) {
                asked++;
                if (!result.next() || result.getInt(1) != 1) {
                    throw new SQLException("the row is not the row of the stub");
                }
                return 1;
            }
        }
    }
}
