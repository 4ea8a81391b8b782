// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keys that a fork uses, stored before its first call. Also creates the cycles of the callers, which get the values and
 * check every byte.
 *
 * <p>Threading: immutable.
 */
record Keys(Keyspace keyspace) {
    /** Parameter of a condition with the size of a value in bytes. */
    static final String VALUE = "value";

    static final int KEYS = 1000;
    static final int VALUE_BYTES = 1024;
    static final int USUAL_SOCKETS = 2;

    /** Stores the keys of {@code setup} on its server. */
    static Keys store(Setup setup) {
        Keyspace keyspace = new Keyspace(KEYS, setup.condition().number(VALUE, VALUE_BYTES));
        try (BenchServer named = BenchServer.find(address(setup))) {
            keyspace.fill(named);
        }
        return new Keys(keyspace);
    }

    /** Returns {@code host:port} of the server of {@code setup}. */
    private static String address(Setup setup) {
        InetSocketAddress server = setup.serverOrThrow();
        return server.getHostString() + ":" + server.getPort();
    }

    /** Returns the settings of a contender under {@code setup}. */
    static ContenderSettings settings(Setup setup) {
        return settings(setup, USUAL_SOCKETS);
    }

    /** Returns the settings of a contender that has {@code sockets}, if it has such a number. */
    static ContenderSettings settings(Setup setup, int sockets) {
        return new ContenderSettings(
                setup.serverOrThrow(), sockets, setup.profile().poolSize());
    }

    /** One way to get a value. */
    interface Get {
        byte @Nullable [] get(String key) throws Exception;
    }

    /** Source of values, with a {@link Get} for each number of a caller, and with figures of the source. */
    record Source(IntFunction<Get> gets, Supplier<Map<String, Double>> figures, AutoCloseable closer) {}

    /** Stores the keys of {@code setup} and returns the arm that gets them through {@code contender}. */
    static OpenedArm arm(Setup setup, Contender contender) {
        return arm(setup, new Source(caller -> contender::get, Map::of, contender));
    }

    /** Stores the keys of {@code setup} and returns the arm that gets them from {@code source}. */
    static OpenedArm arm(Setup setup, Source source) {
        return new GetArm(store(setup), source);
    }

    /** Arm whose callers get the values of random keys from {@code source}, and fail unless the value is right. */
    private record GetArm(Keys keys, Source source) implements OpenedArm {

        @Override
        public Cycle cycle(int caller) {
            SplittableRandom random = new SplittableRandom(caller);
            Get get = source.gets.apply(caller);
            return number -> {
                int key = keys.draw(random);
                return keys.checked(key, get.get(keys.name(key)));
            };
        }

        @Override
        public Map<String, Double> figures() {
            return source.figures.get();
        }

        @Override
        public void close() throws Exception {
            source.closer.close();
        }
    }

    /** Returns the number of a random key. */
    int draw(SplittableRandom random) {
        return random.nextInt(keyspace.size());
    }

    /** Returns the key with the number {@code key}. */
    String name(int key) {
        return keyspace.key(key);
    }

    /** Returns the length of {@code value}. Fails unless it is the value of the key with the number {@code key}. */
    long checked(int key, byte @Nullable [] value) {
        if (value == null || !keyspace.isValueOf(key, value)) {
            throw new IllegalStateException("the value of " + name(key) + " is wrong");
        }
        return value.length;
    }
}
