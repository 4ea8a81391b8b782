// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.measure.Figures;
import io.memshard.sample.measure.FiguresOfPeriod;

/**
 * Period with one setup.
 *
 * @param number number of the run, from 1
 * @param setup setup of the run
 * @param figures figures since the warm-up
 * @param medianThroughput median of the last {@value Figures#MEDIAN_SECONDS} seconds after the warm-up, in answered
 *     requests per second; 0 before
 * @param isWarm whether the warm-up is complete
 * @param isDisturbed whether a server was stopped or started during the run, or was down
 */
public record Run(
        int number,
        Setup setup,
        FiguresOfPeriod figures,
        double medianThroughput,
        boolean isWarm,
        boolean isDisturbed) {}
