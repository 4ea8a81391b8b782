// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Server of pages, each of which consists of several contents from the database. Each content is read with a separate
 * connection, as OpenCms does.
 *
 * <p>Threading: thread-safe; a page is made on a thread of the server.
 */
final class PageServer implements AutoCloseable {
    /** Number of contents of a page, and so of borrowed connections. */
    private static final int CONTENTS = 4;
    /** Title of a content in the database, without its number. */
    static final String TITLE = "content number ";

    /** Number of contents of the database, numbered from 0. */
    static final int ROWS = 10_000;
    /** Number of threads that make pages, which is Tomcat's default. */
    private static final int THREADS = 200;

    private final Connector connector;
    private final HttpServer server;
    private final ExecutorService threads;

    /** Starts the server, whose pages get their connections from {@code connector}. */
    PageServer(Connector connector) throws IOException {
        this.connector = connector;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "page");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Source of the connections of all pages.
     *
     * <p>Threading: thread-safe.
     */
    interface Connector {
        Connection connect() throws SQLException;

        /** Returns a connector that gets connections from the pool through {@link DriverManager}, as OpenCms did. */
        static Connector unsynchronized(String url) {
            return () -> DriverManager.getConnection(url);
        }

        /**
         * Returns OpenCms's old connector: one monitor around getting a connection, which a caller holds while it waits
         * for one.
         *
         * <p>Statements are prepared and connections closed outside the monitor. Otherwise a caller that waits inside
         * it would block the callers with a connection, and no connection could be returned.
         */
        static Connector synchronizedOne(String url) {
            Object monitor = new Object();
            return () -> {
                synchronized (monitor) {
                    return DriverManager.getConnection(url);
                }
            };
        }
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    /** Returns the expected text of the page {@code number}. */
    static String page(int number) {
        StringBuilder page = new StringBuilder();
        for (int i = 0; i < CONTENTS; i++) {
            page.append(TITLE).append(content(number, i)).append('\n');
        }
        return page.toString();
    }

    private static int content(int page, int position) {
        return (page * CONTENTS + position) % ROWS;
    }

    private void answer(HttpExchange exchange) throws IOException {
        int status = 200;
        byte[] body;
        try {
            int number = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < CONTENTS; i++) {
                page.append(read(content(number, i))).append('\n');
            }
            body = page.toString().getBytes(UTF_8);
        } catch (SQLException | RuntimeException e) {
            status = 500;
            body = e.toString().getBytes(UTF_8);
        }
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String read(int id) throws SQLException {
        try (Connection connection = connector.connect();
                PreparedStatement statement = connection.prepareStatement("select title from content where id = ?")) {
            statement.setInt(1, id);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? result.getString(1) : "";
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
