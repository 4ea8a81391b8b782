// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.ServerNeed;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.bench.result.Environment;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Notes what a run is: machine, build, plan. Threading: stateless. */
final class RunFactsProbe {

    private RunFactsProbe() {}

    static RunFacts facts(LabPlan plan, String command, String claims, List<String> busy) {
        Environment environment = new EnvironmentProbe().environmentWithoutServer(command);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", command);
        facts.put("started", environment.startedAt().toString());
        facts.put("commit", environment.commit());
        facts.put("cpus", String.valueOf(environment.cpus()));
        facts.put("cpu_model", environment.cpuModel());
        facts.put("kernel", environment.kernel());
        facts.put("jdk", environment.jdk());
        facts.put("fork_flags", String.join(" ", ForkLauncher.FLAGS));
        facts.put("size", plan.size().name().toLowerCase(Locale.ROOT));
        facts.put("profiles", plan.profiles().stream().map(Profile::label).collect(Collectors.joining(" ")));
        facts.put(
                "experiments", plan.experiments().stream().map(Experiment::name).collect(Collectors.joining(" ")));
        facts.put("isolation", plan.isolation().label());
        for (Profile profile : plan.profiles()) {
            facts.put(
                    "placement_" + profile.label(),
                    Placement.of(profile, true, plan.isolation()).label());
        }
        facts.put("server", server(plan));
        facts.put("seed", String.valueOf(plan.seed()));
        facts.put("plan", plan.hash());
        facts.put("claims", claims);
        facts.put("busy", String.join("; ", busy));
        return new RunFacts(facts);
    }

    /** The servers of which each fork gets one anew, for a person. */
    private static String server(LabPlan plan) {
        Set<ServerNeed> needs = EnumSet.noneOf(ServerNeed.class);
        plan.schedules().forEach(schedule -> needs.addAll(schedule.servers()));
        // The page tells which conditions have one worker.
        if (needs.remove(ServerNeed.ONE_WORKER)) {
            needs.add(ServerNeed.DEFAULT);
        }
        Placement placement = Placement.of(plan.profiles().get(0), true, plan.isolation());
        return needs.isEmpty()
                ? "none is needed"
                : needs.stream()
                        .map(need -> description(need, plan.server(), placement))
                        .collect(Collectors.joining("; "));
    }

    private static String description(ServerNeed need, String named, Placement placement) {
        try (LabServer server = LabServer.start(need, named, placement)) {
            return server.description();
        } catch (BenchException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
