// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.discovery.DnsAnswer.Service;
import io.memshard.sharding.discovery.DnsLookup.Records;
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
import org.jspecify.annotations.Nullable;

/**
 * The servers that the DNS lists: {@link #addresses} for one server for each address of a name, {@link #services} for
 * records SRV. It needs {@code io.netty:netty-resolver-dns} in Netty's version, which {@code memshard} does not bring.
 *
 * <p>The DNS is asked again when an answer has expired, but no sooner and no later than two bounds say. The search
 * domains of the system are not used, so names are written in full.
 *
 * <p>A server by {@code services} is named {@code target:port}, and connected to at the address of its target. So it
 * keeps its keys when it returns at another address. A target without an address keeps the one it had, or is connected
 * to by name. Names are sorted with their numbers compared as numbers, so that a tenth server is the last of ten.
 *
 * <p>Threading: the settings are immutable; {@code with...} gives another source. Else as {@link ServerSource}.
 *
 * <p>Failure: an answer that fails, is empty or is cut short fails the look. So does a record SRV with port 0 or with a
 * target that is no host name. A name server that does not answer is passed over for the next.
 */
public final class DnsSource implements ServerSource {

    /** How soon the DNS is asked again at the soonest, unless one sets it. */
    public static final Duration DEFAULT_SHORTEST_PERIOD = Duration.ofSeconds(10);

    /** How soon the DNS is asked again at the latest, unless one sets it. */
    public static final Duration DEFAULT_LONGEST_PERIOD = Duration.ofSeconds(60);

    /** A class of each jar that is needed. */
    private static final List<String> NETTY =
            List.of("io.netty.resolver.dns.DnsNameResolver", "io.netty.handler.codec.dns.DnsQuestion");

    private final String name;

    /** Of each server; 0 for records SRV, which have their own. */
    private final int port;

    // Written before the source is handed out.

    /** Empty for those of the system. */
    private List<InetSocketAddress> nameServers = List.of();

    private Duration shortest = DEFAULT_SHORTEST_PERIOD;
    private Duration longest = DEFAULT_LONGEST_PERIOD;
    private boolean weighted;
    private boolean connectsToNames;

    // Confined to the discovery's thread, all of the following.

    /** For how long the last answer holds, within the bounds; null before the first. */
    private @Nullable Duration period;

    /** The last address of each target of the last answer. */
    private Map<String, InetAddress> addressOfTarget = Map.of();

    private DnsSource(String name, int port) {
        this.name = name;
        this.port = port;
    }

    private DnsSource copy() {
        DnsSource copy = new DnsSource(name, port);
        copy.nameServers = nameServers;
        copy.shortest = shortest;
        copy.longest = longest;
        copy.weighted = weighted;
        copy.connectsToNames = connectsToNames;
        return copy;
    }

