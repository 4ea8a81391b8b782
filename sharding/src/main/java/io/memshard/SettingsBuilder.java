// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.Backoff;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.KeepAlive;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAccess;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.KeyRule;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.FailoverOptions;
import io.memshard.sharding.MemshardOptions;
import io.memshard.sharding.Topology;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Rings;
import io.memshard.sharding.ring.Server;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of connections and clients, under the same names for {@link Memshard} and for the template. A setter
 * refuses a bad value and names option and value. Timeouts are more than zero and at most 24 days.
 *
 * <p>Threading: confined to one thread.
 *
 * @param <B> the builder that the setters return
 */
public abstract class SettingsBuilder<B extends SettingsBuilder<B>> {

    private static final int MAX_CONNECTIONS = 1024;
    private static final int MAX_IO_THREADS = 64;
    private static final int MAX_ITEM_BYTES = 1 << 30;

    private List<Server> servers = List.of();
    private @Nullable Discovery discovery;
    private Ring ring = Rings.libmemcachedWeighted();
    private int connectionsPerServer = 2;
    private ConnectionChooser chooser = ConnectionChooser.stickyRoundRobin();
    private Transport transport = Transport.AUTO;
    private Duration requestTimeout = Duration.ofMillis(500);
    private int ioThreads = Math.min(2, Runtime.getRuntime().availableProcessors());
    private ConnectionOptions connection = ConnectionOptions.DEFAULTS;
    private FailurePolicy failurePolicy = FailurePolicy.FAIL_FAST;
    private FailoverOptions failover = FailoverOptions.DEFAULTS;
    private KeyRule keys = KeyRule.NONE;
    private boolean connectsEagerly;
    private @Nullable ConnectionListener listener;

    /** The settings that were set, by the names of their setters. */
    private final Set<String> set = new LinkedHashSet<>();

    /** Every setting has its default. */
    protected SettingsBuilder() {}

    /** This builder, after a setting was set by the setter of this name. */
    @SuppressWarnings("unchecked") // A builder extends this with its own type.
    protected final B set(String setting) {
        set.add(setting);
        return (B) this;
    }

    /** The settings that were set, by the names of their setters, in that order. */
    protected final Set<String> settings() {
        return Collections.unmodifiableSet(set);
    }

    /**
     * The servers, with commas between: {@code host}, {@code host:port}, {@code [ipv6]:port}, or {@code unix:/path} for
     * a Unix domain socket. The port is 11211 where none is given. {@code name=host:port*weight} also has the name that
     * the ring hashes in place of the address, and how many keys the server has in proportion to the others.
     */
    public final B servers(String list) {
        Objects.requireNonNull(list, "servers is null");
        if (list.isBlank()) {
            throw new IllegalArgumentException("servers is empty: write host:port, or several with commas between");
        }
        try {
            return servers("servers", new Topology(1, Server.parseAll(list)).servers());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("servers: " + e.getMessage(), e);
        }
    }

    /** The servers, in place of {@link #servers(String)}. */
    public final B servers(List<Server> list) {
        return servers("servers", new Topology(1, list).servers());
    }

    private B servers(String setting, List<Server> list) {
        servers = list;
        discovery = null;
        return set(setting);
    }

    /**
     * Finds the servers and follows their changes, in place of {@link #servers}. It also looks when a server is ejected
     * or a connection fails, as an address may have changed.
     *
     * <p>The client is made when there is a first list, for which it waits as long as one look may take. The discovery
     * is for one client and is closed with it, or if the client cannot be made.
     */
    public final B discovery(Discovery newDiscovery) {
        discovery = Objects.requireNonNull(newDiscovery, "discovery is null");
        servers = List.of();
        return set("discovery");
    }

    /**
     * How keys are spread over several servers; {@link Rings#libmemcachedWeighted()} by default. A fleet that another
     * client fills needs the ring of that client: see {@link Rings}.
     */
    public final B ring(Ring newRing) {
        ring = Objects.requireNonNull(newRing, "ring is null");
        return set("ring");
    }

    /** The only server, in place of {@link #servers}. */
    public final B server(ServerAddress address) {
        return servers("server", List.of(Server.of(Objects.requireNonNull(address, "server is null"))));
    }

    /**
     * The only server, in place of {@link #servers}. Only its name and port are used: each attempt resolves the name.
     */
    public final B server(InetSocketAddress address) {
        Objects.requireNonNull(address, "server is null");
        return server(new ServerAddress(address.getHostString(), address.getPort()));
    }

