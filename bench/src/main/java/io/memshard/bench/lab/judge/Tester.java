// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.Judge.Outcome;
import io.memshard.bench.lab.judge.Judge.Outcome.Result;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Curve;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import io.memshard.bench.statistics.PairedRatio;
import io.memshard.bench.statistics.Sample;
import io.memshard.bench.statistics.Trend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Tester of claims on the results of one experiment. Metrics of locks come from {@code profiles}. */
record Tester(Forks forks, Forks profiles, int cpus, Margin margin, Bootstrap bootstrap) {

    /** Share of the bootstrap samples that must have the claimed shape. */
    private static final double SURE = 0.95;

    private static final double LARGER = 1.5;

    /** Growth above which a text gives both figures instead of their ratio. */
    private static final double TELLING = 1_000;

    Outcome ask(ClaimCheck test) {
        Outcome outcome = unguarded(test);
        boolean isShown = test.kind() != ClaimCheck.Kind.EQUAL
                && Set.of(Result.HOLDS, Result.LARGER, Result.WEAKER).contains(outcome.result());
        return isShown || cpus >= test.leastCpus() || outcome.result() == Result.ABSENT
                ? outcome
                : Outcome.absent(test, "needs " + test.leastCpus() + " processors, and the machine has " + cpus);
    }

    private Outcome unguarded(ClaimCheck test) {
        if (WaitRow.isMetric(test.metric())) {
            return new Tester(profiles, profiles, cpus, margin, bootstrap).answer(test);
        }
        String cold = notWarm(test);
        if (cold.isEmpty()) {
            return answer(test);
        }
        Outcome late = answer(test.of(Metric.LATE_THROUGHPUT));
        return new Outcome(
                test,
                late.result(),
                late.found(),
                late.text() + "; by second halves, because of the warm-up of " + cold);
    }

    private String notWarm(ClaimCheck test) {
        if (!test.metric().equals(Metric.THROUGHPUT)) {
            return "";
        }
        List<String> cold = new ArrayList<>();
        for (String arm : List.of(test.arm(), test.other())) {
            conditions(test, arm).forEach(condition -> {
                double drift = forks.median(arm, condition, Metric.DRIFT);
                if (drift > Metric.MOST_DRIFT) {
                    cold.add(String.format(Locale.ROOT, "%s under %s (%.2f)", arm, condition.label(), drift));
                }
            });
        }
        return String.join(", ", cold);
    }

    private Stream<Condition> conditions(ClaimCheck test, String arm) {
        return switch (test.kind()) {
            case ABOVE, BELOW, FIGURE -> Stream.of(test.condition());
            case EQUAL ->
                Double.isNaN(test.value())
                        ? Stream.of(test.condition())
                        : overThreads(test, arm).filter(condition -> condition.threads() <= test.value());
            case CROSSING, DROP, TREND -> overThreads(test, arm);
            case RANKS, FIRST, OCCURS, COUNTED -> Stream.empty();
        };
    }

    private Stream<Condition> overThreads(ClaimCheck test, String arm) {
        return forks.threads(arm, test.condition()).stream()
                .map(threads -> test.condition().withThreads(threads));
    }

    private Outcome answer(ClaimCheck test) {
        return switch (test.kind()) {
            case ABOVE, BELOW, EQUAL -> ratio(test);
            case CROSSING -> overThreads(test, List.of(test.arm(), test.other()), this::crossing);
            case DROP -> overThreads(test, List.of(test.arm()), this::drop);
            case TREND -> overThreads(test, List.of(test.arm()), this::trend);
            case FIGURE -> figure(test);
            case OCCURS -> occurs(test);
            case RANKS -> ranks(test);
            case FIRST -> first(test);
            case COUNTED ->
                new Outcome(test, counted(test.other()), Interval.UNKNOWN, "checked by the unit test " + test.arm());
        };
    }

    private static Result counted(String answer) {
        return answer.equals("holds") ? Result.HOLDS : answer.equals("partly") ? Result.WEAKER : Result.FAILS;
    }

    private interface Question {
        Outcome ask(ClaimCheck test, List<Integer> threads, List<double[]> curves);
    }

    private Outcome ratio(ClaimCheck test) {
        double[] ofArm = forks.values(test.arm(), test.condition(), test.metric());
        double[] ofOther = forks.values(test.other(), test.condition(), test.metric());
        if (DoubleStream.concat(Arrays.stream(ofArm), Arrays.stream(ofOther)).anyMatch(figure -> figure == 0)) {
            return besideNothing(test, ofArm, ofOther);
        }
        List<PairedRatio.Block> pairs = conditions(test, test.arm())
                .flatMap(condition -> forks.pairs(test.arm(), test.other(), condition, test.metric()).stream())
                .toList();
        if (pairs.isEmpty()) {
            return absent(test, List.of(test.arm(), test.other()));
        }
        Interval seen = PairedRatio.of(pairs, bootstrap);
        String text = seen.isKnown()
                ? String.format(
                        Locale.ROOT,
                        "%s in %d blocks; four runs of five would have seen %.2f",
                        seen.text(),
                        pairs.size(),
                        margin.smallestVisible(seen))
                : seen.text() + " in one block";
        return new Outcome(test, result(test, seen), seen, text);
    }

