// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.discovery.DnsLookup.Answer;
import io.memshard.sharding.discovery.DnsLookup.Records;
import io.memshard.sharding.discovery.DnsLookup.Service;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Source of servers listed in the DNS. {@link #addresses} finds one server for each address of a name;
 * {@link #services} finds one server for each SRV record. Requires {@code io.netty:netty-resolver-dns} in the version
 * of the other Netty artifacts. This artifact is not among the dependencies of {@code memshard}.
 *
 * <p>The DNS is queried again when the last answer expires, but at intervals within the bounds of {@link #withPeriod}.
 * Names must be complete, because the search domains of the system are not used.
 *
 * <p>A server from {@code services} is named {@code target:port}, so the server keeps its keys when its address
 * changes. The client connects to the address of the target. If the DNS returns no address, the client uses the last
 * known address, or else the name of the target. The servers are sorted by name. Numbers in names are compared by
 * value, so {@code cache-10} comes after {@code cache-9}.
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

    /** Default shortest interval between queries. */
    public static final Duration DEFAULT_SHORTEST_PERIOD = Duration.ofSeconds(10);

    /** Default longest interval between queries. */
    public static final Duration DEFAULT_LONGEST_PERIOD = Duration.ofSeconds(60);

    private static final List<String> NETTY =
            List.of("io.netty.resolver.dns.DnsNameResolver", "io.netty.handler.codec.dns.DnsQuestion");

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** Number of digits to which each number in a name is padded for the comparison. No name has more digits. */
    private static final int DIGITS = 256;

    private static final Comparator<Server> BY_NUMBERED_NAME =
            Comparator.comparing(DnsSource::withPaddedNumbers).thenComparing(DnsSource::nameOf);

    private final String name;

    /** Port of each server; 0 for SRV records, which contain the ports. */
    private final int port;

    // Written before the source is published.

    private List<InetSocketAddress> nameServers = List.of();

    private Duration shortest = DEFAULT_SHORTEST_PERIOD;
    private Duration longest = DEFAULT_LONGEST_PERIOD;
    private boolean weighted;
    private boolean connectsToNames;

    // Confined to the discovery's thread: all fields below.

    /** Time to live of the last answer, adjusted to the bounds of {@link #withPeriod}; null before the first answer. */
    private @Nullable Duration period;

    /** Last known address of each target in the last answer. */
    private Map<String, InetAddress> addressOfTarget = Map.of();

    private DnsSource(String name, int port) {
        this.name = name;
        this.port = port;
    }

    private DnsSource with(Consumer<DnsSource> change) {
        DnsSource copy = new DnsSource(name, port);
        copy.nameServers = nameServers;
        copy.shortest = shortest;
        copy.longest = longest;
        copy.weighted = weighted;
        copy.connectsToNames = connectsToNames;
        change.accept(copy);
        return copy;
    }

    /**
     * Returns a source of one server for each address of a name, such as a headless service of Kubernetes. The source
     * uses the IPv4 addresses, or the IPv6 addresses if there are no IPv4 addresses. The servers are sorted by address.
     * A server that changes its address counts as a new server, except with {@link #services}.
     *
     * @param name a full name, such as {@code memcached.default.svc.cluster.local}
     * @param port the port of each server, 1 to 65535
     * @throws IllegalArgumentException if the name is empty or an IP address, or if the port is out of range
     * @throws IllegalStateException if Netty's DNS resolver is not on the class path
     */
    public static DnsSource addresses(String name, int port) {
        ServerAddress checked = new ServerAddress(name, port);
        if (checked.isUnixSocket() || Server.of(checked).ip() != null) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is not a DNS name: set a name such as memcached.default.svc.cluster.local");
        }
        return of(name, port);
    }

    /**
     * Returns a source of the servers in SRV records (RFC 2782). Only the records with the lowest priority number are
     * used.
     *
     * @param name a full name, such as {@code _memcached._tcp.memcached.default.svc.cluster.local}
     * @throws IllegalArgumentException if the name is empty or has a port
     * @throws IllegalStateException if Netty's DNS resolver is not on the class path
     */
    public static DnsSource services(String name) {
        if (name.indexOf(':') >= 0) {
            throw new IllegalArgumentException("\"" + name
                    + "\" has a colon: SRV records contain the ports, so set only the name, such as"
                    + " _memcached._tcp.example.com");
        }
        return of(name, 0);
    }

    private static DnsSource of(String name, int port) {
        if (name.isBlank() || name.chars().anyMatch(c -> c <= ' ')) {
            throw new IllegalArgumentException("the name \"" + name
                    + "\" is empty or contains a space: set a DNS name, such as memcached.example.com");
        }
        try {
            for (String type : NETTY) {
                Class.forName(type, false, DnsSource.class.getClassLoader());
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException(
                    "discovery by DNS needs Netty's resolver: add io.netty:netty-resolver-dns in the version of the"
                            + " other Netty artifacts; a Java module must also require io.netty.resolver.dns",
                    e);
        }
        return new DnsSource(name, port);
    }

    /**
     * Returns a copy that queries these name servers instead of those of the system.
     *
     * @param servers IP addresses with ports, queried in this order
     * @throws IllegalArgumentException if the list is empty, or contains an unresolved name
     */
    public DnsSource withNameServers(InetSocketAddress... servers) {
        if (servers.length == 0) {
            throw new IllegalArgumentException(
                    "the list of name servers is empty: write at least one, as in 10.96.0.10:53");
        }
        for (InetSocketAddress nameServer : servers) {
            if (nameServer.isUnresolved()) {
                throw new IllegalArgumentException(
                        "name server " + nameServer + " is not resolved: set an IP address, as in 10.96.0.10:53");
            }
        }
        return with(copy -> copy.nameServers = List.of(servers));
    }

    /**
     * Returns a copy that queries the DNS again when an answer has expired, but at intervals within these bounds.
     *
     * @param atLeast the shortest interval, more than zero
     * @param atMost the longest interval, at least the shortest one and at most 24 days
     */
    public DnsSource withPeriod(Duration atLeast, Duration atMost) {
        ConnectionOptions.checkTimeout("the shortest period", atLeast);
        ConnectionOptions.checkTimeout("the longest period", atMost);
        if (atLeast.compareTo(atMost) > 0) {
            throw new IllegalArgumentException(
                    "the shortest period is " + atLeast + ", but must be at most the longest, " + atMost);
        }
        return with(copy -> {
            copy.shortest = atLeast;
            copy.longest = atMost;
        });
    }

    /**
     * Returns a copy that uses the weights of the SRV records, divided by their greatest common divisor. By default all
     * servers have weight 1. Use weights only with rings that support them.
     *
     * @throws IllegalStateException if this source is not from {@link #services}
     */
    public DnsSource withWeights() {
        return withForServices("withWeights", copy -> copy.weighted = true);
    }

    /**
     * Returns a copy that uses the targets of the SRV records as the addresses of the servers. The servers then have no
     * other names, and TLS checks their certificates against the targets. Each attempt to connect resolves the target
     * again.
     *
     * @throws IllegalStateException if this source is not from {@link #services}
     */
    public DnsSource withHostNames() {
        return withForServices("withHostNames", copy -> copy.connectsToNames = true);
    }

    private DnsSource withForServices(String setting, Consumer<DnsSource> change) {
        if (port != 0) {
            throw new IllegalStateException(setting + " requires SRV records, but " + this
                    + " reads addresses: create the source by DnsSource.services(name)");
        }
        return with(change);
    }

    @Override
    public List<Server> servers(Duration timeout) throws IOException, InterruptedException {
        try (DnsLookup dns = new DnsLookup(nameServers, System.nanoTime() + timeout.toNanos())) {
            return port == 0 ? ofServices(dns) : ofAddresses(dns);
        }
    }

    private List<Server> ofAddresses(DnsLookup dns) throws IOException, InterruptedException {
        Answer answer = addressesOf(name, dns);
        expiresAfter(answer.ttlSeconds());
        return answer.addresses().stream()
                .sorted(Comparator.comparing(InetAddress::getAddress, Arrays::compareUnsigned))
                .map(address -> Server.of(new ServerAddress(address.getHostAddress(), port)))
                .toList();
    }

    private static Answer addressesOf(String name, DnsLookup dns) throws IOException, InterruptedException {
        try {
            return dns.query(name, Records.A);
        } catch (UnknownHostException e) {
            try {
                return dns.query(name, Records.AAAA);
            } catch (UnknownHostException e6) {
                throw e;
            }
        }
    }

    private List<Server> ofServices(DnsLookup dns) throws IOException, InterruptedException {
        Answer answer = dns.query(name, Records.SRV);
        List<Service> services = preferred(answer.services());
        // An illegal target fails the query before any target is resolved.
        services.forEach(service -> ListedAddress.of(service.target(), service.port()));
        Map<String, InetAddress> addresses = new HashMap<>();
        long ttl = answer.ttlSeconds();
        if (!connectsToNames) {
            for (String target :
                    services.stream().map(Service::target).distinct().toList()) {
                ttl = Math.min(ttl, findAddress(target, dns, addresses));
            }
        }
        addressOfTarget = addresses;
        expiresAfter(ttl);
        int unit = services.stream().mapToInt(DnsSource::weight).reduce(0, DnsSource::greatestDivisor);
        return services.stream()
                .map(service -> server(service, addresses.get(service.target()), unit))
                .sorted(BY_NUMBERED_NAME)
                .toList();
    }

    /**
     * Returns the services with the lowest priority number. Targets are converted to lower case, because a name server
     * may answer in upper or lower case.
     */
    private static List<Service> preferred(List<Service> services) {
        int first = services.stream().mapToInt(Service::priority).min().orElse(0);
        return services.stream()
                .filter(service ->
                        service.priority() == first && !service.target().isEmpty())
                .map(service -> new Service(
                        first,
                        service.weight(),
                        service.port(),
                        service.target().toLowerCase(Locale.ROOT)))
                .toList();
    }

    /**
     * Adds the address of a target, or else the last known address, to {@code found}. Returns the time to live of the
     * address in seconds; 0 if the target was not resolved.
     */
    private long findAddress(String target, DnsLookup dns, Map<String, InetAddress> found) throws InterruptedException {
        InetAddress last = addressOfTarget.get(target);
        try {
            Answer answer = addressesOf(target, dns);
            List<InetAddress> all = answer.addresses();
            found.put(
                    target,
                    last != null && all.contains(last)
                            ? last
                            : all.stream()
                                    .min(Comparator.comparing(InetAddress::getAddress, Arrays::compareUnsigned))
                                    .orElseThrow());
            return answer.ttlSeconds();
        } catch (IOException e) {
            if (last != null) {
                found.put(target, last);
            }
            return 0;
        }
    }

    private Server server(Service service, @Nullable InetAddress address, int unit) {
        int weight = weighted ? weight(service) / unit : 1;
        ServerAddress byName = ListedAddress.of(service.target(), service.port());
        if (connectsToNames) {
            return new Server(null, byName, null, weight, null);
        }
        ServerAddress connectedTo =
                address == null ? byName : new ServerAddress(address.getHostAddress(), service.port());
        return new Server(byName.toString(), connectedTo, null, weight, null);
    }

    private static String nameOf(Server server) {
        return Objects.requireNonNullElse(server.name(), server.address().toString());
    }

    private static String withPaddedNumbers(Server server) {
        return NUMBER.matcher(nameOf(server))
                .replaceAll(number -> "0".repeat(DIGITS - number.group().length()) + number.group());
    }

    /** Returns the weight, but at least 1. In an SRV record, a weight of 0 stands for a very small share. */
    private static int weight(Service service) {
        return Math.max(1, service.weight());
    }

    private static int greatestDivisor(int a, int b) {
        return BigInteger.valueOf(a).gcd(BigInteger.valueOf(b)).intValue();
    }

    private void expiresAfter(long ttlSeconds) {
        Duration ttl = Duration.ofSeconds(Math.min(ttlSeconds, TimeUnit.DAYS.toSeconds(1)));
        period = ttl.compareTo(shortest) < 0 ? shortest : ttl.compareTo(longest) > 0 ? longest : ttl;
    }

    @Override
    public Duration period() {
        return period == null ? shortest : period;
    }

    @Override
    public String toString() {
        return "DNS " + (port == 0 ? "services " + name : name + ":" + port);
    }
}
