// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.ServerAddress;
import java.util.regex.Pattern;

/**
 * The address of a server that somebody else lists: a name server, an endpoint, or who writes a file.
 *
 * <p>The settings of an application may name whatever a {@link ServerAddress} can be. A list may not name a Unix domain
 * socket: an answer of the DNS, which nothing proves, would have items sent to any program of the machine. Nor may it
 * have port 0, or characters that no host name has, as these mean something else where servers are written as text.
 */
final class ListedAddress {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,253}[A-Za-z0-9_.])?");

    /** What is no IP address in this form is refused by {@code Server}. */
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[A-Za-z0-9_.-]+)?");

    private static final int MAX_PORT = 65_535;
    private static final int MAX_QUOTED = 80;

    private ListedAddress() {}

    /**
     * Makes an address of a host and a port.
     *
     * @throws IllegalArgumentException if a list may not have them
     */
    static ServerAddress of(String host, int port) {
        if (port < 1
                || port > MAX_PORT
                || !(NAME.matcher(host).matches() || IPV6.matcher(host).matches())) {
            throw new IllegalArgumentException("it lists " + quoted(host) + " with port " + port
                    + ": a list may have host names of letters, digits, dots, - and _, or IP addresses, with ports from"
                    + " 1 to 65535");
        }
        return new ServerAddress(host, port);
    }

    /** What somebody else wrote, for a message. */
    static String quoted(String text) {
        String printable = text.replaceAll("[^ -~]", "?");
        return '"' + (printable.length() <= MAX_QUOTED ? printable : printable.substring(0, MAX_QUOTED) + "...") + '"';
    }
}
