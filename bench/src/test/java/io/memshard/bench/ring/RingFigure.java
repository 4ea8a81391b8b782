// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

/**
 * One figure of one ring. Threading: immutable.
 *
 * @param ring name of {@code Ring}
 * @param servers how many there are
 * @param measure what was measured
 * @param sample from 1: the fleet, for what follows from the names of its servers alone; else the round
 * @param value in the unit of the measure
 */
public record RingFigure(String ring, int servers, RingMeasure measure, int sample, double value) {}
