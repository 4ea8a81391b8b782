// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What the pages of OpenCms get their connections from: asks the pool through {@link DriverManager}, as it did.
 *
 * <p>Threading: thread-safe. Every page of every caller uses this one object.
 */
class SqlManager {

    private final String url;

    SqlManager(String url) {
        this.url = url;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    void closeAll(Connection connection, PreparedStatement statement, ResultSet result) throws SQLException {
        result.close();
        statement.close();
        connection.close();
    }

    /**
     * The manager as it was: one monitor around getting a connection, held while a caller waits for one.
     *
     * <p>Preparing and closing stay outside. A caller that waits inside the monitor would keep out those that have a
     * connection, and nobody could return one.
     */
    static final class Synchronized extends SqlManager {

        Synchronized(String url) {
            super(url);
        }

        @Override
        synchronized Connection connect() throws SQLException {
            return super.connect();
        }
    }
}
