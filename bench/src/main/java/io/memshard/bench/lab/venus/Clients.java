// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Experiment on clients: the throughput of each way to call memcached from Java. Its arms are the contenders by their
 * names.
 */
public final class Clients extends Experiment {

    /** Name of the experiment. */
    public static final String NAME = "clients";

    /** Arm with Memshard's defaults whose class path begins with the jars of another build. */
    public static final String OTHER = "memshard-other";

    /** Parameter of a condition for the commands of a caller: the name of a {@link Load}, absent for gets. */
    private static final String LOAD = "load";

    /** Part of the name of an array before its number of sockets, unless that is the usual one. */
    private static final String OF = "-of-";

    private final List<ContenderKind> kinds;
    private final Plan plan;
    private final String otherBuild;

    /** Commands of a caller, and the number of them of which one, drawn at random, is a set; 0 if none is. */
    public enum Load {
        /** Only gets of existing keys. */
        GET(0),
        /** Nine gets to one set. */
        MIXED(10),
        /** Only sets of existing keys. */
        SET(1);

        private final int setEvery;

        Load(int setEvery) {
            this.setEvery = setEvery;
        }
    }

    /** Creates the experiment as a fork needs it: with every contender, and without a plan. */
    public Clients() {
        this(List.of(), Plan.of(List.of(), 1, Duration.ZERO, Duration.ZERO), "");
    }

    /**
     * Creates the experiment with the baseline among {@code kinds} as its first arm.
     *
     * @param otherBuild class path of the arm {@link #OTHER}; empty if that does not take part
     */
    public Clients(List<ContenderKind> kinds, Plan plan, String otherBuild) {
        super(NAME, "operation");
        this.kinds = List.copyOf(kinds);
        this.plan = plan;
        this.otherBuild = otherBuild;
    }

    /** Returns the name of the arm of {@code kind} with that number of sockets, if it has such a number. */
    public static String name(ContenderKind kind, int sockets) {
        return kind.isArray() && sockets != Keys.USUAL_SOCKETS ? kind.label() + OF + sockets : kind.label();
    }

    @Override
    public ServerNeed serverFor(String arm, Condition any) {
        return ServerNeed.DEFAULT;
    }

    /**
     * Returns the contenders with the usual number of sockets. The first is {@link ContenderKind#CONNECTION}, or the
     * first that takes part if that does not.
     */
    @Override
    public List<Arm> arms() {
        ContenderKind connection = ContenderKind.CONNECTION;
        String baseline = kinds.isEmpty() || kinds.contains(connection)
                ? connection.label()
                : Plan.all(plan.cells(), plan.profiles()).get(0).arm();
        Stream<String> others = Arrays.stream(ContenderKind.values()).map(ContenderKind::label);
        return Stream.concat(Stream.of(baseline), Stream.concat(others, Stream.of(OTHER)))
                .distinct()
                .map(this::arm)
                .toList();
    }

    @Override
    public Arm arm(String name) {
        if (name.equals(OTHER)) {
            return new Arm(name, "Memshard of another build", otherBuild, List.of(), opener(ContenderKind.MEMSHARD, 0));
        }
        int end = name.lastIndexOf(OF);
        int sockets = end < 0 ? Keys.USUAL_SOCKETS : Integer.parseInt(name.substring(end + OF.length()));
        ContenderKind kind = ContenderKind.of(end < 0 ? name : name.substring(0, end))
                .orElseThrow(() -> new IllegalArgumentException("there is no contender \"" + name + "\""));
        return Arm.of(name, kind.description(), opener(kind, sockets));
    }

    private static Arm.Opener opener(ContenderKind kind, int sockets) {
        return setup -> new Calls(setup.condition(), Keys.store(setup), kind.open(Keys.settings(setup, sockets)));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        return plan;
    }

    /** Returns the condition of {@code threads} callers, virtual threads or platform threads. */
    public static Condition condition(int threads, int valueSize, Load load, boolean areVirtual) {
        Condition condition = Condition.ofThreads(threads).with(Keys.VALUE, valueSize);
        Condition loaded = load == Load.GET ? condition : condition.with(LOAD, load.name());
        return areVirtual ? loaded.with(Condition.CALLERS, Condition.VIRTUAL) : loaded;
    }

    /** Returns the length of the values under {@code condition}. */
    public static int valueSize(Condition condition) {
        return condition.number(Keys.VALUE, Keys.VALUE_BYTES);
    }

    /** Returns the commands of a caller under {@code condition}. */
    public static Load load(Condition condition) {
        return Load.valueOf(condition.text(LOAD, Load.GET.name()));
    }

    /** Callers that draw keys, get or set their values, and check each byte. */
    private record Calls(Condition condition, Keys keys, Contender contender) implements OpenedArm {

        @Override
        public Cycle cycle(int caller) {
            SplittableRandom random = new SplittableRandom(caller);
            int setEvery = load(condition).setEvery;
            return number -> {
                int key = keys.draw(random);
                if (setEvery > 0 && random.nextInt(setEvery) == 0) {
                    contender.set(keys.name(key), keys.keyspace().value(key));
                    return 0;
                }
                return keys.checked(key, contender.get(keys.name(key)));
            };
        }

        @Override
        public void close() {
            contender.close();
        }
    }
}
