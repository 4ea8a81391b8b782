// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

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
import javax.sql.DataSource;

/**
 * A pool of connections with its callers: each gets a connection, perhaps asks one thing, holds it and closes it.
 *
 * <p>A failure ends one cycle and not the caller, so every arm does as many cycles as it is asked for.
 */
// What is closed may throw anything, which javac warns of.
@SuppressWarnings("try")
final class SourceArm implements OpenedArm {

    /** Parameter: {@code cycle} is what Druid's test ran, {@code select} what its page prints. */
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

    /** How often a window began. Written by the measuring thread, read by callers. */
    private volatile int windows;

    private SourceArm(OpenedSource opened, StubDatabase database, int max, Condition condition) {
        this.opened = opened;
        this.database = database;
        this.max = max;
        this.openAtStart = database.open();
        this.selects = selects(condition);
        this.condition = condition;
    }

    /**
     * Opens the pool over a database of its own and gets one connection, so that lazy pools are open too. Then waits
     * for the initial connections, which some pools open by and by and others never: {@code physical_at_start} tells.
     */
    static SourceArm open(OpenedSource.Opener opener, Sizes sizes, Condition condition) throws Exception {
        String name = "arm-" + System.nanoTime();
        OpenedSource opened = opener.open(StubDriver.PREFIX + name, sizes);
        opened.source().getConnection().close();
        StubDatabase database = StubDatabase.named(name);
        long deadline = System.nanoTime() + LONGEST_OPENING_NANOS;
        while (database.open() < sizes.initial() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        return new SourceArm(opened, database, sizes.max(), condition);
    }

    private static boolean selects(Condition condition) {
        String body = condition.text(BODY, CYCLE);
        if (!body.equals(CYCLE) && !body.equals(SELECT)) {
            throw new IllegalArgumentException("a body is cycle or select, not \"" + body + "\"");
        }
        return body.equals(SELECT);
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        Client client = selects ? new Selecting() : new Cycling();
        clients.add(client);
        return client;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Written by the thread of the fork alone.
    public void windowBegins() {
        windows++;
    }

    @Override
    public Map<String, Double> figures() {
        Map<String, Double> figures = new TreeMap<>(opened.figures());
        figures.put("physical_at_start", (double) openAtStart);
        figures.put("physical_now", (double) database.open());
        figures.put("physical_peak", (double) database.peak());
        figures.put("physical_total", (double) database.total());
        figures.put("opened_above_maximum", (double) Math.max(0, database.peak() - max));
        figures.put("failed", (double)
                clients.stream().mapToLong(client -> client.failed).sum());
        figures.put(
                "hold_us",
                clients.stream()
                        .mapToDouble(client -> client.hold.meanMicros())
                        .average()
                        .orElse(0));
        if (selects) {
            long asked = clients.stream().mapToLong(client -> client.asked).sum();
            figures.put("lost_uses", (double) (asked - database.queries()));
        }
        figures.putAll(
                Waits.together(clients.stream().map(client -> client.waits).toList()));
        return figures;
    }

    @Override
    public void close() throws Exception {
        opened.closer().close();
    }

    /** One caller. */
    private abstract class Client implements Cycle {

        final Hold hold = Hold.of(condition);
        final Waits waits = new Waits();
        final DataSource source = opened.source();
        long asked;
        long failed;

        @Override
        public final long run(long number) throws SQLException {
            waits.window(windows);
            long start = System.nanoTime();
            try (Connection connection = source.getConnection()) {
                waits.add(System.nanoTime() - start);
                long answer = use(connection);
                hold.hold();
                return answer;
            } catch (SQLException e) {
                failed++;
                throw e;
            }
        }

        abstract long use(Connection connection) throws SQLException;
    }

    private final class Cycling extends Client {

        @Override
        long use(Connection connection) {
            return 1;
        }
    }

    private final class Selecting extends Client {

        @Override
        long use(Connection connection) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement("select 1");
                    ResultSet result = statement.executeQuery()) {
                asked++;
                if (!result.next() || result.getInt(1) != 1) {
                    throw new SQLException("not the row that the stub has");
                }
                return 1;
            }
        }
    }
}
