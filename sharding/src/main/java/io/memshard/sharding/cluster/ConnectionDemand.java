// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

/**
 * Says how many connections pay, from samples of the commands in flight.
 *
 * <p>With more commands in flight than connections, callers wait for one another. They also do where there are as many,
 * because the commands are not spread evenly: over the connections, and over the threads of memcached, each of which
 * serves some connections. So the answer is one and a half times the average number of commands in flight while there
 * are any, between two limits. It grows after half a second, and falls after a minute in which fewer were enough.
 *
 * <p>Threading: confined to one thread.
 */
final class ConnectionDemand {

    /** Number of samples of an average: half a second of ticks. */
    static final int SAMPLES = 10;

    /** Smallest number of busy samples that an average is of, so that a pause of the JVM or server does not make it. */
    static final int LEAST_BUSY_SAMPLES = 3;

    /** Number of averages in a row below the size before it falls: a minute. */
    static final int AVERAGES_BEFORE_FALL = 120;

    private final int least;
    private final int most;

    private long sum;
    private int samples;

    /** Number of samples with commands in flight. */
    private int busySamples;

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
        busySamples += inFlight > 0 ? 1 : 0;
        if (++samples < SAMPLES) {
            return size;
        }
        average = (double) sum / Math.max(LEAST_BUSY_SAMPLES, busySamples);
        forgetSamples();
        // A single caller needs one connection, also if a second one meets it now and then.
        int pays = (int) Math.max(least, Math.min(most, 1.5 * average + 0.125));
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
        forgetSamples();
        averagesBelow = 0;
        mostBelow = 0;
    }

    private void forgetSamples() {
        sum = 0;
        samples = 0;
        busySamples = 0;
    }

    /** Returns the last average of commands in flight. */
    double average() {
        return average;
    }
}
