// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.experiment.Setup;
import io.memshard.client.options.Transport;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Which settings of Memshard are fastest on this machine and with this server? Asked in two rounds: all settings, and
 * then the winner against the default on fresh forks, because the best of many is partly luck.
 *
 * <p>All have as many gets under way at a time. Blocking callers have one each; two asynchronous callers share them.
 */
public final class Advice implements Experiment {

    /** The default settings; every other arm is compared with it. */
    public static final String DEFAULT = "default";

    private static final List<Integer> CONNECTIONS = List.of(1, 2, 4, 8);
    private static final String ASYNC = "async-";
    private static final String IN_FLIGHT = "in-flight";
    private static final int ASYNC_CALLERS = 2;
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    private final Condition condition;
    private final List<String> candidates;
    private final int blocks;
    private final Duration window;

    /**
     * A round.
     *
     * @param threads gets under way at a time: threads of the program that is advised, if it blocks
     * @param valueSize bytes of a value
     * @param candidates arms beside the default; none for all
     * @param blocks how often each runs
     * @param window how long each is measured
     */
    public Advice(int threads, int valueSize, List<String> candidates, int blocks, Duration window) {
        this.condition = Condition.ofThreads(threads).with(Keys.VALUE, valueSize);
        this.candidates = candidates.isEmpty()
                ? arms().stream()
                        .map(Arm::name)
                        .filter(name -> !name.equals(DEFAULT))
                        .toList()
                : List.copyOf(candidates);
        this.blocks = blocks;
        this.window = window;
    }

    /** What {@code arm} runs under. */
    public Condition conditionOf(String arm) {
        if (!arm.startsWith(ASYNC)) {
            return condition;
        }
        int callers = Math.min(ASYNC_CALLERS, condition.threads());
        return condition.withThreads(callers).with(IN_FLIGHT, (condition.threads() + callers - 1) / callers);
    }

    /** The arms beside the default that run. */
    public List<String> candidates() {
        return candidates;
    }

    /** What {@code arm} is, in words. */
    public String description(String arm) {
        return arms().stream()
                .filter(each -> each.name().equals(arm))
                .findFirst()
                .orElseThrow()
                .description();
    }

    @Override
    public String name() {
        return "advice";
    }

    @Override
    public String question() {
        return "Which settings of Memshard are fastest on this machine and with this server?";
    }

    @Override
    public String unit() {
        return "get";
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
                    setup -> new AsyncGet(
                            builder(setup).connectionsPerServer(connections),
                            Keys.store(setup),
                            setup.condition().number(IN_FLIGHT, 1))));
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
                    setup -> new ContenderGet(new MemshardTemplate(Keys.settings(setup), clients), Keys.store(setup))));
        }
        return arms;
    }

    private static Arm blocking(String name, String description, UnaryOperator<MemshardBuilder> settings) {
        return Arm.of(
                name,
                description,
                setup -> new ContenderGet(new MemshardGet(settings.apply(builder(setup))), Keys.store(setup)));
    }

    private static MemshardBuilder builder(Setup setup) {
        return Memshard.builder()
                .servers(MemshardGet.address(Keys.settings(setup)))
                .requestTimeout(ContenderSettings.TIMEOUT);
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Plan.Cell> cells = new ArrayList<>(Plan.cross(List.of(condition), List.of(DEFAULT)));
        candidates.forEach(arm -> cells.add(new Plan.Cell(arm, conditionOf(arm))));
        return new Plan(cells, blocks, WARM_UP, window, 0, 1, List.of());
    }
}
