// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.judge.Claim;
import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Finding;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Claims and verdicts as Markdown tables. Threading: stateless. */
public final class VerdictTable {

    private VerdictTable() {}

    /** A row for each verdict, or a sentence if there is none. */
    static String of(List<Finding> findings, Function<Claim, String> page) {
        if (findings.isEmpty()) {
            return "No claim is about this run.\n";
        }
        StringBuilder text = new StringBuilder("| claim | experiment | verdict | why |\n|---|---|---|---|\n");
        for (Finding finding : findings) {
            text.append(String.format(
                    Locale.ROOT,
                    "| [%s](%s) | %s | **%s** | %s |%n",
                    finding.claim().title(),
                    page.apply(finding.claim()),
                    finding.claim().experiment(),
                    finding.verdict().label(),
                    cell(finding.reason())));
        }
        return text.toString();
    }

    /** The claims as they stand before any data: what is said, what decides, and what would change a verdict. */
    public static String claims(Claims claims) {
        StringBuilder text = new StringBuilder();
        text.append("Hash of the claims: `").append(claims.hash()).append("`\n\n");
        text.append("| experiment | claim | figures of the source | what decides | also asked | margin |\n");
        text.append("|---|---|---|---|---|---:|\n");
        for (Claim claim : claims.all()) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | `%s` | %s | %.0f %% |%n",
                    claim.experiment(),
                    cell(claim.sentence()),
                    cell(claim.figures()),
                    claim.primary().text(),
                    String.join(
                            "; ",
                            claim.shapes().stream()
                                    .map(ClaimCheck::text)
                                    .map(shape -> "`" + shape + "`")
                                    .toList()),
                    100 * claim.margin().fraction()));
        }
        return text.toString();
    }

    /** Text that does not break a table. */
    static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ");
    }
}
