// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A physical connection that does nothing. Without locks, and without a counter that others share.
 *
 * <p>Threading: as JDBC has it, one caller at a time; {@link #isClosed} may be called by any thread.
 */
abstract class StubConnection implements Connection {

    private static final MethodHandle CONSTRUCTOR = Complete.constructor(MethodHandles.lookup(), StubConnection.class);

    private static final DatabaseMetaData META_DATA = (DatabaseMetaData) Proxy.newProxyInstance(
            StubConnection.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            (proxy, method, arguments) -> Answers.of(method));

    private final StubDatabase database;
    private volatile boolean closed;
    private boolean autoCommit = true;
    private long queries;

    StubConnection(StubDatabase database) {
        this.database = database;
    }

    /** Opens a connection; {@link StubDatabase#connect} counts it. */
    static StubConnection open(StubDatabase database) {
        try {
            return (StubConnection) CONSTRUCTOR.invokeExact(database);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Counts without care for other threads: two that use one connection at a time lose some. */
    void countQuery() {
        queries++;
    }

    long queries() {
        return queries;
    }

    @Override
    public PreparedStatement prepareStatement(String sql) {
        return StubStatement.open(this);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) {
        return StubStatement.open(this);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability) {
        return StubStatement.open(this);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int keys) {
        return StubStatement.open(this);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columns) {
        return StubStatement.open(this);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columns) {
        return StubStatement.open(this);
    }

    @Override
    public Statement createStatement() {
        return StubStatement.open(this);
    }

    @Override
    public Statement createStatement(int type, int concurrency) {
        return StubStatement.open(this);
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) {
        return StubStatement.open(this);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            database.closed();
        }
    }

    @Override
    public void abort(Executor executor) {
        close();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isValid(int seconds) {
        return !closed;
    }

    @Override
    public boolean getAutoCommit() {
        return autoCommit;
    }

    @Override
    public void setAutoCommit(boolean on) {
        autoCommit = on;
    }

    @Override
    public DatabaseMetaData getMetaData() {
        return META_DATA;
    }

    @Override
    public @Nullable String getCatalog() {
        return null;
    }

    @Override
    public @Nullable String getSchema() {
        return null;
    }

    @Override
    public int getTransactionIsolation() {
        return TRANSACTION_READ_COMMITTED;
    }

    @Override
    public int getHoldability() {
        return ResultSet.HOLD_CURSORS_OVER_COMMIT;
    }

    @Override
    public Map<String, Class<?>> getTypeMap() {
        return Map.of();
    }

    @Override
    public Properties getClientInfo() {
        return new Properties();
    }

    @Override
    public String nativeSQL(String sql) {
        return sql;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("the stub wraps nothing");
    }
}
