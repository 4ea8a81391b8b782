// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

/**
 * One figure of a client. Threading: immutable.
 *
 * @param servers how many it has
 * @param measure what was measured
 * @param sample the round, from 1
 * @param value in the unit of the measure
 */
public record ScaleFigure(int servers, ScaleMeasure measure, int sample, double value) {}
