// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.compare.ComparePlan.Participant;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderOptions;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.machine.VirtualThreads;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * Options of a comparison, and their check.
 *
 * <p>Failure: {@link ParameterException} naming option and value.
 */
public final class CompareOptions extends ContenderOptions {

    /** Maximum total time of the slices and warm-ups of a quick comparison, regardless of its contenders. */
    private static final Duration QUICK_LENGTH = Duration.ofSeconds(80);

    private static final int FORKS = 5;
    private static final int QUICK_FORKS = 2;
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;

    /** Maximum number of warm-up turns, after which a contender counts as warm. */
    private static final int WARM_UPS = 6;

    private static final Duration SLICE = Duration.ofMillis(400);
    private static final Duration LONGEST_QUICK_SLICE = Duration.ofMillis(250);
    private static final Duration SHORTEST_SLICE = Duration.ofMillis(50);
    private static final int MOST_THREADS = 10_000;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int LARGEST_VALUE = 1_000_000;
    private static final long LARGEST_KEYSPACE = 48L << 20;

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            description = "The contenders, comma-separated (default: all that the callers allow, without the rarer"
                    + " variants). Ratios are to 'connection' if it takes part, else to the first. That one"
                    + " runs twice, the second time with '-again' after its name. Known:"
                    + " ${COMPLETION-CANDIDATES}",
            completionCandidates = Names.class)
    private @Nullable List<String> contenders;

    @Option(
            names = "--threads",
            split = ",",
            paramLabel = "N",
            description =
                    "Numbers of callers, each a condition of its own (default: 1,8,64,200; async 2;" + " virtual 200).")
    private @Nullable List<Integer> threads;

    @Option(
            names = "--value-size",
            split = ",",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Lengths of the values in bytes (default: ${DEFAULT-VALUE}).")
    private List<Integer> valueSizes = List.of();

    @Option(
            names = "--connections",
            split = ",",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections of the contenders that are an array; several give a curve"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> connections = List.of();

    @Option(
            names = "--load",
            defaultValue = "GET",
            description = "get; set; mixed: nine get to one set; multi_get_10 and multi_get: 10 and 100 keys by each"
                    + " call (default: get).")
    private Condition.Load load = Condition.Load.GET;

    @Option(
            names = "--callers",
            defaultValue = "BLOCKING",
            description = "blocking: platform threads; async: threads with a window of futures; virtual: virtual"
                    + " threads, from Java 21 (default: blocking).")
    private Condition.Callers callers = Condition.Callers.BLOCKING;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "200",
            description = "Futures under way for each async caller (default: ${DEFAULT-VALUE}).")
    private int inFlight;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Different keys, all of them stored before (default: ${DEFAULT-VALUE}).")
    private int keys;

    @Option(
            names = "--forks",
            paramLabel = "N",
            description = "JVMs, one after the other; each opens all contenders anew and gets a new server (default: "
                    + FORKS + "; quick " + QUICK_FORKS + "). Intervals need two, and good ones five.")
    private @Nullable Integer forks;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds for each condition in each fork; in a round every contender has one slice (default: "
                    + ROUNDS + "; quick " + QUICK_ROUNDS + ").")
    private @Nullable Integer rounds;

    @Option(
            names = "--slice",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Length of a slice, as 1s or 500ms (default: 400ms; quick: what fits).")
    private @Nullable Duration slice;

    @Option(
            names = "--profile",
            defaultValue = "CLOUD",
            description = "cloud: a pool of 20, at most 4 CPUs; physical: a pool of 100, all CPUs (default: cloud).")
    private Profile profile = Profile.CLOUD;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the shuffled orders and of the keys drawn (default: another one each time; it is"
                    + " part of the result).")
    private @Nullable Long seed;

    @Option(
            names = "--servers",
            paramLabel = "N|HOST:PORT,...",
            description = "Several servers, of which each contender asks one for a key: how many to start, or their"
                    + " addresses. Without contenders that serve one.")
    private @Nullable String servers;

    @Option(
            names = "--anyway",
            description = "Measure on a busy machine too; the tables say that it was. A quick run always does.")
    private boolean anyway;

    /**
     * Returns the servers of the comparison: the named servers or, if none is named, the first that is found.
     *
     * @throws io.memshard.bench.command.BenchException if a server does not answer
     */
    public BenchServer findServer() {
        return servers == null ? BenchServer.find(server()) : BenchServer.findSeveral(servers);
    }

    /** Returns whether the comparison also runs on a busy machine. */
    boolean isAnyway() {
        return anyway;
    }

    /** Returns whether the seed was given; otherwise it is drawn at random. */
    boolean hasSeed() {
        return seed != null;
    }

    /** Returns the plan that these options make. */
    ComparePlan toPlan() {
        check("--forks", forks == null ? 1 : forks, 1, 1_000);
        check("--rounds", rounds == null ? 1 : rounds, 1, 10_000);
        check("--keys", keys, 1, 10_000_000);
        check("--in-flight", inFlight, 1, 100_000);
        checkEach("--connections", connections, 1, MOST_CONNECTIONS);
        checkEach("--value-size", valueSizes, Keyspace.SHORTEST_VALUE, LARGEST_VALUE);
        for (int size : valueSizes) {
            if ((long) size * keys > LARGEST_KEYSPACE) {
                throw wrong(keys + " keys of " + size + " bytes are more than a memcached holds by default:"
                        + " lower --keys or --value-size");
            }
        }
        if (servers != null && server() != null) {
            throw wrong("--server names one server and --servers several: leave one of them out");
        }
        if (load.keys() > 1) {
            String many = "--load " + load.name().toLowerCase(Locale.ROOT);
            check("--keys for " + many, keys, load.keys(), 10_000_000);
            if (callers == Condition.Callers.ASYNC) {
                throw wrong(many + " has no asynchronous callers: choose other --callers");
            }
        }
        if (callers == Condition.Callers.VIRTUAL && !VirtualThreads.areThere()) {
            throw wrong("--callers virtual needs Java 21 or later, this is Java "
                    + Runtime.version().feature());
        }
        List<Condition> conditions = conditions();
        List<Participant> participants = Participant.of(kinds(), connections);
        ComparePlan plan = new ComparePlan(
                profile.label(),
                profile.poolSize(),
                participants,
                conditions,
                forks != null ? forks : isQuick() ? QUICK_FORKS : FORKS,
                rounds != null ? rounds : isQuick() ? QUICK_ROUNDS : ROUNDS,
                slice != null ? slice : SLICE,
                isQuick() ? 1 : WARM_UPS,
                keys,
                seed != null ? seed : ThreadLocalRandom.current().nextInt(1_000_000));
        return isQuick() && slice == null ? plan.withSlice(quickSlice(plan)) : plan;
    }

    private List<Condition> conditions() {
        List<Integer> numbers = threads != null
                ? threads
                : switch (callers) {
                    case BLOCKING -> List.of(1, 8, 64, 200);
                    case ASYNC -> List.of(2);
                    case VIRTUAL -> List.of(200);
                };
        checkEach("--threads", numbers, 1, MOST_THREADS);
        List<Condition> conditions = new ArrayList<>();
        for (int size : valueSizes) {
            for (int number : numbers) {
                conditions.add(
                        new Condition(number, size, load, callers, callers == Condition.Callers.ASYNC ? inFlight : 1));
            }
        }
        return conditions;
    }

    private List<ContenderKind> kinds() {
        boolean async = callers == Condition.Callers.ASYNC;
        if (contenders == null) {
            return Arrays.stream(ContenderKind.values())
                    .filter(kind -> isUsual(kind) && (!async || kind.isAsynchronous()) && canTakePart(kind))
                    .toList();
        }
        List<ContenderKind> kinds = new ArrayList<>();
        List<ContenderKind> again = new ArrayList<>();
        for (String name : contenders) {
            boolean isAgain = name.strip().endsWith(ComparisonResult.AGAIN);
            String label = isAgain ? name.strip().replaceFirst(ComparisonResult.AGAIN + "$", "") : name.strip();
            ContenderKind kind = kind(label);
            if (async && !kind.isAsynchronous()) {
                throw wrong("contender " + name + " has no asynchronous calls: leave it out or choose other --callers");
            }
            if (servers != null && !kind.servesMany()) {
                throw wrong("contender " + name + " serves one server: leave it out or leave --servers out");
            }
            if (!canTakePart(kind)) {
                throw wrong("contender " + name + " has no get of many keys: leave it out or choose another --load");
            }
            kinds.add(kind);
            if (isAgain) {
                again.add(kind);
            }
        }
        again.remove(Participant.baseline(kinds));
        if (!again.isEmpty()) {
            throw wrong("only the baseline runs twice, which is "
                    + Participant.baseline(kinds).label() + ": leave out "
                    + again.get(0).label() + ComparisonResult.AGAIN);
        }
        return kinds;
    }

    /**
     * Returns whether a contender runs by default. Asynchronous calls of {@code connection} go to a bare spymemcached
     * client, so they are the same as those of {@code spymemcached-bare}.
     */
    private boolean isUsual(ContenderKind kind) {
        boolean twice =
                callers == Condition.Callers.ASYNC && servers == null && kind == ContenderKind.SPYMEMCACHED_BARE;
        return kind.isRegular() && !twice;
    }

    private boolean canTakePart(ContenderKind kind) {
        return (servers == null || kind.servesMany()) && (load.keys() == 1 || kind.hasMultiGet());
    }

    private Duration quickSlice(ComparePlan plan) {
        Duration fitting =
                QUICK_LENGTH.dividedBy((long) plan.forks() * plan.participants().size() * plan.turns());
        if (fitting.compareTo(SHORTEST_SLICE) < 0) {
            throw wrong("too much to compare with --quick: choose fewer contenders, threads, forks or rounds");
        }
        return Duration.ofMillis(Math.min(LONGEST_QUICK_SLICE.toMillis(), fitting.toMillis()));
    }

    /** Converter of texts such as {@code 500ms}, {@code 1s} and {@code 2m}. */
    static final class DurationConverter implements ITypeConverter<Duration> {
        private static final Pattern TIME = Pattern.compile("(-?\\d{1,9})(ms|s|m)");

        @Override
        public Duration convert(String text) {
            Matcher time = TIME.matcher(text);
            if (!time.matches()) {
                throw new TypeConversionException("\"" + text + "\" is not a time such as 500ms, 1s or 2m");
            }
            long number = Long.parseLong(time.group(1));
            Duration duration = switch (time.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                default -> Duration.ofMinutes(number);
            };
            if (number <= 0 || duration.compareTo(Duration.ofHours(1)) > 0) {
                throw new TypeConversionException("must be more than nothing and at most an hour, not " + text);
            }
            return duration;
        }
    }
}
