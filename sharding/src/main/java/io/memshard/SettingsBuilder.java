// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Backoff;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.ejection.EjectionOptions;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.cluster.Topology;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Settings that the builders of {@link Memshard} and {@code MemcachedTemplate} share.
 *
 * <p>The most important settings are {@link #servers(String) servers}, {@link #tls tls},
 * {@link #requestTimeout requestTimeout}, {@link #maxValueBytes maxValueBytes}, {@link #failurePolicy failurePolicy},
 * {@link #serverDown serverDown}, {@link #keyPrefix keyPrefix} and {@link #listener listener}. The defaults of the
 * other settings suit most clients.
 *
 * <p>A setter rejects an invalid value with an exception that names the setting and the value. Timeouts must be more
 * than zero and at most 24 days.
 *
 * <p>Threading: confined to one thread.
 *
 * @param <B> the type of the builder, which the setters return
 */
public abstract class SettingsBuilder<B extends SettingsBuilder<B>> {

    private static final int MAX_CONNECTIONS = 1024;
    private static final int MAX_IO_THREADS = 64;
    private static final int MAX_FAILURES = 1_000_000;
    private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
    private static final Duration LONGEST_TTL = Duration.ofDays(30);
    private static final int MAX_IN_FLIGHT = 1 << 19;
    private static final int MAX_ITEM_BYTES = 1 << 30;

    /** Written by the setters; {@link #options(List)} copies this object for each client. */
    final MemshardOptions options = new MemshardOptions();

    private final Set<String> set = new LinkedHashSet<>();

    /** Creates a builder with the default of each setting. */
    protected SettingsBuilder() {}

    /** Records that the setter of this name was called. Returns this builder. */
    @SuppressWarnings("unchecked") // A builder extends this with its own type.
    protected final B set(String setting) {
        set.add(setting);
        return (B) this;
    }

    /** Returns the names of the setters that were called, in the order of their first calls. */
    protected final Set<String> settings() {
        return Collections.unmodifiableSet(set);
    }

    /**
     * Sets the servers, separated by commas. Each server is written as {@code host}, {@code host:port},
     * {@code [ipv6]:port}, or {@code unix:/path} for a Unix domain socket. The default port is 11211. A server may also
     * have a name and a weight, as in {@code name=host:port*weight}. If a server has a name, the ring hashes the name
     * instead of the address. The weight is the server's share of the keys relative to the other servers.
     */
    public final B servers(String list) {
        return setServers(parsed("servers", list));
    }

    /** Sets the servers. */
    public final B servers(List<Server> list) {
        return setServers(new Topology(1, list).servers());
    }

    private B setServers(List<Server> list) {
        options.servers = list;
        options.discovery = null;
        return set("servers");
    }

    /** Sets a single server. */
    public final B servers(ServerAddress only) {
        return setServers(List.of(Server.of(Objects.requireNonNull(only, "servers is null"))));
    }

    /** Sets a single server. Each attempt to connect resolves the host name again. */
    public final B servers(InetSocketAddress only) {
        Objects.requireNonNull(only, "servers is null");
        return servers(new ServerAddress(only.getHostString(), only.getPort()));
    }

    /**
     * Sets a discovery, which keeps the client's list of servers up to date. Replaces {@link #servers}. When a server
     * is ejected or a connection fails, the client calls {@link Discovery#refreshNow}, because an address may have
     * changed.
     *
     * <p>The {@code build} method waits for the first list of servers, and fails if no list arrives within
     * {@link Discovery#lookTimeout}. Each client needs its own discovery. The discovery is closed when the client is
     * closed or cannot be created.
     */
    public final B discovery(Discovery newDiscovery) {
        options.discovery = Objects.requireNonNull(newDiscovery, "discovery is null");
        options.servers = List.of();
        return set("discovery");
    }

    /**
     * Sets the ring, which assigns keys to servers; {@link Ring#libmemcachedWeighted()} by default. If another client
     * library uses the same servers, set the ring of that library: see {@link Ring}.
     */
    public final B ring(Ring newRing) {
        options.ring = Objects.requireNonNull(newRing, "ring is null");
        return set("ring");
    }

    /**
     * Sets the number of connections to each server, 1 to 1,024. The default is half the number of processors, but at
     * least 2 and at most 8. Unless this setting is set, at most {@link #ioThreads} connections to each server use
     * event loops. Event loops serve asynchronous calls, virtual threads, and all calls with TLS or
     * {@link Transport#EVENT_LOOP}.
     *
     * <p>With {@link Transport#AUTO} and without TLS, a connection has up to two sockets, each opened on first use. The
     * first socket serves blocking calls of platform threads. The second socket serves all other calls. Log and
     * exception messages show the second socket as {@code host:port[0] event loop}, for example.
     */
    public final B connectionsPerServer(int connections) {
        options.connectionsPerServer = checkedRange("connectionsPerServer", connections, 1, MAX_CONNECTIONS);
        return set("connectionsPerServer");
    }

    /** Sets how a connection is chosen for each command; {@link ConnectionChooser#stickyRoundRobin()} by default. */
    public final B chooser(ConnectionChooser newChooser) {
        options.chooser = Objects.requireNonNull(newChooser, "chooser is null");
        return set("chooser");
    }

    /**
     * Opens each connection in the background when the client is created. By default, a connection is opened for its
     * first command. If a connection has two sockets, both sockets are opened: see {@link #connectionsPerServer}.
     */
    public final B connectEagerly() {
        options.connectEagerly = true;
        return set("connectEagerly");
    }

    /** Sets which threads read and write the sockets; {@link Transport#AUTO} by default. */
    public final B transport(Transport newTransport) {
        options.transport = Objects.requireNonNull(newTransport, "transport is null");
        return set("transport");
    }

    /** Sets the number of event-loop threads that the connections share; by default 2, or 1 on a single core. */
    public final B ioThreads(int threads) {
        options.ioThreads = checkedRange("ioThreads", threads, 1, MAX_IO_THREADS);
        return set("ioThreads");
    }

    /**
     * Sets the time limit of a command, from the call to the reply; 500 ms by default. If a command must first open a
     * connection, the time to connect counts too: see {@link #connectEagerly}. Until the client's first connection is
     * open, the limit is longer by the {@link #connectTimeout}.
     */
    public final B requestTimeout(Duration timeout) {
        options.requestTimeout = Timeouts.check("requestTimeout", timeout);
        return set("requestTimeout");
    }

    /** Sets how the clients handle failures; {@link FailurePolicy#FAIL_FAST} by default. */
    public final B failurePolicy(FailurePolicy policy) {
        options.failurePolicy = Objects.requireNonNull(policy, "failurePolicy is null");
        return set("failurePolicy");
    }

    /**
     * Sets the policy for commands whose server is ejected; {@link ServerDownPolicy#FAIL_FAST} by default. {@link
     * MemcachedClient#withServerDown} sets the policy for individual calls.
     */
    public final B serverDown(ServerDownPolicy policy) {
        options.serverDown = Objects.requireNonNull(policy, "serverDown is null");
        return set("serverDown");
    }

    /**
     * Sets the number of consecutive failures after which a server is ejected: 2 to 1,000,000, and 5 by default. Failed
     * attempts to connect, lost connections and timeouts count, summed over all connections to the server. If the
     * client has a single server and no {@link #gutter}, only timeouts count. A timeout counts only if the server has
     * sent no reply since the command was sent. Simultaneous failures count as one failure.
     */
    public final B ejectAfter(int failures) {
        checkedRange("ejectAfter", failures, 2, MAX_FAILURES);
        options.ejection = new EjectionOptions(failures, options.ejection.probeDelay());
        return set("ejectAfter");
    }

    /**
     * Sets how long the client waits before each probe of an ejected server. By default, {@code first} is 200 ms and
     * {@code longest} is 5 s. Each wait is random, from zero to the current limit. The limit is {@code first} before
     * the first probe, and doubles with each unanswered probe up to {@code longest}.
     */
    public final B probeDelay(Duration first, Duration longest) {
        Timeouts.check("probeDelay", first);
        Timeouts.check("probeDelay", longest);
        options.ejection = new EjectionOptions(options.ejection.ejectAfter(), new Backoff(first, longest));
        return set("probeDelay");
    }

    /**
     * Sets spare servers, in the format of {@link #servers(String)}. By default no spare servers exist. With
     * {@link ServerDownPolicy#GUTTER}, the spare servers serve the keys of ejected servers. A separate ring of the same
     * kind assigns these keys to the spare servers.
     */
    public final B gutter(String list) {
        return gutter(parsed("gutter", list));
    }

    /** Sets spare servers; see {@link #gutter(String)}. */
    public final B gutter(List<Server> spares) {
        options.gutter = spares.isEmpty() ? List.of() : new Topology(1, spares).servers();
        return set("gutter");
    }

    /**
     * Sets the longest time to live of an item that another server stores while the item's server is ejected. The value
     * is 1 s to 30 days, and 60 s by default. If the item's server is ejected again within {@code ttl}, reads may find
     * the earlier value on the other server.
     */
    public final B failoverTtl(Duration ttl) {
        Objects.requireNonNull(ttl, "failoverTtl is null");
        if (ttl.compareTo(SHORTEST_TTL) < 0 || ttl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException(
                    "failoverTtl is " + ttl + ", but must be 1 s to 30 days, as in Duration.ofSeconds(60)");
        }
        options.failoverTtl = ttl;
        return set("failoverTtl");
    }

    /**
     * Sets a prefix for the keys of all clients, as {@link MemcachedClient#withKeyPrefix} does; empty by default. Admin
     * clients use no prefix.
     */
    public final B keyPrefix(String prefix) {
        options.keyPrefix = new KeyRule(Objects.requireNonNull(prefix, "keyPrefix is null"), options.hashKeys).prefix();
        return set("keyPrefix");
    }

    /**
     * Sets whether keys that memcached rejects are hashed, as {@link MemcachedClient#withHashedKeys} does; false by
     * default. Without hashing, a key that memcached rejects causes an {@link IllegalArgumentException}.
     */
    public final B hashKeys(boolean hashed) {
        options.hashKeys = hashed;
        return set("hashKeys");
    }

    /** Adds a listener of commands and connections. */
    public final B listener(ConnectionListener another) {
        Objects.requireNonNull(another, "listener is null");
        options.listener = options.listener == null ? another : options.listener.and(another);
        return set("listener");
    }

    /**
     * Sets the limits of the random wait before each attempt to reconnect. The limit is {@code first} (50 ms by
     * default) before the first attempt, and doubles with each failure, up to {@code longest} (5 s by default). The
     * attempt starts at most 50 ms after the wait.
     *
     * <p>For each server, a budget limits the sockets that may be opened. The budget is at first the number of sockets
     * to the server plus seven. One socket is added every 1.25 s, or every {@code longest} divided by the number of
     * sockets if this is shorter.
     */
    public final B reconnectDelay(Duration first, Duration longest) {
        Timeouts.check("reconnectDelay", first);
        Timeouts.check("reconnectDelay", longest);
        options.reconnectDelay = new Backoff(first, longest);
        return set("reconnectDelay");
    }

    /**
     * Completes the futures of the asynchronous client on {@code executor}, which then also runs transcoders and
     * dependent stages. By default, threads of the client run the transcoders and dependent stages; these must not
     * block. Each future is a separate task of the executor. If the executor rejects a task, or does not start it
     * before the future's deadline, a thread of the client runs the task.
     */
    public final B completionExecutor(Executor executor) {
        options.completionExecutor = Objects.requireNonNull(executor, "completionExecutor is null");
        return set("completionExecutor");
    }

    /** Sets the protocol. {@link Protocol#AUTO}, the default, detects the protocol that the server supports. */
    public final B protocol(Protocol newProtocol) {
        options.protocol = Objects.requireNonNull(newProtocol, "protocol is null");
        return set("protocol");
    }

    /** Enables TLS; the default is plain text. With TLS, event loops do all I/O. */
    public final B tls(TlsOptions newTls) {
        options.tls = Objects.requireNonNull(newTls, "tls is null");
        return set("tls");
    }

    /** Sets the user and password for a server started with {@code memcached -Y file}; no authentication by default. */
    public final B credentials(String user, String password) {
        Credentials fixed = new Credentials(user, password);
        return credentials(() -> fixed);
    }

    /**
     * Sets a supplier of credentials. Each attempt to connect calls the supplier, so that a password may change.
     *
     * @param current supplier, called on the thread that connects; the duration of the call counts towards the connect
     *     timeout
     */
    public final B credentials(Supplier<Credentials> current) {
        options.credentials = Objects.requireNonNull(current, "credentials is null");
        return set("credentials");
    }

    /** Sets the time limit of an attempt to connect; 1.5 s by default. */
    public final B connectTimeout(Duration timeout) {
        options.connectTimeout = Timeouts.check("connectTimeout", timeout);
        return set("connectTimeout");
    }

    /** Sets the time after which a connection is replaced if its oldest command has no reply; 5 s by default. */
    public final B livenessTimeout(Duration timeout) {
        options.livenessTimeout = Timeouts.check("livenessTimeout", timeout);
        return set("livenessTimeout");
    }

    /** Sets the time without traffic after which the client sends a heartbeat to the server; 10 s by default. */
    public final B heartbeatInterval(Duration interval) {
        options.heartbeatInterval = Timeouts.check("heartbeatInterval", interval);
        return set("heartbeatInterval");
    }

    /** Sets the maximum size of a value to send or receive, in bytes. The default is 1 MiB, as in memcached. */
    public final B maxValueBytes(int bytes) {
        options.maxValueBytes = checkedRange("maxValueBytes", bytes, 1, MAX_ITEM_BYTES);
        return set("maxValueBytes");
    }

    /**
     * Sets the maximum number of commands in flight on a socket; 16,384 by default. A connection may have two sockets.
     * Further commands are rejected at once.
     */
    public final B maxInFlight(int commands) {
        options.maxInFlight = checkedRange("maxInFlight", commands, 1, MAX_IN_FLIGHT);
        return set("maxInFlight");
    }

    /**
     * Sets the maximum number of bytes of requests in flight on all connections; 32 MiB by default. The client always
     * allows at least four times {@link #maxValueBytes}. One socket uses at most half of these bytes. Further requests
     * are rejected at once.
     */
    public final B maxBytesInFlight(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxBytesInFlight is " + bytes + ", but must be at least 1");
        }
        options.maxBytesInFlight = bytes;
        return set("maxBytesInFlight");
    }

    /**
     * Sets whether keys are omitted from exception messages, logs, Flight Recorder events and observations; false by
     * default. Methods such as {@link io.memshard.client.exception.CommandContext#key} still return keys, and listeners
     * of commands still receive keys.
     */
    public final B hideKeys(boolean hidden) {
        options.hideKeys = hidden;
        return set("hideKeys");
    }

    /**
     * Returns a snapshot of these settings for the other modules of this library. If a {@link #discovery} is set, this
     * method waits for the first list of servers.
     *
     * @param type the type of the snapshot; not exported to applications
     * @throws IllegalArgumentException if no server is set, or if settings contradict each other
     * @throws MemcachedConnectionException if the discovery finds no servers in time; the message gives the reason
     * @throws ClassCastException if the snapshot is not of this type
     */
    public final <T> T unwrap(Class<T> type) {
        return type.cast(options());
    }

    final MemshardOptions options() {
        Discovery finder = options.discovery;
        if (finder == null) {
            Topology.checkNoZones(options.servers);
            return options(options.servers);
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

    final MemshardOptions options(List<Server> of) {
        if (of.isEmpty()) {
            throw new IllegalArgumentException("servers is not set: set servers, such as cache-1:11211, or discovery");
        }
        MemshardOptions copy = options.clone();
        copy.servers = of;
        of.forEach(each -> copy.check(each.address(), copy.transport));
        copy.ring.locator(of);
        copy.check(copy.serverDown);
        copy.checkServers(of);
        copy.gutter.forEach(spare -> copy.check(spare.address(), copy.transport));
        if (!copy.gutter.isEmpty()) {
            copy.ring.locator(copy.gutter);
        }
        boolean isSet = settings().contains("connectionsPerServer");
        copy.loopSockets = isSet ? copy.connectionsPerServer : Math.min(copy.connectionsPerServer, copy.ioThreads);
        if (copy.transport == Transport.EVENT_LOOP || copy.tls != null) {
            copy.connectionsPerServer = copy.loopSockets;
        }
        return copy;
    }

    private static List<Server> parsed(String setting, String list) {
        Objects.requireNonNull(list, setting + " is null");
        if (list.isBlank()) {
            throw new IllegalArgumentException(setting + " is empty: name at least one server, such as cache-1:11211");
        }
        try {
            return new Topology(1, Server.parseAll(list)).servers();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
        }
    }

    private static int checkedRange(String setting, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(setting + " is " + value + ", but must be " + least + " to " + most);
        }
        return value;
    }
}
