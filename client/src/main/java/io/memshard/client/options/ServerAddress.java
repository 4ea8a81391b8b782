// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Configured address of a server. The host name is resolved again at each attempt to connect.
 *
 * <p>Threading: immutable. Addresses with different names are not equal, so a server that gets another name gets new
 * connections.
 *
 * @param host host name, IP address without brackets, or absolute path of a Unix domain socket
 * @param port TCP port, 1 to 65535; 0 for a Unix domain socket
 * @param name name of the server in logs, messages and metrics; null if the server has no name
 */
public record ServerAddress(String host, int port, @Nullable String name) {

    /** Default port of memcached. */
    public static final int DEFAULT_PORT = 11211;

    private static final String UNIX = "unix:";
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(?U)(?:\\[([^\\[\\]/,\\s]+)]|([^:\\[\\]/,\\s]+))(?::([0-9]{1,5}))?");

    /** Checks host, port and name. */
    public ServerAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException(
                    "host of a server is empty: set a host name, an IP address or the path of a Unix domain socket");
        }
        if (host.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("host of a server has a control character: remove the character");
        }
        boolean isPath = host.charAt(0) == '/';
        if (isPath ? port != 0 : port < 1 || port > 65535) {
            throw new IllegalArgumentException("port of " + host + " is " + port + ", but must be "
                    + (isPath ? "0 for a Unix domain socket" : "1 to 65535"));
        }
        if (name != null && (name.isBlank() || name.chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException(
                    "name of " + host + " is empty or has a control character: set another name, or set no name");
        }
    }

    /** Creates an address without a name. */
    public ServerAddress(String host, int port) {
        this(host, port, null);
    }

    /** Returns whether the server listens on a Unix domain socket. If so, {@link #host} is the path of the socket. */
    public boolean isUnixSocket() {
        return port == 0;
    }

    /**
     * Parses {@code host}, {@code host:port}, {@code [ipv6]}, {@code [ipv6]:port} or {@code unix:/path}.
     *
     * @throws IllegalArgumentException if the text has none of these forms
     */
    public static ServerAddress parse(String text) {
        String trimmed = text.strip();
        if (trimmed.startsWith(UNIX + '/')) {
            return new ServerAddress(trimmed.substring(UNIX.length()), 0);
        }
        Matcher parts = HOST_AND_PORT.matcher(trimmed);
        if (!parts.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a server: write host:port, [IPv6]:port or"
                    + " unix:/path, and separate servers by commas");
        }
        String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
        return new ServerAddress(host, parts.group(3) == null ? DEFAULT_PORT : Integer.parseInt(parts.group(3)));
    }

    /** Returns a copy with this name; null removes the name. */
    public ServerAddress withName(@Nullable String newName) {
        return new ServerAddress(host, port, newName);
    }

    /** Returns the name; if the name is null, {@link #hostAndPort}. */
    public String nameOrAddress() {
        return name == null ? hostAndPort() : name;
    }

    /** Returns name and address, such as {@code cache-2 (10.0.0.7:11211)}; without a name, only the address. */
    @Override
    public String toString() {
        String address = hostAndPort();
        return name == null || name.equals(address) ? address : name + " (" + address + ')';
    }

    /** Returns {@code host:port}, with brackets around an IPv6 address, or {@code unix:/path}. */
    public String hostAndPort() {
        if (isUnixSocket()) {
            return UNIX + host;
        }
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }
}
