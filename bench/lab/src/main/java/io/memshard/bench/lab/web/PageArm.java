// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import io.memshard.bench.lab.experiment.OpenedArm;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The web application with its database, its pool and its callers, all in this process. */
final class PageArm implements OpenedArm {

    /** Fewer than callers, so that pages wait for connections as they did. */
    static final int CONNECTIONS = 25;

    private final PageDatabase database;
    private final PooledDriver pool;
    private final PageServer server;
    private final List<PageCaller> callers = new ArrayList<>();

    private PageArm(PageDatabase database, PooledDriver pool, PageServer server) {
        this.database = database;
        this.pool = pool;
        this.server = server;
    }

    static PageArm open(Function<String, SqlManager> manager) throws Exception {
        PageDatabase database = PageDatabase.open();
        PooledDriver pool = PooledDriver.open(database.url(), CONNECTIONS);
        return new PageArm(database, pool, PageServer.start(manager.apply(pool.url())));
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        PageCaller made = new PageCaller(server.address(), caller * PageDatabase.ROWS / 500);
        callers.add(made);
        return made;
    }

    @Override
    public void close() throws IOException, SQLException {
        for (PageCaller caller : callers) {
            caller.close();
        }
        server.close();
        pool.close();
        database.close();
    }
}
