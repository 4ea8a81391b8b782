// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Faults of servers and networks in a random order, for a soak test of clients on other threads.
 *
 * <p>Threading: confined to one thread, which causes the faults.
 */
final class RandomFaults {

    private static final int SHORTEST_HANG_MILLIS = 50;

    private final List<Fault> faults = new ArrayList<>();
    private final Random random;
    private final int longestPauseMillis;

    /** Action that causes one fault, and heals it if it lasts. */
    @FunctionalInterface
    private interface Fault {

        /** Causes the fault; {@code random} chooses its place and its length. */
        void cause(Random random) throws InterruptedException;
    }

    /**
     * Creates an object to which faults are added.
     *
     * @param longestPause longest time between two faults, in which callers continue
     */
    RandomFaults(long seed, Duration longestPause) {
        random = new Random(seed);
        longestPauseMillis = Math.toIntExact(longestPause.toMillis());
    }

    /**
     * Adds a fault.
     *
     * @param weight frequency, compared with other faults
     * @param fault action that causes the fault; its argument chooses the place
     */
    RandomFaults with(int weight, Consumer<Random> fault) {
        return add(weight, fault::accept);
    }

    private RandomFaults add(int weight, Fault fault) {
        for (int i = 0; i < weight; i++) {
            faults.add(fault);
        }
        return this;
    }

    /** Adds a fault: a proxy closes all its connections gracefully. */
    RandomFaults cutting(int weight, List<FaultProxy> proxies) {
        return add(weight, dice -> any(proxies, dice).cutAll());
    }

    /** Adds a fault: a proxy resets all its connections. */
    RandomFaults resetting(int weight, List<FaultProxy> proxies) {
        return add(weight, dice -> any(proxies, dice).resetAll());
    }

    /**
     * Adds a fault: for up to {@code longest}, a proxy closes its connections and refuses new ones, as if no server
     * ran.
     */
    RandomFaults refusing(int weight, List<FaultProxy> proxies, Duration longest) {
        return add(weight, dice -> {
            FaultProxy proxy = any(proxies, dice);
            proxy.refuse(true);
            proxy.cutAll();
            last(dice.nextInt((int) longest.toMillis()));
            proxy.refuse(false);
        });
    }

    /** Adds a fault: a server is stopped for 50 ms and up to {@code longest} more. Its connections stay open. */
    RandomFaults hanging(int weight, List<MemcachedProcess> servers, Duration longest) {
        return add(weight, dice -> {
            MemcachedProcess server = any(servers, dice);
            server.stop();
            last(SHORTEST_HANG_MILLIS + dice.nextInt((int) longest.toMillis()));
            server.resume();
        });
    }

    /** Adds a fault: a server is killed, and started again on its port after up to {@code longest}. */
    RandomFaults killing(int weight, List<MemcachedProcess> servers, Duration longest) {
        return add(weight, dice -> {
            MemcachedProcess server = any(servers, dice);
            server.kill();
            last(dice.nextInt((int) longest.toMillis()));
            server.restart();
        });
    }

    /** Returns a random element of {@code all}. */
    static <T> T any(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    /**
     * Causes faults until {@code isOver} returns true.
     *
     * @return the number of faults
     */
    int causeUntil(BooleanSupplier isOver) throws InterruptedException {
        int caused = 0;
        while (!isOver.getAsBoolean()) {
            any(faults, random).cause(random);
            caused++;
            last(random.nextInt(longestPauseMillis));
        }
        return caused;
    }

    private static void last(int millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis); // The length of a fault, or of the pause after it.
    }
}