    /** Compares the ranges of both arms, because a block with a figure of 0 has no ratio. */
    private Outcome besideNothing(ClaimCheck test, double[] ofArm, double[] ofOther) {
        if (ofArm.length < 2 || ofOther.length < 2) {
            return absent(test, List.of(test.arm(), test.other()));
        }
        Arrays.sort(ofArm);
        Arrays.sort(ofOther);
        Interval seen = new Interval(
                quotient(ofArm[0], ofOther[ofOther.length - 1]),
                quotient(Sample.median(ofArm), Sample.median(ofOther)),
                quotient(ofArm[ofArm.length - 1], ofOther[0]));
        return new Outcome(test, result(test, seen), seen, spread(ofArm) + " beside " + spread(ofOther));
    }

    private static String spread(double[] sorted) {
        return String.format(
                Locale.ROOT, "%.4g (%.4g to %.4g)", Sample.median(sorted), sorted[0], sorted[sorted.length - 1]);
    }

    private Result result(ClaimCheck test, Interval seen) {
        double size = Double.isNaN(test.value()) ? 1 : test.value();
        return switch (test.kind()) {
            case EQUAL ->
                switch (margin.of(seen)) {
                    case EQUAL -> Result.HOLDS;
                    case ABOVE, BELOW -> Result.FAILS;
                    case UNKNOWN -> Result.UNKNOWN;
                };
            case BELOW -> direction(seen.inverse(), 1 / size);
            default -> direction(seen, size);
        };
    }

    private Result direction(Interval ratio, double size) {
        if (margin.of(ratio) == Margin.Position.ABOVE) {
            if (size > 1 && ratio.mid() > LARGER * size) {
                return Result.LARGER;
            }
            return ratio.high() >= size / margin.ratio() ? Result.HOLDS : Result.WEAKER;
        }
        return ratio.high() < margin.ratio() ? Result.FAILS : Result.UNKNOWN;
    }

    private Outcome overThreads(ClaimCheck test, List<String> arms, Question question) {
        TreeSet<Integer> threads = new TreeSet<>(forks.threads(arms.get(0), test.condition()));
        arms.forEach(arm -> threads.retainAll(forks.threads(arm, test.condition())));
        if (test.kind() == ClaimCheck.Kind.TREND) {
            threads.removeIf(number -> number < test.value());
        }
        List<Integer> numbers = List.copyOf(threads);
        List<double[]> curves =
                numbers.size() < 2 ? List.of() : forks.curves(arms, test.condition(), numbers, test.metric());
        return curves.isEmpty() ? absent(test, arms) : question.ask(test, numbers, curves);
    }

    private Outcome crossing(ClaimCheck test, List<Integer> threads, List<double[]> curves) {
        int half = threads.size();
        double share = Curve.share(curves, bootstrap, figures -> {
            int crossing =
                    Curve.crossing(Arrays.copyOf(figures, half), Arrays.copyOfRange(figures, half, figures.length));
            return crossing < half && threads.get(crossing) <= test.value();
        });
        String text =
                String.format(Locale.ROOT, "holds in %.0f %% of samples of %d blocks", 100 * share, curves.size());
        Result result = curves.size() < 2
                ? Result.UNKNOWN
                : share >= SURE ? Result.HOLDS : share <= 1 - SURE ? Result.FAILS : Result.UNKNOWN;
        return new Outcome(test, result, new Interval(Double.NaN, share, Double.NaN), text);
    }

    private Outcome drop(ClaimCheck test, List<Integer> threads, List<double[]> curves) {
        Interval drop = Curve.interval(curves, bootstrap, Curve::drop);
        double limit = Double.isNaN(test.value()) ? margin.ratio() : test.value();
        int peak = threads.get(Curve.peak(Curve.medians(curves)));
        int most = threads.get(threads.size() - 1);
        String text =
                "the peak, at " + peak + " threads, is " + drop.text() + " times the figure at " + most + " threads";
        return new Outcome(test, beyond(drop, limit), drop, text);
    }

    private Outcome trend(ClaimCheck test, List<Integer> threads, List<double[]> curves) {
        Trend trend = Trend.of(curves);
        Interval growth = Curve.interval(curves, bootstrap, Tester::growth);
        Result result = Result.UNKNOWN;
        double least = growth.isKnown() ? growth.low() : growth.mid();
        if (trend.rises() && least > margin.ratio()) {
            result = Result.HOLDS;
        } else if (trend.falls() || growth.high() < margin.ratio()) {
            result = Result.FAILS;
        }
        int fewest = threads.get(0);
        int most = threads.get(threads.size() - 1);
        double[] medians = Curve.medians(curves);
        String grown = growth.mid() < TELLING
                ? growth.text() + " times from " + fewest + " to " + most + " threads"
                : String.format(
                        Locale.ROOT,
                        "%.2g at %s and %.2g at %d",
                        medians[0],
                        fewest == 1 ? "1 thread" : fewest + " threads",
                        medians[medians.length - 1],
                        most);
        String text = String.format(
                Locale.ROOT, "%s; Page's trend test: L = %.0f, z = %.1f", grown, trend.statistic(), trend.z());
        return new Outcome(test, result, growth, text);
    }

