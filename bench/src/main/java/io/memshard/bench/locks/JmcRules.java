// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.RunnableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.common.util.IPreferenceValueProvider;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;
import org.openjdk.jmc.flightrecorder.rules.IResult;
import org.openjdk.jmc.flightrecorder.rules.IRule;
import org.openjdk.jmc.flightrecorder.rules.ResultProvider;
import org.openjdk.jmc.flightrecorder.rules.ResultToolkit;
import org.openjdk.jmc.flightrecorder.rules.RuleRegistry;
import org.openjdk.jmc.flightrecorder.rules.TypedResult;

/**
 * Rules of JDK Mission Control on blocking, applied to a recording: a second opinion from independent code. {@code Java
 * Blocking} considers monitors only; it does not see threads that queue for a {@code ReentrantLock} or for the pool. So
 * its verdict is shown in addition to the waits that this program counts. Threading: stateless.
 */
public final class JmcRules {

    private static final Set<String> RULES = Set.of("JavaBlocking", "ContextSwitch");

    /** Logger of JMC, kept in a field because a logger without a strong reference loses its level. */
    private static final Logger LOG = Logger.getLogger("org.openjdk.jmc");

    static {
        // It would warn of each event type that a recording lacks. These warnings are of no use here.
        LOG.setLevel(Level.OFF);
    }

    private JmcRules() {}

    /**
     * Verdict of a rule. Threading: immutable.
     *
     * @param label severity, and the score from 0 (no problem) to 100 if the rule gives one
     */
    public record JmcVerdict(String rule, String label, String text) {}

    /** Returns the verdict of each rule. Returns the failure as a verdict if JMC fails: verdicts are optional. */
    public static List<JmcVerdict> judge(Path recording) {
        try {
            IItemCollection events = JfrLoaderToolkit.loadEvents(recording.toFile());
            return RuleRegistry.getRules().stream()
                    .filter(rule -> RULES.contains(rule.getId()))
                    .map(rule -> verdict(rule, events))
                    .sorted(Comparator.comparing(JmcVerdict::rule).reversed())
                    .toList();
        } catch (Exception e) {
            return List.of(new JmcVerdict("JMC", "NA", "could not judge the recording: " + e));
        }
    }

    private static JmcVerdict verdict(IRule rule, IItemCollection events) {
        RunnableFuture<IResult> evaluation =
                rule.createEvaluation(events, IPreferenceValueProvider.DEFAULT_VALUES, new ResultProvider());
        evaluation.run();
        IResult result;
        try {
            result = evaluation.get();
        } catch (Exception e) {
            return new JmcVerdict(rule.getName(), "NA", "the rule failed: " + e);
        }
        IQuantity score = result.getResult(TypedResult.SCORE);
        String text = Stream.of(result.getSummary(), result.getExplanation())
                .filter(part -> part != null && !part.isBlank())
                .map(part -> ResultToolkit.populateMessage(result, part, false).replaceAll("\\s+", " "))
                .collect(Collectors.joining(" "))
                // The settings of the rule, which are always the same here.
                .replaceAll(" The following regular expression was used to exclude.*", "");
        String severity = result.getSeverity().name();
        return new JmcVerdict(
                rule.getName(),
                score == null ? severity : String.format(Locale.ROOT, "%s %.0f", severity, score.doubleValue()),
                text);
    }
}
