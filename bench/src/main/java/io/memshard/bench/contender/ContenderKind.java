// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.bench.command.BenchException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Every contender by name, with how it is opened.
 *
 * <p>Alike for all: the same servers, the same timeout, values as plain bytes without compression, daemon
 * threads where there is a choice, no logging. Everything else is the library's default.
 */
public enum ContenderKind {
    TEMPLATE(
            "MemcachedTemplate over a pool of spymemcached clients: borrow, call, return",
            Sockets.POOL,
            false,
            TemplateContender::pooled),
    CONNECTION(
            "MemcachedConnection on one spymemcached client, kept and used by all threads",
            Sockets.ONE,
            true,
            TemplateContender::single),
    SPYMEMCACHED_ARRAY_ROUND_ROBIN(
            "MemcachedTemplate over an array of spymemcached clients, in turn",
            Sockets.ARRAY,
            true,
            settings -> TemplateContender.sharded(settings, ConnectionChooser.roundRobin())),
    SPYMEMCACHED_ARRAY_THREAD_ID(
            "MemcachedTemplate over an array of spymemcached clients, threadId % size",
            Sockets.ARRAY, true, settings -> TemplateContender.sharded(settings, ConnectionChooser.threadAffinity())),
    SPYMEMCACHED_BARE(
            "one spymemcached client without our template, to see what that costs",
            Sockets.ONE,
            true,
            settings -> SpymemcachedArray.inTurn(settings, 1)),
    SPYMEMCACHED_OPTIMIZED(
            "one spymemcached client with its option shouldOptimize: adjacent gets become one request",
            Sockets.ONE,
            true,
            settings -> SpymemcachedArray.of(
                    SpymemcachedClients.open(settings, builder -> builder.setShouldOptimize(true)))),
    MEMSHARD_SINGLE(
            "Memshard with one connection",
            Sockets.ONE,
            true,
            settings -> memshard(settings, 1, ConnectionChooser.roundRobin(), Transport.AUTO)),
    MEMSHARD_ROUND_ROBIN(
            "Memshard, connections in turn",
            Sockets.ARRAY,
            true,
            settings -> memshard(settings, settings.connections(), ConnectionChooser.roundRobin(), Transport.AUTO)),
    MEMSHARD_STICKY(
            "Memshard, each thread on the connection whose turn it was: the default",
            Sockets.ARRAY,
            true,
            settings ->
                    memshard(settings, settings.connections(), ConnectionChooser.stickyRoundRobin(), Transport.AUTO)),
    MEMSHARD_CLASSIC(
            "Memshard as by default, on the classic text protocol, which the other clients speak",
            Sockets.ARRAY,
            true,
            settings -> new MemshardContender(
                    builder(settings, settings.connections(), ConnectionChooser.stickyRoundRobin(), Transport.AUTO)
                            .protocol(Protocol.CLASSIC))),
    MEMSHARD_THREAD_ID(
            "Memshard, threadId % size",
            Sockets.ARRAY,
            true,
            settings -> memshard(settings, settings.connections(), ConnectionChooser.threadAffinity(), Transport.AUTO)),
    MEMSHARD_MIXED_THREAD_ID(
            "Memshard, a mix of the thread id % size",
            Sockets.ARRAY,
            true,
            settings -> memshard(
                    settings, settings.connections(), ConnectionChooser.mixedThreadAffinity(), Transport.AUTO)),
    MEMSHARD_LEAST_IN_FLIGHT(
            "Memshard, the less busy of two drawn at random",
            Sockets.ARRAY,
            true,
            settings -> memshard(settings, settings.connections(), ConnectionChooser.leastInFlight(), Transport.AUTO)),
    MEMSHARD_CALLER_DRIVEN(
            "Memshard, threadId % size, callers do the I/O, of whatever kind they are",
            Sockets.ARRAY,
            true,
            settings -> memshard(
                    settings, settings.connections(), ConnectionChooser.threadAffinity(), Transport.CALLER_DRIVEN)),
    MEMSHARD_EVENT_LOOP(
            "Memshard, threadId % size, an event loop does the I/O for all callers",
            Sockets.ARRAY,
            true,
            settings -> memshard(
                    settings, settings.connections(), ConnectionChooser.threadAffinity(), Transport.EVENT_LOOP)),
    MEMSHARD_TIMED_WAITS(
            "Memshard, threadId % size, with a request timeout below 400 ms: each wait has a timer of its own",
            Sockets.ARRAY, true, ContenderKind::withTimedWaits),
    MEMSHARD_BASELINE(
            "Memshard of another build, with its default chooser, from the jars of --baseline-jars",
            Sockets.ARRAY,
            true,
            LoadedMemshard::baseline),
    MEMSHARD_CANDIDATE(
            "Memshard of this build, loaded and called like memshard-baseline, to compare the two",
            Sockets.ARRAY,
            true,
            LoadedMemshard::candidate),
    XMEMCACHED(
            "XMemcached with its default of one connection",
            Sockets.ONE,
            false,
            settings -> new XmemcachedContender(settings, 1)),
    XMEMCACHED_ARRAY(
            "XMemcached with as many connections as Memshard: setConnectionPoolSize",
            Sockets.ARRAY,
            false,
            settings -> new XmemcachedContender(settings, settings.connections())),
    FOLSOM("folsom, round robin over its connections", Sockets.ARRAY, true, FolsomContender::new),
    SOCKET_PER_THREAD(
            "one blocking socket a thread, no client: the floor", Sockets.PER_THREAD, false, SocketPerThread::new);

