// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.result.Condition;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one fork of a comparison is told to do, as a file of properties.
 *
 * <p>Threading: immutable. Failure: {@link UncheckedIOException} naming the file.
 *
 * @param fork from 1
 * @param plan of the comparison
 * @param servers addresses, at least one
 * @param serverPids ids of their processes; empty if they are not known
 */
record ForkTask(int fork, ComparePlan plan, List<InetSocketAddress> servers, List<Long> serverPids) {

    /** Of this fork: the plan's would give every fork the same orders. */
    long seed() {
        return plan.seed() * 1_000_003 + fork;
    }

    void write(Path file) {
        Properties properties = new Properties();
        properties.setProperty("fork", String.valueOf(fork));
        properties.setProperty("servers", text(servers, server -> server.getHostString() + ":" + server.getPort()));
        properties.setProperty("serverPids", text(serverPids, String::valueOf));
        properties.setProperty("profile", plan.profile());
        properties.setProperty("poolSize", String.valueOf(plan.poolSize()));
        properties.setProperty(
                "participants",
                text(plan.participants(), each -> each.label() + "," + each.kind() + "," + each.connections()));
        properties.setProperty("conditions", text(plan.conditions(), ForkTask::text));
        properties.setProperty("forks", String.valueOf(plan.forks()));
        properties.setProperty("rounds", String.valueOf(plan.rounds()));
        properties.setProperty("slice", plan.slice().toString());
        properties.setProperty("warmUps", String.valueOf(plan.warmUps()));
        properties.setProperty("keys", String.valueOf(plan.keys()));
        properties.setProperty("seed", String.valueOf(plan.seed()));
        properties.setProperty("baselineJars", Objects.requireNonNullElse(plan.baselineJars(), ""));
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static <T> String text(List<T> things, Function<T, String> one) {
        return things.stream().map(one).collect(Collectors.joining(" "));
    }

    private static String text(Condition condition) {
        return condition.threads() + "," + condition.valueSize() + "," + condition.load() + "," + condition.callers()
                + "," + condition.inFlight();
    }

    static ForkTask read(Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
        String jars = properties.getProperty("baselineJars", "");
        ComparePlan plan = new ComparePlan(
                properties.getProperty("profile", ""),
                number(properties, "poolSize"),
                list(properties, "participants", ForkTask::participant),
                list(properties, "conditions", ForkTask::condition),
                number(properties, "forks"),
                number(properties, "rounds"),
                Duration.parse(properties.getProperty("slice", "")),
                number(properties, "warmUps"),
                number(properties, "keys"),
                Long.parseLong(properties.getProperty("seed", "")),
                jars.isEmpty() ? null : jars);
        return new ForkTask(
                number(properties, "fork"),
                plan,
                list(properties, "servers", ForkTask::address),
                list(properties, "serverPids", Long::valueOf));
    }

    private static int number(Properties properties, String name) {
        return Integer.parseInt(properties.getProperty(name, ""));
    }

    private static <T> List<T> list(Properties properties, String name, Function<String, T> one) {
        return Stream.of(properties.getProperty(name, "").split(" ", -1))
                .filter(text -> !text.isEmpty())
                .map(one)
                .toList();
    }

    private static Participant participant(String text) {
        String[] parts = text.split(",", -1);
        return new Participant(parts[0], ContenderKind.valueOf(parts[1]), Integer.parseInt(parts[2]));
    }

    private static Condition condition(String text) {
        String[] parts = text.split(",", -1);
        return new Condition(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Condition.Load.valueOf(parts[2]),
                Condition.Callers.valueOf(parts[3]),
                Integer.parseInt(parts[4]));
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
