// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.server.RealisticKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Gets with a hit ratio of 0.9, and a set after each miss. Callers read their requests from one array, each from
 * another place. The set is of another key, so that the missed key stays missing.
 */
final class RealisticCalls implements OpenedArm {

    private static final int KEYS = 1_000_000;
    private static final int REQUESTS = 1 << 20;
    private static final int SETS = 1 << 12;

    private final RealisticKeys keys = new RealisticKeys(KEYS);
    private final int[] requests = keys.requests(REQUESTS);
    private final int[] sets =
            Arrays.stream(requests).filter(keys::isStored).limit(SETS).toArray();
    private final byte[][] values = Arrays.stream(sets).mapToObj(keys::value).toArray(byte[][]::new);
    private final List<Caller> callers = new CopyOnWriteArrayList<>();
    private final Contender contender;

    RealisticCalls(ContenderSettings settings, Clients.Opener opener) throws Exception {
        keys.fill(settings.server());
        contender = opener.open(settings);
    }

    @Override
    public Cycle cycle(int caller) {
        Caller started = new Caller(new SplittableRandom(caller).nextInt(REQUESTS));
        callers.add(started);
        return started;
    }

    @Override
    public Map<String, Double> figures() {
        double gets = callers.stream().mapToLong(caller -> caller.gets).sum();
        return Map.of(
                "hit_ratio", callers.stream().mapToLong(caller -> caller.hits).sum() / gets);
    }

    @Override
    public void close() {
        contender.close();
    }

    private final class Caller implements Cycle {

        private final int start;
        private boolean hasMissed;
        private long gets;
        private long hits;

        Caller(int start) {
            this.start = start;
        }

        @Override
        public long run(long number) throws Exception {
            int place = (int) (start + number);
            if (hasMissed) {
                hasMissed = false;
                contender.set(keys.key(sets[place % SETS]), values[place % SETS]);
                return 0;
            }
            int key = requests[place % REQUESTS];
            byte[] value = contender.get(keys.key(key));
            if (keys.isStored(key) ? !keys.isValueOf(key, value) : value != null) {
                throw new IllegalStateException("the client returned a wrong value for " + keys.key(key));
            }
            gets++;
            hits += value == null ? 0 : 1;
            hasMissed = value == null;
            return value == null ? 0 : value.length;
        }
    }
}
