// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** One row with a 1. Threading: as JDBC has it, one caller at a time. */
abstract class StubResultSet implements ResultSet {

    private static final MethodHandle CONSTRUCTOR = Complete.constructor(MethodHandles.lookup(), StubResultSet.class);

    private final StubStatement statement;
    private boolean read;
    private boolean closed;

    StubResultSet(StubStatement statement) {
        this.statement = statement;
    }

    static StubResultSet open(StubStatement statement) {
        try {
            return (StubResultSet) CONSTRUCTOR.invokeExact(statement);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean next() {
        boolean first = !read;
        read = true;
        return first;
    }

    @Override
    public int getInt(int column) {
        return 1;
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
    public Statement getStatement() {
        return statement;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("the stub wraps nothing");
    }
}
