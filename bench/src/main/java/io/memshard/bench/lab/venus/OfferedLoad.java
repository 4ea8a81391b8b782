// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.machine.JavaCommand;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Experiment on latency: the time of a request from its due time, under loads that do not wait for the client (an open
 * loop). All arms get the same requests at the same times.
 *
 * <p>Blocking callers stand for the threads of a service. The asynchronous arm has two callers, which send requests and
 * wait for no reply.
 */
public final class OfferedLoad extends Experiment {

    /** Name of the experiment. */
    public static final String NAME = "latency";

    /** Name of the arm with the default settings. */
    public static final String MEMSHARD = "memshard";

    /** Name of the first arm, which runs twice. */
    public static final String BASELINE = "connection";

    private static final String ASYNC = "memshard-async";
    private static final String VIRTUAL = "memshard-virtual";
    private static final int ASYNC_CALLERS = 2;

    private final int threads;
    private final int valueSize;
    private final Plan plan;

    /**
     * Creates the experiment.
     *
     * @param rates requests a second, all callers together
     * @param names arms that run; empty for all that this JVM can run
     */
    public OfferedLoad(
            int threads,
            int valueSize,
            List<Integer> rates,
            List<String> names,
            int blocks,
            Duration warmUp,
            Duration window) {
        super(NAME, "get");
        this.threads = threads;
        this.valueSize = valueSize;
        this.plan = Plan.of(cells(rates, names.isEmpty() ? armNames() : names), blocks, warmUp, window);
    }

    @Override
    public ServerNeed serverFor(String arm, Condition any) {
        return ServerNeed.DEFAULT;
    }

    @Override
    public List<Arm> arms() {
        List<Arm> arms = new ArrayList<>();
        arms.add(Venus.contender(BASELINE, ContenderKind.CONNECTION));
        arms.add(Venus.contender("template", ContenderKind.TEMPLATE));
        arms.add(Venus.contender("connection-optimized", ContenderKind.SPYMEMCACHED_OPTIMIZED));
        arms.add(Venus.contender("xmemcached", ContenderKind.XMEMCACHED));
        arms.add(Venus.contender("folsom", ContenderKind.FOLSOM));
        arms.add(Venus.contender("socket-per-thread", ContenderKind.SOCKET_PER_THREAD));
        arms.add(Venus.contender("memshard-single", ContenderKind.MEMSHARD_SINGLE));
        arms.add(Venus.contender("memshard-round-robin", ContenderKind.MEMSHARD_ROUND_ROBIN));
        arms.add(Venus.contender(MEMSHARD, ContenderKind.MEMSHARD));
        arms.add(Arm.of(
                ASYNC,
                "Memshard, two asynchronous callers that wait for no reply",
                setup -> new Keys.AsyncArm(setup, Keys.builder(setup))));
        arms.add(Venus.contender(VIRTUAL, ContenderKind.MEMSHARD));
        return List.copyOf(arms);
    }

    /** Returns the condition of {@code arm} at {@code rate} requests a second. */
    public Condition conditionOf(String arm, int rate) {
        Condition condition = Condition.ofThreads(arm.equals(ASYNC) ? ASYNC_CALLERS : threads)
                .with(Keys.VALUE, valueSize)
                .with(Condition.RATE, rate);
        return arm.equals(VIRTUAL) ? condition.with(Condition.CALLERS, Condition.VIRTUAL) : condition;
    }

    private List<Plan.Cell> cells(List<Integer> rates, List<String> names) {
        return names.stream()
                .filter(arm -> !arm.equals(VIRTUAL) || JavaCommand.hasVirtualThreads())
                .flatMap(arm -> rates.stream().map(rate -> new Plan.Cell(arm, conditionOf(arm, rate))))
                .toList();
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        return plan;
    }
}
