// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.ServerAddress;
import java.util.regex.Pattern;

/** Check of addresses from outside. Rejects Unix domain sockets, which could lead to any local program. */
final class ListedAddress {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,253}[A-Za-z0-9_.])?");

    /** Pattern of IPv6 addresses. {@code Server} rejects matches that are not addresses. */
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[A-Za-z0-9_.-]+)?");

    private static final int MAX_PORT = 65_535;
    private static final int MAX_QUOTED = 80;

    private ListedAddress() {}

    static ServerAddress of(String host, int port) {
        if (port < 1
                || port > MAX_PORT
                || !(NAME.matcher(host).matches() || IPV6.matcher(host).matches())) {
            throw new IllegalArgumentException("illegal address " + quoted(host) + " with port " + port
                    + "; a host must be an IP address or a name of letters, digits, '.', '-' and '_'; a port must be"
                    + " 1 to 65535");
        }
        return new ServerAddress(host, port);
    }

    static String quoted(String text) {
        String printable = text.replaceAll("[^ -~]", "?");
        return '"' + (printable.length() <= MAX_QUOTED ? printable : printable.substring(0, MAX_QUOTED) + "...") + '"';
    }
}
