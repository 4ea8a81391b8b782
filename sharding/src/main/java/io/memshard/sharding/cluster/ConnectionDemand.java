// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

/**
 * Estimate of the worthwhile number of connections to a server, from samples of the commands in flight.
 *
 * <p>If there are more commands in flight than connections, callers wait for one another. They also wait if the numbers
 * are equal, because commands are spread unevenly over the connections and over the threads of memcached. Each of these
 * threads serves some of the connections. The estimate is therefore one and a half times the average number of commands
 * in flight, within two limits. Samples without commands in flight do not count. The estimate grows after half a
 * second. It falls after a minute in which fewer connections were enough.
 *
 * <p>Threading: confined to one thread.
 */
final class ConnectionDemand {

    /** Number of samples of one average. There is one sample per tick, so this is half a second. */
    static final int SAMPLES = 10;

    /**
     * Smallest divisor of the sum, used even if fewer samples were busy. A short burst of commands, such as after a
     * pause of the JVM or the server, therefore does not lead to a high average.
     */
    static final int LEAST_BUSY_SAMPLES = 3;

    /** Number of averages in a row with a lower estimate after which the estimate falls. This is one minute. */
    static final int AVERAGES_BEFORE_FALL = 120;

    private final int least;
    private final int most;

    private long sum;
    private int samples;

    /** Number of samples with commands in flight. */
    private int busySamples;

    private double average;

    /** Number of averages in a row for which fewer connections were enough. */
    private int averagesBelow;

    /** Largest number of connections that one of the {@link #averagesBelow} needed. */
    private int mostBelow;

    /** Creates an estimate between {@code least} and {@code most}. */
    ConnectionDemand(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /**
     * Adds a sample of the commands in flight on {@code size} connections. Returns the number of connections wanted.
     */
    int wanted(int inFlight, int size) {
        sum += inFlight;
        busySamples += inFlight > 0 ? 1 : 0;
        if (++samples < SAMPLES) {
            return size;
        }
        average = (double) sum / Math.max(LEAST_BUSY_SAMPLES, busySamples);
        forgetSamples();
        // A single caller needs one connection, even if a second caller sometimes calls at the same time.
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

    /** Discards all samples and averages so far. */
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
