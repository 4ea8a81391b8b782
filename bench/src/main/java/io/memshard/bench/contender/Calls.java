// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.server.Keyspace;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Gets with a set after each miss, or only sets. Callers read their requests from one array, each from another place.
 * After a miss of a key that is never stored, the next call sets another key. So the missed key stays missing.
 */
final class Calls implements OpenedArm {

    private static final int REQUESTS = 1 << 20;
    private static final int SETS = 1 << 10;

    private final Contender contender;
    private final Keyspace keys;
    private final boolean setsOnly;
    private final boolean mayMiss;
    private final Map<String, Double> figures;
    private final int[] requests;
    private final int[] sets;
    private final byte[][] values;
    private final List<Caller> callers = new CopyOnWriteArrayList<>();

    /** Creates the calls. Unless stored keys {@code mayMiss}, a miss of such a key is a failure. */
    Calls(Contender contender, Keyspace keys, boolean setsOnly, boolean mayMiss, Map<String, Double> figures) {
        this.contender = contender;
        this.keys = keys;
        this.setsOnly = setsOnly;
        this.mayMiss = mayMiss;
        this.figures = figures;
        this.requests = keys.requests(REQUESTS);
        this.sets = Arrays.stream(requests).filter(keys::isStored).limit(SETS).toArray();
        this.values = Arrays.stream(sets).mapToObj(keys::value).toArray(byte[][]::new);
    }

    @Override
    public Cycle cycle(int caller) {
        Caller started = new Caller(new SplittableRandom(caller).nextInt(REQUESTS));
        callers.add(started);
        return started;
    }

    @Override
    public Map<String, Double> figures() {
        Map<String, Double> all = new TreeMap<>(figures);
        double gets = callers.stream().mapToLong(caller -> caller.gets).sum();
        all.put("hit_ratio", callers.stream().mapToLong(caller -> caller.hits).sum() / gets);
        return all;
    }

    @Override
    public void close() {
        contender.close();
    }

    private final class Caller implements Cycle {

        private final int start;
        private boolean isToSet = setsOnly;
        private long gets;
        private long hits;

        Caller(int start) {
            this.start = start;
        }

        @Override
        public long run(long number) throws Exception {
            int place = (int) (start + number) & (REQUESTS - 1);
            if (isToSet) {
                isToSet = setsOnly;
                contender.set(keys.key(sets[place % SETS]), values[place % SETS]);
                return 0;
            }
            int key = requests[place];
            byte[] value = contender.get(keys.key(key));
            gets++;
            if (value == null && mayMiss && keys.isStored(key)) {
                contender.set(keys.key(key), keys.value(key));
                return MISS;
            }
            isToSet = value == null && !keys.isStored(key);
            if (isToSet) {
                return MISS;
            }
            if (value == null || !keys.isValueOf(key, value)) {
                throw new IllegalStateException("the client returned a wrong value for " + keys.key(key));
            }
            hits++;
            return value.length;
        }
    }
}
