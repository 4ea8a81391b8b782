// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * List of servers from a configuration endpoint. The first line is the version, which grows with each change. The other
 * lines have entries {@code host|ip|port}, separated by spaces. The host or the IP address may be empty.
 */
record ClusterList(long version, List<Server> servers) {

    private static final Pattern VERSION = Pattern.compile("\\d{1,18}");
    private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d{1,2})";

    /** Pattern of IP addresses, because Java would look up any other text in the DNS. */
    private static final String IP = OCTET + "(?:\\." + OCTET + "){3}|[0-9a-fA-F:.]{0,40}:[0-9a-fA-F:.]{0,40}";

    private static final Pattern ENTRY = Pattern.compile(
            "(?!\\|\\|)((?![0-9.]+\\|)[A-Za-z0-9](?:[A-Za-z0-9._-]{0,254})|" + IP + ")?\\|(" + IP + ")?\\|(\\d{1,5})");

    static ClusterList parse(String text) throws IOException {
        List<String> lines = text.lines().map(String::strip).toList();
        String version = lines.isEmpty() ? "" : lines.get(0);
        if (!VERSION.matcher(version).matches()) {
            throw new IOException("the list of servers begins with " + ListedAddress.quoted(version)
                    + " instead of a version, such as 12");
        }
        List<Server> servers = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            for (String entry : line.isEmpty() ? new String[0] : line.split("\\s+")) {
                servers.add(server(entry));
            }
        }
        return new ClusterList(Long.parseLong(version), List.copyOf(servers));
    }

    private static Server server(String entry) throws IOException {
        Matcher parts = ENTRY.matcher(entry);
        if (!parts.matches()) {
            throw new IOException("the list of servers has the entry " + ListedAddress.quoted(entry)
                    + ", which does not have the form host|ip|port, as in cache-1.example.com|10.0.0.1|11211");
        }
        String ip = parts.group(2);
        String host = parts.group(1) == null ? ip : parts.group(1);
        int port = Integer.parseInt(parts.group(3));
        try {
            // Rings hash the IP address in the text form of Java.
            String hashed =
                    ip == null ? null : Server.of(ListedAddress.of(ip, port)).ip();
            return new Server(null, ListedAddress.of(host, port), hashed, 1, null);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the list of servers has the wrong entry " + ListedAddress.quoted(entry) + ": " + e.getMessage(),
                    e);
        }
    }
}