    /**
     * How many connections a server has; 2 by default. With {@link Transport#AUTO} and plain text each has two sockets
     * once both kinds of callers are there: one for platform threads that block, another for asynchronous calls and
     * virtual threads. Messages tell the second by {@code event loop} after its name: {@code host:port[0] event loop}.
     */
    public final B connectionsPerServer(int connections) {
        connectionsPerServer = checkedRange("connectionsPerServer", connections, 1, MAX_CONNECTIONS);
        return set("connectionsPerServer");
    }

    /** Which connection takes a command; {@link ConnectionChooser#stickyRoundRobin()} by default. */
    public final B chooser(ConnectionChooser newChooser) {
        chooser = Objects.requireNonNull(newChooser, "chooser is null");
        return set("chooser");
    }

    /** Which threads do the I/O; {@link Transport#AUTO} by default. */
    public final B transport(Transport newTransport) {
        transport = Objects.requireNonNull(newTransport, "transport is null");
        return set("transport");
    }

    /** Which protocol is spoken; {@link Protocol#AUTO} by default, which finds out. */
    public final B protocol(Protocol newProtocol) {
        connection = connection.withProtocol(Objects.requireNonNull(newProtocol, "protocol is null"));
        return set("protocol");
    }

    /**
     * How long a command may take, from call to reply; 500 ms by default. That includes the wait for a socket that its
     * first command opens: see {@link #connectEagerly}.
     */
    public final B requestTimeout(Duration timeout) {
        requestTimeout = ConnectionOptions.checkTimeout("requestTimeout", timeout);
        return set("requestTimeout");
    }

    /** How long an attempt to connect may take; 1.5 s by default. */
    public final B connectTimeout(Duration timeout) {
        connection = connection.withConnectTimeout(ConnectionOptions.checkTimeout("connectTimeout", timeout));
        return set("connectTimeout");
    }

    /** How long a command may stay unanswered until its connection is replaced; 5 s by default. */
    public final B livenessTimeout(Duration timeout) {
        connection = connection.withLivenessTimeout(ConnectionOptions.checkTimeout("livenessTimeout", timeout));
        return set("livenessTimeout");
    }

    /** After how long without traffic a connection asks the server for a sign of life; 10 s by default. */
    public final B heartbeatInterval(Duration interval) {
        connection = connection.withHeartbeatInterval(ConnectionOptions.checkTimeout("heartbeatInterval", interval));
        return set("heartbeatInterval");
    }

    /**
     * How many commands a socket may have in flight; 1024 by default. A connection with two sockets has twice that.
     * More is refused at once.
     */
    public final B maxInFlight(int commands) {
        connection = connection.withMaxInFlight(checkedRange("maxInFlight", commands, 1, 1 << 19));
        return set("maxInFlight");
    }

