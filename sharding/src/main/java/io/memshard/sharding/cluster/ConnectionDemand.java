// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

/**
 * Says how many connections pay, from samples of the commands in flight.
 *
 * <p>With more commands in flight than connections, callers wait for one another. So the answer is the average number
 * of commands in flight, between two limits. It grows after half a second, and falls after a minute in which fewer were
 * enough.
 *
 * <p>Threading: confined to one thread.
 */
final class ConnectionDemand {

    /** Number of samples of an average: half a second of ticks. */
    static final int SAMPLES = 10;

    /** Number of averages in a row below the size before it falls: a minute. */
    static final int AVERAGES_BEFORE_FALL = 120;

    private final int least;
    private final int most;

    private long sum;
    private int samples;
    private double average;

    /** Number of averages in a row for which fewer connections were enough, and the most that they needed. */
    private int averagesBelow;

    private int mostBelow;

    /** Answers numbers from {@code least} to {@code most}. */
    ConnectionDemand(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /** Takes a sample of the commands in flight on {@code size} connections. Returns how many are wanted. */
    int wanted(int inFlight, int size) {
        sum += inFlight;
        if (++samples < SAMPLES) {
            return size;
        }
        average = (double) sum / samples;
        sum = 0;
        samples = 0;
        // A quarter above the size: a single caller, or as many as connections, never wait for one another.
        int pays = (int) Math.max(least, Math.min(most, average + 0.75));
        if (pays < size) {
            mostBelow = Math.max(mostBelow, pays);
            if (++averagesBelow < AVERAGES_BEFORE_FALL) {
                return size;
            }
            pays = mostBelow;
        }
        averagesBelow = 0;
        mostBelow = 0;
        return pays;
    }

    /** Forgets the samples. */
    void reset() {
        sum = 0;
        samples = 0;
        averagesBelow = 0;
        mostBelow = 0;
    }

    /** Returns the last average of commands in flight. */
    double average() {
        return average;
    }
}
