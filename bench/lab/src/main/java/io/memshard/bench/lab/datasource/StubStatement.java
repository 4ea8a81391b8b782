// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;

/** A statement whose every query answers 1. Threading: as JDBC has it, one caller at a time. */
abstract class StubStatement implements PreparedStatement {

    private static final MethodHandle CONSTRUCTOR = Complete.constructor(MethodHandles.lookup(), StubStatement.class);

    private final StubConnection connection;
    private boolean closed;
    private @Nullable StubResultSet result;

    StubStatement(StubConnection connection) {
        this.connection = connection;
    }

    static StubStatement open(StubConnection connection) {
        try {
            return (StubStatement) CONSTRUCTOR.invokeExact(connection);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public ResultSet executeQuery() {
        connection.countQuery();
        StubResultSet opened = StubResultSet.open(this);
        result = opened;
        return opened;
    }

    @Override
    public ResultSet executeQuery(String sql) {
        return executeQuery();
    }

    @Override
    public boolean execute() {
        executeQuery();
        return true;
    }

    @Override
    public boolean execute(String sql) {
        return execute();
    }

    @Override
    public @Nullable ResultSet getResultSet() {
        return result;
    }

    @Override
    public boolean getMoreResults() {
        return false;
    }

    @Override
    public int getUpdateCount() {
        return -1;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    @Override
    public @Nullable SQLWarning getWarnings() {
        return null;
    }

    @Override
    public void clearWarnings() {}

    @Override
    public void clearParameters() {}

    @Override
    public void clearBatch() {}

    @Override
    public void cancel() {}

    @Override
    public void setInt(int index, int value) {}

    @Override
    public void setMaxFieldSize(int bytes) {}

    @Override
    public void setMaxRows(int rows) {}

    @Override
    public void setEscapeProcessing(boolean on) {}

    @Override
    public void setQueryTimeout(int seconds) {}

    @Override
    public void setCursorName(String name) {}

    @Override
    public void setFetchDirection(int direction) {}

    @Override
    public void setFetchSize(int rows) {}

    @Override
    public void setPoolable(boolean on) {}

    @Override
    public int getMaxFieldSize() {
        return 0;
    }

    @Override
    public int getMaxRows() {
        return 0;
    }

    @Override
    public int getQueryTimeout() {
        return 0;
    }

    @Override
    public int getFetchSize() {
        return 0;
    }

    @Override
    public int getFetchDirection() {
        return ResultSet.FETCH_FORWARD;
    }

    @Override
    public int getResultSetType() {
        return ResultSet.TYPE_FORWARD_ONLY;
    }

    @Override
    public int getResultSetConcurrency() {
        return ResultSet.CONCUR_READ_ONLY;
    }

    @Override
    public int getResultSetHoldability() {
        return ResultSet.HOLD_CURSORS_OVER_COMMIT;
    }

    @Override
    public boolean isPoolable() {
        return false;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("the stub wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
