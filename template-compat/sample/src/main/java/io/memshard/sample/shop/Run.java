// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.measure.FiguresOfPeriod;

/**
 * A time with one setup.
 *
 * @param number from 1
 * @param setup that it had
 * @param figures since its warm-up
 * @param isWarm whether the warm-up is over
 * @param isDisturbed whether a server was stopped or started meanwhile, or was away
 * @param isIncomplete whether the recorder dropped waits
 */
public record Run(
        int number, Setup setup, FiguresOfPeriod figures, boolean isWarm, boolean isDisturbed, boolean isIncomplete) {}
