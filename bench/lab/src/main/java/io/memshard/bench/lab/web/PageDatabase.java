// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * H2 in this process with the contents of the pages: enough rows that a query looks for one.
 *
 * <p>Threading: opened and closed by one thread.
 */
final class PageDatabase implements AutoCloseable {

    /** Contents, numbered from 0. */
    static final int ROWS = 10_000;

    /** Asks for one content. */
    static final String SELECT = "select title from content where id = ?";

    private final String url;
    private final Connection open;

    private PageDatabase(String url, Connection open) {
        this.url = url;
        this.open = open;
    }

    /** A filled database; it lives as long as one connection is open, and this one is until {@link #close}. */
    static PageDatabase open() throws SQLException, ClassNotFoundException {
        // Registers itself with DriverManager.
        Class.forName("org.h2.Driver");
        String url = "jdbc:h2:mem:pages-" + System.nanoTime();
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table content (id int primary key, title varchar(100))");
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into content values (?, ?)")) {
            for (int id = 0; id < ROWS; id++) {
                insert.setInt(1, id);
                insert.setString(2, title(id));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        return new PageDatabase(url, connection);
    }

    static String title(int id) {
        return "content number " + id;
    }

    String url() {
        return url;
    }

    @Override
    public void close() throws SQLException {
        open.close();
    }
}
