// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.catalogue.Catalogue;
import io.memshard.sample.load.Callers;
import io.memshard.sample.measure.Figures;
import io.memshard.sample.measure.LockWaits;
import io.memshard.sample.servers.SampleServer;
import io.memshard.sample.servers.Servers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Owner of the shop, its callers and their figures, which it can switch. A switch stops all callers, lets their
 * requests complete, and starts a new run with new figures.
 *
 * <p>Threading: thread-safe; a switch and a second exclude each other. Callers take no lock of this object.
 */
public final class Switchboard implements AutoCloseable {

    private static final int KEPT_MOMENTS = 120;
    private static final int KEPT_RUNS = 12;

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

    /**
     * Opens the shop.
     *
     * @param servers servers of the shop, which the caller still owns
     * @throws IllegalStateException if the connections cannot be opened
     */
    public Switchboard(Setup setup, Servers servers) {
        this.servers = servers;
        this.setup = setup;
        this.shop = Shop.open(setup.engine(), setup.mode(), servers);
        this.figures = newFigures();
        this.callers = newCallers();
    }

    private Figures newFigures() {
        return new Figures(shop.counts(), setup.recordsWaits() ? LockWaits.record(Callers.NAME) : null);
    }

    private Callers newCallers() {
        return Callers.start(shop.catalogue(), figures, setup.threads(), setup.virtual());
    }

    /**
     * Switches to another setup. Does nothing if the setup is the same.
     *
     * @throws IllegalStateException if the connections cannot be opened; the former setup then continues as a new run
     */
    public synchronized void switchTo(Setup next) {
        if (next.equals(setup)) {
            return;
        }
        callers.close();
        figures.close();
        runs.addFirst(run());
        if (runs.size() > KEPT_RUNS) {
            runs.removeLast();
        }
        try {
            if (!next.hasConnectionsOf(setup)) {
                Shop opened = Shop.open(next.engine(), next.mode(), servers);
                shop.close();
                shop = opened;
            }
            setup = next;
        } finally {
            number++;
            isDisturbed = !servers.all().stream().allMatch(SampleServer::isRunning);
            events.add("run " + number);
            figures = newFigures();
            callers = newCallers();
        }
    }

    /** Stops a server: its connections break, and its items are lost. */
    public void stop(int server) {
        servers.get(server).stop();
        disturbed("server " + server + " stopped");
    }

    /** Starts a server that was stopped. */
    public void start(int server) {
        servers.get(server).start();
        disturbed("server " + server + " started");
    }

    private synchronized void disturbed(String event) {
        isDisturbed = true;
        events.add(event);
    }

    /** Takes the figures of the second that ends now. One thread calls this method, once per second. */
    public synchronized Moment second() {
        Moment moment = new Moment(
                System.currentTimeMillis(),
                figures.second(shop.counts()),
                run(),
                shop.servers(servers),
                List.copyOf(events));
        events.clear();
        moments.addLast(moment);
        if (moments.size() > KEPT_MOMENTS) {
            moments.removeFirst();
        }
        return moment;
    }

    private Run run() {
        return new Run(number, setup, figures.whole(), figures.isWarm(), isDisturbed, figures.isIncomplete());
    }

    /** Returns the last seconds, the oldest first. */
    public synchronized List<Moment> moments() {
        return List.copyOf(moments);
    }

    /** Returns the completed runs, the latest first. */
    public synchronized List<Run> runs() {
        return List.copyOf(runs);
    }

    /** Returns the current setup. */
    public synchronized Setup setup() {
        return setup;
    }

    /** Returns the catalogue of the open shop. A switch closes that shop after its replacement has opened. */
    public Catalogue catalogue() {
        return shop.catalogue();
    }

    @Override
    public synchronized void close() {
        callers.close();
        figures.close();
        shop.close();
    }
}
