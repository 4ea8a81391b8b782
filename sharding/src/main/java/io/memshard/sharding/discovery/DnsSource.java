// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.discovery.DnsLookup.Service;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Source of servers listed in the DNS. {@link #addresses} finds one server for each address of a name;
 * {@link #services} finds one server for each SRV record. Names must be fully qualified, because the search domains of
 * the system are not used.
 *
 * <p>Requires {@code io.netty:netty-resolver-dns} in the version of the other Netty artifacts. {@code memshard} does
 * not depend on this artifact, so add it to the application.
 *
 * <p>A server from {@code services} is named {@code target:port}, so the server keeps its keys when its address
 * changes. The client connects to the address of the target. If the DNS returns no address, the client uses the last
 * known address. If no address is known, the client resolves the target's name when it connects. The servers are sorted
 * by name. Numbers in names are compared by value, so {@code cache-10} comes after {@code cache-9}.
 *
 * <p>Threading: the settings are immutable; {@code with...} methods return a new source. {@link #servers} is called by
 * one thread at a time.
 *
 * <p>Failure: if a name server does not answer, or answers with an error, the next name server is queried.
 * {@link #servers} fails if no name server succeeds, or if the name has no records of the requested kind.
 * {@link #servers} also fails if an SRV record has port 0 or an illegal host name. A truncated answer is requested
 * again over TCP.
 */
public final class DnsSource implements ServerSource {

    private static final Pattern NAME = Pattern.compile("(?!(\\d+\\.){3}\\d+$)[^\\s\\p{Cntrl}:/]+");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** Number of digits to which the comparison pads each number. No name has more digits. */
    private static final int DIGITS = 256;

    private static final Comparator<InetAddress> BY_ADDRESS =
            Comparator.comparing(InetAddress::getAddress, Arrays::compareUnsigned);

    private static final Comparator<Server> BY_NUMBERED_NAME =
            Comparator.comparing(DnsSource::withPaddedNumbers).thenComparing(DnsSource::nameOf);

    private final String name;

    /** Port of each server; 0 for SRV records, which contain the ports. */
    private final int port;

    private final List<InetSocketAddress> nameServers;
    private final boolean connectsToNames;
    private Map<String, InetAddress> addressOfTarget = Map.of();

    private DnsSource(String name, int port, List<InetSocketAddress> nameServers, boolean connectsToNames) {
        this.name = name;
        this.port = port;
        this.nameServers = nameServers;
        this.connectsToNames = connectsToNames;
    }

    /**
     * Returns a source with one server for each address of a DNS name, for example of a headless service of Kubernetes.
     * The source uses the IPv4 addresses, or the IPv6 addresses if no IPv4 address exists. The servers are sorted by
     * address. A server whose address changes counts as a new server; {@link #services} avoids this.
     *
     * @param name a fully qualified name, such as {@code memcached.default.svc.cluster.local}
     * @param port the port of each server, 1 to 65535
     * @throws IllegalArgumentException if the name is empty or an IP address, or if the port is out of range
     * @throws IllegalStateException if Netty's DNS resolver is not on the class path
     */
    public static DnsSource addresses(String name, int port) {
        return of(name, new ServerAddress(name, port).port(), "memcached.default.svc.cluster.local");
    }

    /**
     * Returns a source of the servers in SRV records (RFC 2782). Uses only the records with the lowest priority number,
     * and ignores weights.
     *
     * @param name a fully qualified name, such as {@code _memcached._tcp.memcached.default.svc.cluster.local}
     * @throws IllegalArgumentException if the name is empty or has a port
     * @throws IllegalStateException if Netty's DNS resolver is not on the class path
     */
    public static DnsSource services(String name) {
        return of(name, 0, "_memcached._tcp.example.com; SRV records contain the ports");
    }

    private static DnsSource of(String name, int port, String example) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is not a DNS name: set only a name, such as " + example);
        }
        try {
            Class.forName("io.netty.resolver.dns.DnsNameResolver");
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException(
                    "discovery by DNS needs Netty's resolver: add io.netty:netty-resolver-dns in the version of the"
                            + " other Netty artifacts; a Java module must also require io.netty.resolver.dns",
                    e);
        }
        return new DnsSource(name, port, List.of(), false);
    }

    /**
     * Returns a copy that queries these name servers instead of the name servers of the system.
     *
     * @param servers IP addresses with ports, queried in this order
     * @throws IllegalArgumentException if the list is empty, or contains an unresolved name
     */
    public DnsSource withNameServers(InetSocketAddress... servers) {
        if (servers.length == 0 || Arrays.stream(servers).anyMatch(InetSocketAddress::isUnresolved)) {
            throw new IllegalArgumentException("name servers are " + Arrays.toString(servers)
                    + ": set the IP address of at least one name server, as in 10.96.0.10:53");
        }
        return new DnsSource(name, port, List.of(servers), connectsToNames);
    }

    /**
     * Returns a copy whose servers have the targets of the SRV records as host names, and have no {@link Server#name}.
     * Rings hash these host names, and TLS checks certificates against them. Each attempt to connect resolves the host
     * name again.
     *
     * @throws IllegalStateException if this source is not from {@link #services}
     */
    public DnsSource withHostNames() {
        if (port != 0) {
            throw new IllegalStateException("withHostNames requires SRV records, but " + this
                    + " reads addresses: create the source by DnsSource.services(name)");
        }
        return new DnsSource(name, port, nameServers, true);
    }

    @Override
    public List<Server> servers(Duration timeout) throws IOException, InterruptedException {
        try (DnsLookup dns = new DnsLookup(nameServers, System.nanoTime() + timeout.toNanos())) {
            return port == 0 ? ofServices(dns) : ofAddresses(dns);
        }
    }

    private List<Server> ofAddresses(DnsLookup dns) throws IOException, InterruptedException {
        return dns.addresses(name).stream()
                .sorted(BY_ADDRESS)
                .map(address -> Server.of(new ServerAddress(address.getHostAddress(), port)))
                .toList();
    }

    private List<Server> ofServices(DnsLookup dns) throws IOException, InterruptedException {
        List<Service> all = dns.services(name);
        int first = all.stream().mapToInt(Service::priority).min().orElse(0);
        // Name servers may answer in upper or lower case.
        List<ServerAddress> services = all.stream()
                .filter(each -> each.priority() == first && !each.target().isEmpty())
                .map(each -> ListedAddress.of(each.target().toLowerCase(Locale.ROOT), each.port()))
                .toList();
        if (!connectsToNames) {
            addressOfTarget = addressesOf(
                    services.stream().map(ServerAddress::host).distinct().toList(), dns);
        }
        return services.stream().map(this::server).sorted(BY_NUMBERED_NAME).toList();
    }

    private Map<String, InetAddress> addressesOf(List<String> targets, DnsLookup dns) throws InterruptedException {
        Map<String, InetAddress> found = new HashMap<>();
        for (String target : targets) {
            InetAddress last = addressOfTarget.get(target);
            try {
                List<InetAddress> now = dns.addresses(target);
                found.put(
                        target,
                        last != null && now.contains(last)
                                ? last
                                : now.stream().min(BY_ADDRESS).orElseThrow());
            } catch (IOException e) {
                if (last != null) {
                    found.put(target, last);
                }
            }
        }
        return found;
    }

    private Server server(ServerAddress byName) {
        InetAddress address = connectsToNames ? null : addressOfTarget.get(byName.host());
        Server server =
                Server.of(address == null ? byName : new ServerAddress(address.getHostAddress(), byName.port()));
        return connectsToNames ? server : server.withName(byName.toString());
    }

    private static String nameOf(Server server) {
        return Objects.requireNonNullElse(server.name(), server.address().toString());
    }

    private static String withPaddedNumbers(Server server) {
        return NUMBER.matcher(nameOf(server))
                .replaceAll(number -> "0".repeat(DIGITS - number.group().length()) + number.group());
    }

    @Override
    public String toString() {
        return "DNS " + (port == 0 ? "services " + name : name + ":" + port);
    }
}