    /**
     * One server for each address of a name, as of a headless service of Kubernetes: of its IPv4 addresses, or of its
     * IPv6 addresses if it has no others. Their order is that of the addresses. Nothing but the address tells the
     * servers apart, so one that returns at another address is another server. {@link #services} does better.
     *
     * @param name a full name, such as {@code memcached.default.svc.cluster.local}
     * @param port of each server, 1 to 65535
     * @throws IllegalArgumentException if the name is empty, or an IP address, or the port is out of its range
     * @throws IllegalStateException if Netty's DNS resolver is not on the class path
     */
    public static DnsSource addresses(String name, int port) {
        ServerAddress checked = new ServerAddress(name, port);
        if (checked.isUnixSocket() || Server.of(checked).ip() != null) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is no name to look up: write one, as in memcached.default.svc.cluster.local");
        }
        return of(name, port);
    }

    /**
     * The servers that records SRV list (RFC 2782). Only those of the lowest priority number are taken.
     *
     * @param name a full name, such as {@code _memcached._tcp.memcached.default.svc.cluster.local}
     * @throws IllegalArgumentException if the name is empty or has a port
     * @throws IllegalStateException if Netty's DNS resolver is not on the class path
     */
    public static DnsSource services(String name) {
        if (name.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "\"" + name
                            + "\" has a colon: records SRV bring the ports, so write the name alone, as in _memcached._tcp.example.com");
        }
        return of(name, 0);
    }

    private static DnsSource of(String name, int port) {
        if (name.isBlank() || name.chars().anyMatch(c -> c <= ' ')) {
            throw new IllegalArgumentException(
                    "the name \"" + name + "\" is empty or has a space: write one, as in memcached.example.com");
        }
        try {
            for (String type : NETTY) {
                Class.forName(type, false, DnsSource.class.getClassLoader());
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException(
                    "discovery by DNS needs Netty's resolver: add io.netty:netty-resolver-dns in the version of the"
                            + " other Netty artifacts (a module of your own also requires io.netty.resolver.dns)",
                    e);
        }
        return new DnsSource(name, port);
    }

    /**
     * The same, from these name servers instead of those of the system.
     *
     * @param servers IP addresses with ports, asked in this order
     * @throws IllegalArgumentException if there are none, or one is a name
     */
    public DnsSource withNameServers(InetSocketAddress... servers) {
        if (servers.length == 0) {
            throw new IllegalArgumentException("there are no name servers: give at least one, as in 10.96.0.10:53");
        }
        for (InetSocketAddress nameServer : servers) {
            if (nameServer.isUnresolved()) {
                throw new IllegalArgumentException(
                        "name server " + nameServer + " has no IP address: give one, as in 10.96.0.10:53");
            }
        }
        DnsSource copy = copy();
        copy.nameServers = List.of(servers);
        return copy;
    }

    /**
     * The same, asked again when an answer has expired, but within these bounds.
     *
     * @param atLeast more than zero
     * @param atMost no less than that, at most 24 days
     */
    public DnsSource withPeriod(Duration atLeast, Duration atMost) {
        ConnectionOptions.checkTimeout("the shortest period", atLeast);
        ConnectionOptions.checkTimeout("the longest period", atMost);
        if (atLeast.compareTo(atMost) > 0) {
            throw new IllegalArgumentException(
                    "the shortest period is " + atLeast + " and the longest " + atMost + ": give them in this order");
        }
        DnsSource copy = copy();
        copy.shortest = atLeast;
        copy.longest = atMost;
        return copy;
    }

    /**
     * The same with the weights of the records SRV, divided by what they have in common. Without, all servers weigh 1.
     * For a ring with weights only.
     *
     * @throws IllegalStateException if the source is not of {@link #services}
     */
    public DnsSource withWeights() {
        DnsSource copy = copyForServices("withWeights");
        copy.weighted = true;
        return copy;
    }

    /**
     * The same with the targets of the records SRV as the addresses of the servers, which have no other names. TLS then
     * checks certificates for the targets. A target is resolved at each attempt to connect, and at no other time.
     *
     * @throws IllegalStateException if the source is not of {@link #services}
     */
    public DnsSource withHostNames() {
        DnsSource copy = copyForServices("withHostNames");
        copy.connectsToNames = true;
        return copy;
    }

    private DnsSource copyForServices(String setting) {
        if (port != 0) {
            throw new IllegalStateException(setting + " is for records SRV, and " + this + " has none: use services");
        }
        return copy();
    }

    @Override
    public List<Server> servers(Duration timeout) throws IOException, InterruptedException {
        try (DnsLookup dns = new DnsLookup(nameServers, System.nanoTime() + timeout.toNanos())) {
            return port == 0 ? ofServices(dns) : ofAddresses(dns);
        }
    }

    private List<Server> ofAddresses(DnsLookup dns) throws IOException, InterruptedException {
        DnsAnswer answer = addressesOf(name, dns);
        expiresAfter(answer.ttlSeconds());
        return answer.addresses().stream()
                .sorted(Comparator.comparing(InetAddress::getAddress, Arrays::compareUnsigned))
                .map(address -> Server.of(new ServerAddress(address.getHostAddress(), port)))
                .toList();
    }

    private static DnsAnswer addressesOf(String name, DnsLookup dns) throws IOException, InterruptedException {
        try {
            return dns.ask(name, Records.A);
        } catch (UnknownHostException e) {
            try {
                return dns.ask(name, Records.AAAA);
            } catch (UnknownHostException e6) {
                throw e;
            }
        }
    }

    private List<Server> ofServices(DnsLookup dns) throws IOException, InterruptedException {
        DnsAnswer answer = dns.ask(name, Records.SRV);
        List<Service> services = preferred(answer.services());
        // Before any of them is looked up.
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
                .sorted(Comparator.comparing(DnsSource::sortedBy, NaturalOrder.OF_NAMES))
                .toList();
    }

    /** In lower case, because a name server may answer in any. */
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

    /** Finds the address of a target, or takes its last. Returns for how many seconds it holds. */
    private long findAddress(String target, DnsLookup dns, Map<String, InetAddress> found) throws InterruptedException {
        InetAddress last = addressOfTarget.get(target);
        try {
            DnsAnswer answer = addressesOf(target, dns);
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

    private static String sortedBy(Server server) {
        return Objects.requireNonNullElse(server.name(), server.address().toString());
    }

    /** A weight of 0 stands for very few keys. */
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

    /** What is asked for. */
    @Override
    public String toString() {
        return "DNS " + (port == 0 ? "services " + name : name + ":" + port);
    }
}
