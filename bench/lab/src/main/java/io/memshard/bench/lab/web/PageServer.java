// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * Serves pages that are made of several contents of the database, each asked for with a connection of its own, as
 * OpenCms makes its pages.
 *
 * <p>Threading: thread-safe; a page is made on a thread of the server.
 */
final class PageServer implements AutoCloseable {

    /** Contents of a page, hence borrows of a connection. */
    static final int CONTENTS = 4;

    /** Threads that make pages, as many as Tomcat has by default. */
    private static final int THREADS = 200;

    private final SqlManager manager;
    private final HttpServer server;
    private final ExecutorService threads;

    private PageServer(SqlManager manager) throws IOException {
        this.manager = manager;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ThreadFactory daemons = task -> {
            Thread thread = new Thread(task, "page");
            thread.setDaemon(true);
            return thread;
        };
        this.threads = Executors.newFixedThreadPool(THREADS, daemons);
    }

    static PageServer start(SqlManager manager) throws IOException {
        PageServer pages = new PageServer(manager);
        pages.server.setExecutor(pages.threads);
        pages.server.createContext("/", pages::answer);
        pages.server.start();
        return pages;
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    /** The page of that number, as its caller expects it. */
    static String page(int number) {
        StringBuilder page = new StringBuilder();
        for (int i = 0; i < CONTENTS; i++) {
            page.append(PageDatabase.title(content(number, i))).append('\n');
        }
        return page.toString();
    }

    private static int content(int page, int position) {
        return (page * CONTENTS + position) % PageDatabase.ROWS;
    }

    private void answer(HttpExchange exchange) throws IOException {
        int status = 200;
        byte[] body;
        try {
            int number = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < CONTENTS; i++) {
                page.append(title(content(number, i))).append('\n');
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

    // The manager closes what it opened.
    @SuppressWarnings("resource")
    private String title(int id) throws SQLException {
        Connection connection = manager.connect();
        PreparedStatement statement = manager.prepare(connection, PageDatabase.SELECT);
        statement.setInt(1, id);
        ResultSet result = statement.executeQuery();
        String title = result.next() ? result.getString(1) : "";
        manager.closeAll(connection, statement, result);
        return title;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
