// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("the stub wraps nothing");
    }
}