    /**
     * How many bytes of requests all connections may have in flight; 32 MiB by default, and at least four of the
     * largest values. One socket takes half of it at most. More is refused at once.
     */
    public final B maxBytesInFlight(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxBytesInFlight is " + bytes + ": it is at least 1");
        }
        connection = connection.withMaxBytesInFlight(bytes);
        return set("maxBytesInFlight");
    }

    /**
     * Completes the futures of the asynchronous client, and so runs transcoders and the stages that depend on futures.
     * By default these run on the client's own threads, event loops among them, and must not block. Each future is a
     * task of its own. If the executor rejects a task, or has not begun it when the time of the future is over, the
     * client's own threads take it.
     */
    public final B completionExecutor(Executor executor) {
        connection = connection.withCompletionExecutor(Objects.requireNonNull(executor, "completionExecutor is null"));
        return set("completionExecutor");
    }

    /** The largest value to send or take in, in bytes; 1 MiB, memcached's own default, by default. */
    public final B maxValueBytes(int bytes) {
        connection = connection.withMaxValueBytes(checkedRange("maxValueBytes", bytes, 1, MAX_ITEM_BYTES));
        return set("maxValueBytes");
    }

    /**
     * The longest wait before the first and before any later attempt to connect again; 50 ms and 5 s by default. This
     * limit doubles with each failure, and the wait is drawn evenly between zero and the limit. All connections to a
     * server share a budget of sockets: one for each and seven more at once, and then one every 1.25 s. It is one every
     * {@code longest}, divided by the number of connections, where that is shorter.
     */
    public final B reconnectDelay(Duration first, Duration longest) {
        connection = connection.withBackoff(new Backoff(
                ConnectionOptions.checkTimeout("reconnectDelay", first),
                ConnectionOptions.checkTimeout("reconnectDelay", longest)));
        return set("reconnectDelay");
    }

    /** How many event-loop threads the connections share; 2, or 1 on a single core, by default. */
    public final B ioThreads(int threads) {
        ioThreads = checkedRange("ioThreads", threads, 1, MAX_IO_THREADS);
        return set("ioThreads");
    }

    /** Speak TLS; plain text by default. With TLS everything goes over event loops. */
    public final B tls(TlsOptions newTls) {
        return access("tls", connection.access().withTls(Objects.requireNonNull(newTls, "tls is null")));
    }

    /** Authenticate as this user of a server started with {@code memcached -Y file}; no authentication by default. */
    public final B credentials(String user, String password) {
        Credentials fixed = new Credentials(user, password);
        return credentials(() -> fixed);
    }

    /**
     * Authenticate by what {@code current} returns before each attempt to connect, so that a password may change.
     *
     * @param current asked on a thread that connects; while it blocks, the connect timeout runs
     */
    public final B credentials(Supplier<Credentials> current) {
        return access(
                "credentials",
                connection.access().withCredentials(Objects.requireNonNull(current, "credentials is null")));
    }

    /**
     * When TCP probes a connection on which nothing is received: TCP keep-alive is always on, by default with the
     * operating system's own values.
     *
     * @param idle how long nothing was received before the first probe
     * @param interval how long between probes
     * @param probes how many unanswered probes end the connection, 1 to 127
     */
    public final B keepAlive(Duration idle, Duration interval, int probes) {
        return access("keepAlive", connection.access().withKeepAlive(new KeepAlive(idle, interval, probes)));
    }

    /**
     * How long sent bytes may stay unacknowledged until TCP gives the connection up; the operating system's value by
     * default. On event loops on Linux only: the JDK's sockets, which caller-driven connections use, have no such
     * option, and rely on {@link #livenessTimeout}.
     */
    public final B tcpUserTimeout(Duration timeout) {
        return access(
                "tcpUserTimeout",
                connection.access().withTcpUserTimeout(ConnectionOptions.checkTimeout("tcpUserTimeout", timeout)));
    }

    private B access(String setting, ServerAccess access) {
        connection = connection.withAccess(access);
        return set(setting);
    }

    /**
     * Opens each connection when it is made, in the background; by default the first command opens it. With {@link
     * Transport#AUTO} and plain text that is two sockets for each connection: for blocking callers and for others.
     */
    public final B connectEagerly() {
        connectsEagerly = true;
        return set("connectEagerly");
    }

    /** What the clients do about failures; {@link FailurePolicy#FAIL_FAST} by default. */
    public final B failurePolicy(FailurePolicy policy) {
        failurePolicy = Objects.requireNonNull(policy, "failurePolicy is null");
        return set("failurePolicy");
    }

    /**
     * What becomes of commands whose server is down, of several; {@link ServerDownPolicy#FAIL_FAST} by default. {@link
     * MemcachedClient#withServerDown} sets it for some calls.
     */
    public final B serverDown(ServerDownPolicy policy) {
        failover = failover.withServerDown(policy);
        return set("serverDown");
    }

    /**
     * After how many failures in a row, over all its connections, one of several servers is ejected: 2 to 1,000,000,
     * and 5 by default. Failures are attempts to connect that fail, connections that are lost, and time-outs of
     * commands since which nothing was answered. Those at the same time count once.
     */
    public final B ejectAfter(int failures) {
        failover = failover.withEjection(failover.ejection().withEjectAfter(failures));
        return set("ejectAfter");
    }

    /**
     * The longest wait before the first and before any later probe of an ejected server; 200 ms and 5 s by default. The
     * limit doubles with each probe that is not answered, and the wait is drawn evenly between zero and the limit.
     */
    public final B probeDelay(Duration first, Duration longest) {
        Backoff delay = new Backoff(
                ConnectionOptions.checkTimeout("probeDelay", first),
                ConnectionOptions.checkTimeout("probeDelay", longest));
        failover = failover.withEjection(failover.ejection().withProbeDelay(delay));
        return set("probeDelay");
    }

    /** After how many answered probes in a row an ejected server is taken back: 1 to 1,000, and 2 by default. */
    public final B takeBackAfter(int answers) {
        failover = failover.withEjection(failover.ejection().withTakeBackAfter(answers));
        return set("takeBackAfter");
    }

    /**
     * Spare servers, written as {@link #servers(String)}; none by default. They take the keys of servers that are down,
     * by a ring of their own, under {@link ServerDownPolicy#GUTTER}.
     */
    public final B gutter(String list) {
        Objects.requireNonNull(list, "gutter is null");
        if (list.isBlank()) {
            throw new IllegalArgumentException("gutter is empty: write host:port, or several with commas between");
        }
        try {
            return gutter(Server.parseAll(list));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("gutter: " + e.getMessage(), e);
        }
    }

    /** Spare servers, in place of {@link #gutter(String)}. */
    public final B gutter(List<Server> spares) {
        failover = failover.withGutter(spares.isEmpty() ? spares : new Topology(1, spares).servers());
        return set("gutter");
    }

    /**
     * How long an item may live at most on another server than its own, 1 s to 30 days; 60 s by default. The next time
     * that its server is down, what was stored there before is over, or no older than that.
     */
    public final B failoverTtl(Duration ttl) {
        failover = failover.withFailoverTtl(ttl);
        return set("failoverTtl");
    }

    /**
     * Stands before each key of each client, as with {@link MemcachedClient#withKeyPrefix}; none by default. Admin
     * clients have none.
     */
    public final B keyPrefix(String prefix) {
        keys = new KeyRule(Objects.requireNonNull(prefix, "keyPrefix is null"), keys.hashesRefused());
        return set("keyPrefix");
    }

    /**
     * Whether keys are hashed that memcached refuses, as with {@link MemcachedClient#withHashedKeys}; false by default:
     * then such a key is an {@link IllegalArgumentException}.
     */
    public final B hashKeys(boolean hashed) {
        keys = new KeyRule(keys.prefix(), hashed);
        return set("hashKeys");
    }

    /**
     * Whether keys are left out of exception messages, logs, Flight Recorder events and observations; false by default.
     * Methods such as {@link io.memshard.client.exception.CommandContext#key} still have them, and so do listeners of
     * commands.
     */
    public final B hideKeys(boolean hidden) {
        connection = connection.withHiddenKeys(hidden);
        return set("hideKeys");
    }

    /** Adds a listener that is told what happens on the connections; none by default. */
    public final B listener(ConnectionListener another) {
        Objects.requireNonNull(another, "listener is null");
        listener = listener == null ? another : listener.and(another);
        return set("listener");
    }

    /**
     * These settings as a value, which later calls of the builder leave alone. With {@link #discovery} it waits for the
     * first list.
     *
     * @throws IllegalArgumentException if no server is named, or if settings do not fit together
     * @throws MemcachedConnectionException if the discovery has no servers in time; it says why
     */
    public final MemshardOptions options() {
        Discovery finder = discovery;
        if (finder == null) {
            Topology.checkNoZones(servers);
            return options(servers);
        }
        try {
            List<Server> found = finder.awaitServers(finder.lookTimeout());
            Topology.checkNoZones(found);
            return options(found);
        } catch (Throwable e) {
            finder.close();
            throw e;
        }
    }

    /** The settings for the servers of each zone, by its name. */
    final Map<String, MemshardOptions> optionsByZone() {
        if (discovery != null) {
            discovery.close();
            throw new IllegalArgumentException(
                    "discovery is set, which is for one client, and this one has one for each"
                            + " zone: build a Memshard with discovery for each, and give them to ZonedMemshard.of");
        }
        Map<String, List<Server>> byZone = new LinkedHashMap<>();
        for (Server each : servers) {
            String zone = each.zone();
            if (zone == null) {
                throw new IllegalArgumentException(
                        "servers: " + each + " has no zone, and this client has zones: write " + each + "@eu-1");
            }
            byZone.computeIfAbsent(zone, any -> new ArrayList<>()).add(each.withZone(null));
        }
        if (byZone.isEmpty()) {
            options(servers);
        }
        Map<String, MemshardOptions> options = new LinkedHashMap<>();
        byZone.forEach((zone, of) -> options.put(zone, options(of)));
        return options;
    }

    private MemshardOptions options(List<Server> of) {
        if (of.isEmpty()) {
            throw new IllegalArgumentException("servers is not set: name a server as host:port, or set discovery");
        }
        of.forEach(each -> connection.access().check(each.address(), transport));
        ring.locator(of);
        checkFailover(of);
        return new MemshardOptions(
                of,
                discovery,
                ring,
                connectionsPerServer,
                chooser,
                transport,
                requestTimeout,
                ioThreads,
                connection,
                failurePolicy,
                failover,
                keys.prefix(),
                keys.hashesRefused(),
                connectsEagerly,
                listener);
    }

    private void checkFailover(List<Server> of) {
        failover.check(failover.serverDown());
        failover.checkServers(of);
        for (Server spare : failover.gutter()) {
            connection.access().check(spare.address(), transport);
        }
        if (!failover.gutter().isEmpty()) {
            ring.locator(failover.gutter());
        }
    }

    private static int checkedRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " is " + value + ": it is " + least + " to " + most);
        }
        return value;
    }
}
