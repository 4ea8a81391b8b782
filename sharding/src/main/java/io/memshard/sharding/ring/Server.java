// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import io.memshard.client.options.ServerAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Server in a ring. The text form is {@code name=host:port*weight@zone}, of which only the host is required.
 *
 * <p>Threading: immutable.
 *
 * @param name the text that rings hash in place of the address, so that a server keeps its keys when its address
 *     changes; null if rings hash the address
 * @param address the address that a client connects to, which also contains {@code name}
 * @param ip the IP address, which some rings hash, in the form of {@link InetAddress#getHostAddress}; null if unknown.
 *     Never null if the host is an IP address
 * @param weight the server's share of the keys relative to other servers, at least 1
 * @param zone the server's zone; null for a server without a zone
 */
public record Server(
        @Nullable String name,
        ServerAddress address,
        @Nullable String ip,
        int weight,
        @Nullable String zone) {

    private static final String EXAMPLE = ": write name=host:port*weight@zone, as in cache-3=10.0.0.3:11211*2@eu-1";
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    /**
     * Checks the components. If the host is an IP address and {@code ip} is null, sets {@code ip} to the host.
     *
     * @throws IllegalArgumentException if the weight is below 1, or if the name or the zone is empty or contains a
     *     space
     */
    public Server {
        Objects.requireNonNull(address, "address is null");
        if (weight < 1) {
            throw new IllegalArgumentException("weight of " + address + " is " + weight + ", but must be at least 1");
        }
        checkText("name", name, address);
        checkText("zone", zone, address);
        address = address.withName(name);
        if (ip == null) {
            ip = numeric(address);
        }
    }

    private static void checkText(String what, @Nullable String text, ServerAddress address) {
        if (text != null && (text.isBlank() || text.chars().anyMatch(c -> c <= ' '))) {
            throw new IllegalArgumentException(
                    what + " of " + address + " is \"" + text + "\", but must not be empty or have a space");
        }
    }

    static @Nullable String numeric(ServerAddress address) {
        String host = address.host();
        if (address.isUnixSocket()
                || (host.indexOf(':') < 0 && !IPV4.matcher(host).matches())) {
            return null;
        }
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("\"" + host + "\" is neither an IP address nor a host name", e);
        }
    }

    /** Returns the server at this address, with weight 1, no name and no zone. */
    public static Server of(ServerAddress address) {
        return new Server(null, address, null, 1, null);
    }

    /**
     * Parses {@code name=host:port*weight@zone}. {@link ServerAddress#parse} lists the forms of {@code host:port}.
     *
     * @throws IllegalArgumentException if the text does not have this form; the message gives the reason
     */
    public static Server parse(String text) {
        String rest = text.strip();
        String name = null;
        String zone = null;
        int weight = 1;
        int equals = rest.indexOf('=');
        if (equals >= 0) {
            name = part("name", rest.substring(0, equals), text);
            rest = rest.substring(equals + 1);
        }
        int at = rest.lastIndexOf('@');
        if (at >= 0) {
            zone = part("zone", rest.substring(at + 1), text);
            rest = rest.substring(0, at);
        }
        int star = rest.lastIndexOf('*');
        if (star >= 0) {
            weight = weight(rest.substring(star + 1), text);
            rest = rest.substring(0, star);
        }
        return new Server(name, ServerAddress.parse(rest), null, weight, zone);
    }

    /**
     * Parses several servers, separated by commas or spaces. A text that starts with {@code unix:} is one server,
     * because a path may contain commas and spaces.
     *
     * @throws IllegalArgumentException if the text contains no server, or a server that {@link #parse} rejects; the
     *     message contains the position of the server
     */
    public static List<Server> parseAll(String text) {
        String[] entries = text.strip().startsWith("unix:")
                ? new String[] {text}
                : text.strip().split("\\s*,\\s*|\\s+", -1);
        List<Server> servers = new ArrayList<>();
        for (int at = 0; at < entries.length; at++) {
            try {
                servers.add(parse(entries[at]));
            } catch (IllegalArgumentException e) {
                String position = entries.length == 1 ? "" : "entry " + (at + 1) + " of " + entries.length + ": ";
                throw new IllegalArgumentException(position + e.getMessage(), e);
            }
        }
        return List.copyOf(servers);
    }

    private static String part(String what, String part, String text) {
        if (part.isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" has an empty " + what + EXAMPLE);
        }
        return part;
    }

    private static int weight(String digits, String text) {
        if (!digits.matches("[1-9]\\d{0,8}")) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" has the weight \"" + digits + "\", which is not a positive integer" + EXAMPLE);
        }
        return Integer.parseInt(digits);
    }

    /** Returns a copy with this name, which rings hash in place of the address. */
    public Server withName(String newName) {
        return new Server(newName, address, ip, weight, zone);
    }

    /** Returns a copy with this IP address, which some rings hash. */
    public Server withIp(InetAddress newIp) {
        return new Server(name, address, newIp.getHostAddress(), weight, zone);
    }

    /** Returns a copy with this weight. */
    public Server withWeight(int newWeight) {
        return new Server(name, address, ip, newWeight, zone);
    }

    /** Returns a copy in this zone; null removes the zone. */
    public Server withZone(@Nullable String newZone) {
        return new Server(name, address, ip, weight, newZone);
    }

    /** Returns the text form that {@link #parse} accepts, without {@link #ip()}. */
    @Override
    public String toString() {
        return (name == null ? "" : name + '=')
                + address.hostAndPort()
                + (weight == 1 ? "" : "*" + weight)
                + (zone == null ? "" : '@' + zone);
    }
}
