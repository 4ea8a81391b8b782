// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.catalogue.Catalogue;
import io.memshard.sample.shop.Moment.Outage;
import io.memshard.sample.shop.Moment.Run;
import io.memshard.sample.shop.Moment.ServerView;
import io.memshard.template.Engine;
import io.memshard.template.Mode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holder of the current shop, of the threads that call it, and of their figures; thread-safe. */
public final class Switchboard implements AutoCloseable {

    private static final int KEPT_MOMENTS = 120;
    private static final int KEPT_RUNS = 12;

    private static final int KILLED = 1;

    private final Servers servers;
    private final Deque<Moment> moments = new ArrayDeque<>();
    private final Deque<Run> runs = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();

    private Setup setup;
    private volatile Shop shop;
    private Figures figures;
    private Callers callers;
    private int number = 1;
    private boolean isDisturbed;
    private @Nullable Outage outage;

    public Switchboard(Setup setup, Servers servers) {
        this.servers = servers;
        this.setup = setup;
        this.shop = Shop.open(setup, servers);
        this.figures = newFigures();
        this.callers = newCallers();
    }

    private Figures newFigures() {
        return new Figures(shop.counts());
    }

    private Callers newCallers() {
        return Callers.start(shop.catalogue(), figures, setup.threads());
    }

    /** Begins a new run with the setup {@code next}. If the new shop cannot connect, the former setup stays. */
    public synchronized void switchTo(Setup next) {
        switchNow(next, false);
    }

    private void switchNow(Setup next, boolean evenIfSame) {
        if (next.equals(setup) && !evenIfSame) {
            return;
        }
        callers.close();
        runs.addFirst(run());
        if (runs.size() > KEPT_RUNS) {
            runs.removeLast();
        }
        try {
            if (!next.hasConnectionsOf(setup)) {
                Shop opened = Shop.open(next, servers);
                shop.close();
                shop = opened;
            }
            setup = next;
        } finally {
            number++;
            outage = null;
            isDisturbed = !servers.all().stream().allMatch(SampleServer::isRunning);
            events.add("run " + number);
            figures = newFigures();
            callers = newCallers();
        }
    }

    public synchronized void stop(int server) {
        outage = Outage.of(server, servers.get(server).address());
        servers.get(server).stop();
        isDisturbed = true;
        events.add("server " + server + " stopped");
    }

    public synchronized void start(int server) {
        Instant now = Instant.now();
        servers.get(server).start();
        isDisturbed = true;
        events.add("server " + server + " started");
        if (outage != null && outage.server() == server) {
            outage = outage.withStart(now);
        }
    }

    public synchronized void tell(Story story) {
        boolean hasStarted = startAll();
        switch (story) {
            case YOUR_POOL -> switchNow(setup.withConnections(Engine.SPYMEMCACHED, Mode.POOLED, true), isDisturbed);
            case SHARED -> switchNow(setup.withConnections(Engine.MEMSHARD, Mode.SHARDED, true), isDisturbed);
            case KILL -> {
                if (!hasStarted) {
                    switchNow(setup.withConnections(Engine.MEMSHARD, Mode.SHARDED, false), false);
                    stop(Math.min(KILLED, servers.all().size() - 1));
                }
            }
        }
    }

    private boolean startAll() {
        boolean hasStarted = false;
        for (int server = 0; server < servers.all().size(); server++) {
            if (!servers.get(server).isRunning()) {
                start(server);
                hasStarted = true;
            }
        }
        return hasStarted;
    }

    /** Records and returns the figures of the past second. Must be called once per second. */
    public synchronized Moment second() {
        Figures.OfPeriod second = figures.second(shop.counts());
        List<ServerView> views = shop.servers(servers);
        Instant end = Instant.now();
        if (outage != null) {
            outage = shop.after(outage, second, end, views);
        }
        Moment moment = new Moment(end.toEpochMilli(), second, run(), views, outage, List.copyOf(events));
        events.clear();
        moments.addLast(moment);
        if (moments.size() > KEPT_MOMENTS) {
            moments.removeFirst();
        }
        return moment;
    }

    private Run run() {
        return new Run(number, setup, figures.whole(), figures.medianThroughput(), figures.isWarm(), isDisturbed);
    }

    public synchronized List<Moment> moments() {
        return List.copyOf(moments);
    }

    public synchronized List<Run> runs() {
        return List.copyOf(runs);
    }

    public synchronized Setup setup() {
        return setup;
    }

    /** Returns the catalogue of the current shop, which {@link #switchTo} may close. */
    public Catalogue catalogue() {
        return shop.catalogue();
    }

    @Override
    public synchronized void close() {
        callers.close();
        shop.close();
    }
}
