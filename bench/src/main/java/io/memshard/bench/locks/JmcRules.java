// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.LockProfile.JmcVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.common.util.IPreferenceValueProvider;
import org.openjdk.jmc.flightrecorder.CouldNotLoadRecordingException;
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
 * its verdict is shown in addition to the waits that this program counts, and does not replace them. Threading:
 * stateless.
 */
final class JmcRules {

    private static final Set<String> RULES = Set.of("JavaBlocking", "ContextSwitch");

    /** Remark of a rule on its settings, which are always the same here. */
    private static final Pattern OWN_SETTINGS =
            Pattern.compile("The following regular expression was used to exclude threads from this rule: '+[^']*'+");

    /** Logger of JMC, kept in a field because a logger without a strong reference loses its level. */
    private static final Logger LOG = Logger.getLogger("org.openjdk.jmc");

    static {
        // It would warn of each event type that a recording lacks. These warnings are of no use here.
        LOG.setLevel(Level.OFF);
    }

    private JmcRules() {}

    /**
     * Returns the verdict of each rule, in the reverse order of their names. If a rule fails, its verdict says so.
     *
     * @throws IOException if JMC cannot read the recording
     */
    static List<JmcVerdict> judge(Path recording) throws IOException {
        IItemCollection events;
        try {
            events = JfrLoaderToolkit.loadEvents(recording.toFile());
        } catch (CouldNotLoadRecordingException e) {
            throw new IOException("JMC cannot read " + recording + ": " + e.getMessage(), e);
        }
        return RuleRegistry.getRules().stream()
                .filter(rule -> RULES.contains(rule.getId()))
                .map(rule -> verdict(rule, events))
                .sorted(Comparator.comparing(JmcVerdict::rule).reversed())
                .toList();
    }

    private static JmcVerdict verdict(IRule rule, IItemCollection events) {
        RunnableFuture<IResult> evaluation =
                rule.createEvaluation(events, IPreferenceValueProvider.DEFAULT_VALUES, new ResultProvider());
        evaluation.run();
        try {
            IResult result = evaluation.get();
            IQuantity score = result.getResult(TypedResult.SCORE);
            return new JmcVerdict(
                    rule.getName(),
                    result.getSeverity().name(),
                    score == null ? -1 : score.doubleValue(),
                    text(result, result.getSummary(), result.getExplanation()));
        } catch (ExecutionException e) {
            return new JmcVerdict(rule.getName(), "NA", -1, "the rule failed: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new JmcVerdict(rule.getName(), "NA", -1, "interrupted");
        }
    }

    private static String text(IResult result, @Nullable String... parts) {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            if (part != null && !part.isBlank()) {
                text.append(text.isEmpty() ? "" : " ")
                        .append(ResultToolkit.populateMessage(result, part, false)
                                .strip());
            }
        }
        return OWN_SETTINGS
                .matcher(text)
                .replaceAll("")
                .replaceAll("\\s+", " ")
                .replace("''", "'")
                .strip();
    }
}
