// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.MemshardBuilder;
import io.memshard.bench.contender.MemshardContender;
import io.memshard.bench.contender.TemplateContender;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.machine.Profile;
import io.memshard.client.options.Transport;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Experiment on which settings of Memshard are fastest on this machine and with this server. There are two rounds: all
 * settings, and then the winner against the default in fresh forks, because the best result of many is partly luck.
 *
 * <p>All arms have the same number of gets in flight. Each blocking caller has one get; two asynchronous callers share
 * the gets.
 */
public final class Advice extends Experiment {
    /** Name of the arm with the default settings, with which every other arm is compared. */
    public static final String DEFAULT = "default";

    private static final List<Integer> CONNECTIONS = List.of(1, 2, 4, 8);
    private static final String ASYNC = "async-";
    private static final int ASYNC_CALLERS = 2;
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    private final Condition condition;
    private final List<String> candidates;
    private final Plan plan;

    /**
     * Creates a round with {@code threads} gets in flight. Its arms are {@code candidates} and the default, or all arms
     * if there is no candidate.
     */
    public Advice(int threads, int valueSize, List<String> candidates, int blocks, Duration window) {
        super("advice", "get");
        this.condition = Condition.ofThreads(threads).with(Keys.VALUE, valueSize);
        this.candidates = candidates.isEmpty()
                ? armNames().stream().filter(name -> !name.equals(DEFAULT)).toList()
                : List.copyOf(candidates);
        List<Plan.Cell> cells = Stream.concat(Stream.of(DEFAULT), this.candidates.stream())
                .map(arm -> new Plan.Cell(arm, conditionOf(arm)))
                .toList();
        this.plan = Plan.of(cells, blocks, WARM_UP, window);
    }

    /** Returns the condition under which {@code arm} runs. */
    public Condition conditionOf(String arm) {
        if (!arm.startsWith(ASYNC)) {
            return condition;
        }
        int callers = Math.min(ASYNC_CALLERS, condition.threads());
        return condition.withThreads(callers).with(Keys.IN_FLIGHT, (condition.threads() + callers - 1) / callers);
    }

    /** Returns the arms that run in addition to the default. */
    public List<String> candidates() {
        return candidates;
    }

    @Override
    public ServerNeed serverFor(String arm, Condition any) {
        return ServerNeed.DEFAULT;
    }

    @Override
    public List<Arm> arms() {
        List<Arm> arms = new ArrayList<>();
        arms.add(blocking(DEFAULT, "the default settings", builder -> builder));
        for (int connections : CONNECTIONS) {
            arms.add(blocking(
                    "sticky-" + connections,
                    "blocking, connectionsPerServer(" + connections + "), the chooser of the default",
                    builder -> builder.connectionsPerServer(connections)));
            arms.add(blocking(
                    "event-loop-" + connections,
                    "blocking, connectionsPerServer(" + connections + "), transport(Transport.EVENT_LOOP)",
                    builder -> builder.connectionsPerServer(connections).transport(Transport.EVENT_LOOP)));
            arms.add(Arm.of(
                    ASYNC + connections,
                    "asynchronous (asyncClient()), connectionsPerServer(" + connections + ")",
                    setup -> new Keys.AsyncArm(setup, Keys.builder(setup).connectionsPerServer(connections))));
        }
        for (int connections : CONNECTIONS.subList(1, CONNECTIONS.size())) {
            arms.add(blocking(
                    "least-in-flight-" + connections,
                    "blocking, connectionsPerServer(" + connections + "), chooser(ConnectionChooser.leastInFlight())",
                    builder -> builder.connectionsPerServer(connections).chooser(ConnectionChooser.leastInFlight())));
        }
        for (int clients : CONNECTIONS.subList(2, CONNECTIONS.size())) {
            arms.add(Arm.of(
                    "pool-" + clients,
                    "blocking, MemcachedTemplate with Mode.POOLED and " + clients + " clients",
                    setup -> Keys.arm(setup, TemplateContender.pooledMemshard(Keys.settings(setup), clients))));
        }
        return arms;
    }

    private static Arm blocking(String name, String description, UnaryOperator<MemshardBuilder> settings) {
        return Arm.of(
                name,
                description,
                setup -> Keys.arm(setup, new MemshardContender(settings.apply(Keys.builder(setup)))));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        return plan;
    }
}
