// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Shortens times to live.
 *
 * <p>Protocol: protocol.txt, section "Expiration times": 0 never, up to 30 days in seconds, above that a unix time.
 */
final class ExptimeLimit {

    /** A unix time of 1970, by which items are written that are over when they are stored. */
    private static final int OVER_SINCE_1970 = 30 * 24 * 60 * 60 + 1;

    private ExptimeLimit() {}

    /**
     * The exptime of an item that would have {@code exptime}, and is to live for so many seconds at most. A unix time
     * counts as far away, because shorter times are written in seconds.
     *
     * @param seconds 1 to those of 30 days
     */
    static int of(int exptime, int seconds) {
        boolean isLonger = exptime == 0 || exptime > seconds;
        return isLonger && exptime != OVER_SINCE_1970 ? seconds : exptime;
    }
}
