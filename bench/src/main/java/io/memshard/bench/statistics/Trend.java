// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.List;
import org.apache.commons.math3.stat.ranking.NaturalRanking;

/**
 * Page's test of whether figures rise from condition to condition. See Page, "Ordered Hypotheses for Multiple
 * Treatments" (1963). The {@code statistic} is Page's L, and {@code z} is its distance from the mean without a trend,
 * in standard deviations.
 */
public record Trend(double statistic, double z) {

    /** Value of {@code z} above which a trend is significant at the level of 5 %. */
    public static final double SIGNIFICANT = 1.645;

    public static Trend of(List<double[]> blocks) {
        int conditions = blocks.get(0).length;
        double statistic = 0;
        for (double[] block : blocks) {
            double[] ranks = new NaturalRanking().rank(block);
            for (int i = 0; i < conditions; i++) {
                statistic += (i + 1) * ranks[i];
            }
        }
        double n = blocks.size();
        double k = conditions;
        double mean = n * k * (k + 1) * (k + 1) / 4;
        double variance = n * k * k * (k + 1) * (k * k - 1) / 144;
        return new Trend(statistic, (statistic - mean) / Math.sqrt(variance));
    }

    public boolean rises() {
        return z > SIGNIFICANT;
    }

    public boolean falls() {
        return z < -SIGNIFICANT;
    }
}