    /** Variants that answer one question and would lengthen every other run. */
    private static final Set<ContenderKind> ON_DEMAND = EnumSet.of(
            MEMSHARD_THREAD_ID,
            MEMSHARD_MIXED_THREAD_ID,
            MEMSHARD_LEAST_IN_FLIGHT,
            MEMSHARD_CALLER_DRIVEN,
            MEMSHARD_EVENT_LOOP,
            MEMSHARD_TIMED_WAITS,
            MEMSHARD_BASELINE,
            MEMSHARD_CANDIDATE);

    private static Contender memshard(
            ContenderSettings settings, int connections, ConnectionChooser chooser, Transport transport) {
        return new MemshardContender(builder(settings, connections, chooser, transport));
    }

    /** With a request timeout so short that a waiting thread keeps the time itself. */
    private static Contender withTimedWaits(ContenderSettings settings) {
        return new MemshardContender(
                builder(settings, settings.connections(), ConnectionChooser.threadAffinity(), Transport.AUTO)
                        .requestTimeout(Duration.ofMillis(390)));
    }

    private static MemshardBuilder builder(
            ContenderSettings settings, int connections, ConnectionChooser chooser, Transport transport) {
        return Memshard.builder()
                .servers(settings.address())
                .connectionsPerServer(connections)
                .chooser(chooser)
                .transport(transport)
                .requestTimeout(ContenderSettings.TIMEOUT);
    }

    private enum Sockets {
        ONE,
        ARRAY,
        POOL,
        PER_THREAD
    }

    /** Connects and returns once the contender can be used. */
    private interface Opener {
        Contender open(ContenderSettings settings) throws Exception;
    }

    private final String description;
    private final Sockets sockets;
    private final boolean asynchronous;

    @SuppressWarnings("ImmutableEnumChecker") // Openers are lambdas without state.
    private final Opener opener;

    ContenderKind(String description, Sockets sockets, boolean asynchronous, Opener opener) {
        this.description = description;
        this.sockets = sockets;
        this.asynchronous = asynchronous;
        this.opener = opener;
    }

    /**
     * A contender that is connected.
     *
     * @throws BenchException if that fails, whatever the reason
     */
    public Contender open(ContenderSettings settings) {
        try {
            return opener.open(settings);
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new BenchException("cannot open contender " + label() + " on " + settings.address() + ": " + e, e);
        }
    }

    /** The kind with that {@link #label()}; empty if there is none. */
    public static Optional<ContenderKind> of(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst();
    }

    /** Name on the command line and in results, such as {@code memshard-round-robin}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it is, for the help text. */
    public String description() {
        return description;
    }

    /** Whether {@link ContenderSettings#connections()} makes a difference to it. */
    public boolean isArray() {
        return sockets == Sockets.ARRAY;
    }

    /** Whether it takes part when no contender is named. */
    public boolean isRegular() {
        return !ON_DEMAND.contains(this);
    }

    /** Whether it cannot be opened without {@link ContenderSettings#baselineJars()}. */
    public boolean needsJars() {
        return this == MEMSHARD_BASELINE;
    }

    /** Whether it offers {@link Contender#getMany}. */
    public boolean hasMultiGet() {
        return sockets != Sockets.PER_THREAD && this != MEMSHARD_BASELINE && this != MEMSHARD_CANDIDATE;
    }

    /** Whether it spreads keys over several servers. The template serves one with the engine spymemcached. */
    public boolean servesMany() {
        return switch (this) {
            case TEMPLATE,
                    CONNECTION,
                    SPYMEMCACHED_ARRAY_ROUND_ROBIN,
                    SPYMEMCACHED_ARRAY_THREAD_ID,
                    MEMSHARD_BASELINE,
                    MEMSHARD_CANDIDATE,
                    SOCKET_PER_THREAD -> false;
            default -> true;
        };
    }

    /** Whether it offers {@link Contender#getAsync}. */
    public boolean isAsynchronous() {
        return asynchronous;
    }

    /** Sockets to a server that this kind opens for {@code threads} callers. */
    public int sockets(ContenderSettings settings, int threads) {
        return switch (sockets) {
            case ONE -> 1;
            case ARRAY -> settings.connections();
            case POOL -> settings.poolSize();
            case PER_THREAD -> threads;
        };
    }
}
