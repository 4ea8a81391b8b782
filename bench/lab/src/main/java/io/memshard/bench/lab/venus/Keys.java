// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.lab.experiment.OpenedArm.Cycle;
import io.memshard.bench.lab.experiment.Setup;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a fork, stored before the first call, and cycles that ask for them and look at every byte.
 *
 * <p>Threading: immutable.
 */
final class Keys {

    /** Parameter of a condition with the bytes of a value. */
    static final String VALUE = "value";

    /** Parameter with the sockets of arms that take such a number. */
    static final String SOCKETS = "sockets";

    private static final int KEYS = 1000;
    private static final int VALUE_BYTES = 1024;
    private static final int SOCKETS_UNLESS_TOLD = 2;

    private final Keyspace keyspace;

    private Keys(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** Stores the keys of {@code setup} on its server. */
    static Keys store(Setup setup) {
        Keyspace keyspace = new Keyspace(KEYS, setup.condition().number(VALUE, VALUE_BYTES));
        InetSocketAddress server = setup.serverOrThrow();
        try (BenchServer named = BenchServer.find(server.getHostString() + ":" + server.getPort())) {
            keyspace.fill(named);
        }
        return new Keys(keyspace);
    }

    /** What a contender is opened with under {@code setup}. */
    static ContenderSettings settings(Setup setup) {
        return new ContenderSettings(
                setup.serverOrThrow(),
                setup.condition().number(SOCKETS, SOCKETS_UNLESS_TOLD),
                setup.profile().poolSize());
    }

    /** How a value is got. */
    interface Get {
        byte @Nullable [] get(String key) throws Exception;
    }

    /** A cycle that gets the value of a key drawn at random and fails unless it is the right one. */
    Cycle checking(int caller, Get get) {
        SplittableRandom random = new SplittableRandom(caller);
        return number -> {
            int key = draw(random);
            return checked(key, get.get(name(key)));
        };
    }

    /** The number of a key. */
    int draw(SplittableRandom random) {
        return random.nextInt(keyspace.size());
    }

    /** The key of that number. */
    String name(int key) {
        return keyspace.key(key);
    }

    /** The length of {@code value}, if it is that of {@code key}. */
    long checked(int key, byte @Nullable [] value) {
        if (value == null || !keyspace.isValueOf(key, value)) {
            throw new IllegalStateException("a wrong value of " + name(key));
        }
        return value.length;
    }
}
