// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.table.MarkdownTable;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Claims and verdicts as Markdown tables. Threading: stateless. */
public final class VerdictTable {

    private VerdictTable() {}

    /** Returns a row for each verdict, or a sentence if there is none. */
    static String of(List<Finding> findings, Function<Claim, String> page) {
        if (findings.isEmpty()) {
            return "No claim is about this run.\n";
        }
        return new MarkdownTable<Finding>()
                .text("claim", finding -> "[" + finding.claim().title() + "](" + page.apply(finding.claim()) + ")")
                .text("experiment", finding -> finding.claim().experiment())
                .text("verdict", finding -> "**" + finding.verdict().label() + "**")
                .text("why", finding -> cell(finding.reason()))
                .of(findings);
    }

    /**
     * Returns the claims as they stand before any data: what is said, what decides, and what would change a verdict.
     */
    public static String claims(Claims claims) {
        return "Hash of the claims: `" + claims.hash() + "`\n\n"
                + new MarkdownTable<Claim>("---:")
                        .text("experiment", Claim::experiment)
                        .text("claim", claim -> cell(claim.sentence()))
                        .text("figures of the source", claim -> cell(claim.figures()))
                        .text("what decides", claim -> "`" + claim.primary().text() + "`")
                        .text(
                                "also asked",
                                claim -> claim.shapes().stream()
                                        .map(shape -> "`" + shape.text() + "`")
                                        .collect(Collectors.joining("; ")))
                        .number(
                                "margin",
                                "%.0f %%",
                                claim -> 100 * claim.margin().fraction())
                        .of(claims.all());
    }

    /** Returns {@code text} so that it does not break a table. */
    static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ");
    }
}