    private static double growth(double[] figures) {
        return quotient(figures[figures.length - 1], figures[0]);
    }

    private static double quotient(double above, double below) {
        return above == below ? 1 : above / below;
    }

    private Outcome figure(ClaimCheck test) {
        boolean share = test.metric().equals("cpu_share");
        String metric = share ? "busy_cpus" : test.metric();
        double[] figures = forks.figures(test.arm(), test.condition(), metric).values().stream()
                .mapToDouble(figure -> Sample.mean(figure) / (share ? cpus : 1))
                .toArray();
        if (figures.length == 0) {
            return absent(test, List.of(test.arm()));
        }
        Interval seen = bootstrap.median(figures);
        return new Outcome(test, beyond(seen, test.value()), seen, test.metric() + " is " + seen.text());
    }

    private Outcome occurs(ClaimCheck test) {
        double[] figures = forks.values(test.arm(), test.condition(), test.metric());
        if (figures.length == 0) {
            return absent(test, List.of(test.arm()));
        }
        double limit = Double.isNaN(test.value()) ? 0 : test.value();
        long seen = Arrays.stream(figures).filter(figure -> figure > limit).count();
        Arrays.sort(figures);
        String text = String.format(
                Locale.ROOT,
                "%s exceeds %s in %d of %d forks: %s",
                test.metric(),
                number(limit),
                seen,
                figures.length,
                Arrays.stream(figures).mapToObj(Tester::number).collect(Collectors.joining(", ")));
        return new Outcome(test, seen > 0 ? Result.HOLDS : Result.FAILS, Interval.UNKNOWN, text);
    }

    private static String number(double figure) {
        return String.format(Locale.ROOT, figure == Math.rint(figure) ? "%.0f" : "%.3g", figure);
    }

    private Outcome ranks(ClaimCheck test) {
        List<String> arms = test.times().keySet().stream()
                .filter(arm -> forks.has(arm, test.condition()))
                .toList();
        if (arms.size() < 3) {
            return absent(test, test.times().keySet());
        }
        double[] claimed =
                arms.stream().mapToDouble(arm -> test.times().get(arm)).toArray();
        List<double[]> blocks =
                forks.curves(arms, test.condition(), List.of(test.condition().threads()), test.metric()).stream()
                        .map(throughput ->
                                Arrays.stream(throughput).map(each -> 1 / each).toArray())
                        .toList();
        if (blocks.isEmpty()) {
            return absent(test, arms);
        }
        Interval correlation = Curve.interval(blocks, bootstrap, times -> Sample.rankCorrelation(claimed, times));
        double chance = Sample.chanceOfRanks(claimed, Curve.medians(blocks));
        Result result = chance <= 1 - SURE ? Result.HOLDS : correlation.mid() <= 0 ? Result.FAILS : Result.UNKNOWN;
        String text = String.format(
                Locale.ROOT,
                "rank correlation with the source's order: %s, for %d of %d systems; random orders reach this in %.1f %%",
                correlation.text(),
                arms.size(),
                test.times().size(),
                100 * chance);
        return new Outcome(test, result, correlation, text);
    }

    private Outcome first(ClaimCheck test) {
        List<Condition> columns = overThreads(test, test.arm())
                .filter(condition -> test.times().keySet().stream().allMatch(arm -> forks.has(arm, condition)))
                .toList();
        if (columns.isEmpty()) {
            return absent(test, test.times().keySet());
        }
        long ahead = columns.stream()
                .filter(condition -> test.times().keySet().stream()
                        .allMatch(arm -> forks.median(test.arm(), condition, test.metric())
                                > forks.median(arm, condition, test.metric())))
                .count();
        Result result = ahead == columns.size() ? Result.HOLDS : ahead == 0 ? Result.FAILS : Result.WEAKER;
        String text = "first of " + (1 + test.times().size()) + " in " + ahead + " of " + columns.size() + " columns";
        return new Outcome(test, result, Interval.UNKNOWN, text);
    }

    private static Result beyond(Interval seen, double limit) {
        return seen.low() > limit ? Result.HOLDS : seen.high() <= limit ? Result.FAILS : Result.UNKNOWN;
    }

    private Outcome absent(ClaimCheck test, Collection<String> arms) {
        Condition condition = test.condition();
        String missing =
                arms.stream().filter(arm -> !forks.arms().contains(arm)).collect(Collectors.joining(", "));
        return Outcome.absent(
                test,
                missing.isEmpty()
                        ? "no block has all that is needed under " + condition.label()
                        : "there is no data of " + missing);
    }
}
