// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.server.Keyspace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Experiment on the throughput of all ways to call memcached from Java. */
public final class Clients extends Experiment {

    public static final String NAME = "clients";

    /** Name of the contender that runs Memshard from the jars of another build. */
    public static final String OTHER = "memshard-other";

    /** Percentage of the keys that are on the server with the outage. */
    public static final String SHARE = "keys_percent";

    static final String VALUE = "value";
    static final int VALUE_BYTES = 1024;
    static final int USUAL_SOCKETS = 2;
    private static final int MEAN_VALUE_BYTES = 300;

    private static final int KEYS = 1000;
    private static final int REALISTIC_KEYS = 1_000_000;
    private static final int MOST_TRIES = 5;
    private static final String LOAD = "load";
    private static final String OF = "-of-";

    private final List<ContenderKind> kinds;
    private final Plan plan;
    private final String otherBuild;

    public enum Load {
        GET,
        SET,
        /** Gets of {@link Keyspace#realistic} keys: one of eleven calls is a set, after a miss. */
        REALISTIC
    }

    public Clients() {
        this(List.of(), Plan.of(List.of(), 1, Duration.ZERO, Duration.ZERO), "");
    }

    /** Creates the experiment. {@code otherBuild} is the class path of another build of Memshard, or empty. */
    public Clients(List<ContenderKind> kinds, Plan plan, String otherBuild) {
        super(NAME, "operation");
        this.kinds = List.copyOf(kinds);
        this.plan = plan;
        this.otherBuild = otherBuild;
    }

    public static String name(ContenderKind kind, int sockets) {
        return kind.isArray() && sockets != USUAL_SOCKETS ? kind + OF + sockets : kind.toString();
    }

    @Override
    public int workersFor(Condition any) {
        return WORKERS;
    }

    @Override
    public List<Arm> arms() {
        ContenderKind connection = ContenderKind.CONNECTION;
        String baseline = kinds.isEmpty() || kinds.contains(connection)
                ? connection.toString()
                : Plan.all(plan.cells(), plan.profiles()).get(0).arm();
        Stream<String> others = Arrays.stream(ContenderKind.values()).map(ContenderKind::toString);
        return Stream.concat(Stream.of(baseline), Stream.concat(others, Stream.of(OTHER)))
                .distinct()
                .map(this::arm)
                .toList();
    }

    @Override
    public Arm arm(String name) {
        if (name.equals(OTHER)) {
            return new Arm(name, otherBuild, List.of(), opener(0, ContenderKind.MEMSHARD::open));
        }
        int end = name.lastIndexOf(OF);
        int sockets = end < 0 ? USUAL_SOCKETS : Integer.parseInt(name.substring(end + OF.length()));
        ContenderKind kind = ContenderKind.of(end < 0 ? name : name.substring(0, end))
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown contender \"" + name + "\"; bench/README.md lists the contenders"));
        return Arm.of(name, opener(sockets, kind::open));
    }

    @FunctionalInterface
    interface Opener {
        Contender open(ContenderSettings settings) throws Exception;
    }

    static Arm.Opener opener(int sockets, Opener contender) {
        return setup -> {
            Condition condition = setup.condition();
            boolean hasOutage = condition.hasOutage();
            Duration timeout = hasOutage ? ContenderSettings.OUTAGE_TIMEOUT : ContenderSettings.TIMEOUT;
            ContenderSettings settings = new ContenderSettings(
                    setup.servers(), sockets, setup.profile().poolSize(), timeout);
            Keyspace keys = load(condition) == Load.REALISTIC
                    ? Keyspace.realistic(REALISTIC_KEYS)
                    : Keyspace.of(KEYS, valueSize(condition));
            if (!hasOutage) {
                keys.fill(settings.server());
            }
            Contender opened = contender.open(settings);
            Map<String, Double> figures =
                    hasOutage ? Map.of(SHARE, fill(opened, keys, setup.servers().get(0))) : Map.of();
            return new Calls(opened, keys, load(condition) == Load.SET, hasOutage, figures);
        };
    }

    /** Stores the keys through a client, and returns the percentage of the keys that are on {@code server}. */
    private static double fill(Contender opened, Keyspace keys, InetSocketAddress server) throws Exception {
        double found = 0;
        try (Contender socket =
                SocketPerThread.open(new ContenderSettings(List.of(server), 1, 1, ContenderSettings.TIMEOUT))) {
            for (int i = 0; i < keys.size(); i++) {
                store(opened, keys.key(i), keys.value(i));
                found += socket.get(keys.key(i)) == null ? 0 : 1;
            }
        }
        return 100 * found / keys.size();
    }

    /** Stores a value. In a new JVM, the first calls of a client may time out. */
    private static void store(Contender opened, String key, byte[] value) throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                opened.set(key, value);
                return;
            } catch (Exception e) {
                if (tries == MOST_TRIES || !Contender.isTimeout(e)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        return plan;
    }

    public static Condition condition(int threads, int valueSize, Load load, boolean areVirtual) {
        Condition condition =
                Condition.ofThreads(threads).with(VALUE, load == Load.REALISTIC ? MEAN_VALUE_BYTES : valueSize);
        Condition loaded = load == Load.GET ? condition : condition.with(LOAD, load.name());
        return areVirtual ? loaded.with(Condition.CALLERS, Condition.VIRTUAL) : loaded;
    }

    public static int valueSize(Condition condition) {
        return condition.number(VALUE, VALUE_BYTES);
    }

    public static Load load(Condition condition) {
        return Load.valueOf(condition.text(LOAD, Load.GET.name()));
    }
}
