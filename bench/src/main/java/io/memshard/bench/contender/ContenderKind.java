// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import com.spotify.folsom.ConnectFuture;
import com.spotify.folsom.MemcacheClient;
import com.spotify.folsom.MemcacheClientBuilder;
import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.bench.result.BenchException;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.options.Protocol;
import io.memshard.sharding.ConnectionChooser;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import net.rubyeye.xmemcached.transcoders.CachedData;
import net.rubyeye.xmemcached.transcoders.PrimitiveTypeTranscoder;
import net.rubyeye.xmemcached.transcoders.Transcoder;
import org.jspecify.annotations.Nullable;

/** Clients that the command line can name, explained in {@code bench/README.md}. */
public enum ContenderKind {
    TEMPLATE(false, Templates::pooled),
    CONNECTION(false, Templates::single),
    SPYMEMCACHED_ARRAY_ROUND_ROBIN(true, settings -> Templates.sharded(settings, nextForEachCall())),
    SPYMEMCACHED_ARRAY_THREAD_ID(true, settings -> Templates.sharded(settings, ConnectionChooser.threadAffinity())),
    SPYMEMCACHED_BARE(false, SpymemcachedClients::single),
    SPYMEMCACHED_POOL(false, settings -> ClientPool.open(settings, ClientPool::commons)),
    SPYMEMCACHED_OPTIMIZED(
            false, settings -> SpymemcachedClients.single(settings, builder -> builder.setShouldOptimize(true))),
    MEMSHARD(false, settings -> memshard(defaults(settings))),
    MEMSHARD_SINGLE(false, settings -> memshard(builder(settings).connectionsPerServer(1))),
    MEMSHARD_ROUND_ROBIN(builder -> builder.chooser(ConnectionChooser.roundRobin())),
    MEMSHARD_STICKY(builder -> builder),
    MEMSHARD_CLASSIC(builder -> builder.protocol(Protocol.CLASSIC)),
    MEMSHARD_THREAD_ID(builder -> builder.chooser(ConnectionChooser.threadAffinity())),
    MEMSHARD_TIMED_WAITS( // With this short timeout, the waiting thread times its own wait.
            builder -> builder.chooser(ConnectionChooser.threadAffinity()).requestTimeout(Duration.ofMillis(390))),
    XMEMCACHED(false, settings -> xmemcached(settings, 1)),
    XMEMCACHED_ARRAY(true, settings -> xmemcached(settings, settings.connections())),
    FOLSOM(true, ContenderKind::folsom),
    SOCKET_PER_THREAD(false, SocketPerThread::open);

    private static final Set<ContenderKind> ON_DEMAND =
            EnumSet.of(SPYMEMCACHED_POOL, MEMSHARD_THREAD_ID, MEMSHARD_TIMED_WAITS);

    private static ConnectionChooser nextForEachCall() {
        AtomicInteger turn = new AtomicInteger();
        return candidates ->
                candidates.firstReadyFrom((turn.getAndIncrement() & Integer.MAX_VALUE) % candidates.size());
    }

    private static MemshardBuilder defaults(ContenderSettings settings) {
        return Memshard.builder().servers(settings.address()).requestTimeout(settings.timeout());
    }

    private static MemshardBuilder builder(ContenderSettings settings) {
        return defaults(settings).connectionsPerServer(settings.connections());
    }

    private static Contender memshard(MemshardBuilder builder) {
        Memshard memshard = builder.build();
        MemcachedClient<byte[]> client = memshard.client();
        client.version();
        return new Contender(client::get, (key, value) -> client.set(key, value, TimeToLive.NEVER), memshard);
    }

    /**
     * Opens folsom. The default executor would halve the throughput, so I/O threads complete the futures. folsom closes
     * a connection after its own timeout. Except in an outage, this is the default of 3 s, which no caller waits for.
     */
    private static Contender folsom(ContenderSettings settings) throws Exception {
        MemcacheClientBuilder<byte[]> builder = MemcacheClientBuilder.newByteArrayClient();
        settings.servers().forEach(server -> builder.withAddress(server.getHostString(), server.getPort()));
        if (settings.timeout().equals(ContenderSettings.OUTAGE_TIMEOUT)) {
            builder.withConnectionTimeoutMillis(settings.timeout().toMillis());
        }
        MemcacheClient<byte[]> client = builder.withConnections(settings.connections())
                .withReplyExecutor(Runnable::run)
                .connectAscii();
        await(ContenderSettings.TIMEOUT, ConnectFuture.fullyConnectedFuture(client));
        return new Contender(
                key -> await(settings.timeout(), client.get(key)),
                (key, value) -> await(settings.timeout(), client.set(key, value, 0)),
                client::shutdown);
    }

    private static <T extends @Nullable Object> T await(Duration timeout, CompletionStage<T> reply) throws Exception {
        return reply.toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Contender xmemcached(ContenderSettings settings, int connections) throws IOException {
        XMemcachedClientBuilder builder = new XMemcachedClientBuilder(settings.servers());
        builder.setOpTimeout(settings.timeout().toMillis());
        builder.setConnectionPoolSize(connections);
        var client = builder.build();
        Transcoder<byte[]> bytes = new XmemcachedBytes();
        return new Contender(
                key -> client.get(key, bytes), (key, value) -> client.set(key, 0, value, bytes), client::shutdown);
    }

    private static final class XmemcachedBytes extends PrimitiveTypeTranscoder<byte[]> {

        @Override
        public CachedData encode(byte[] value) {
            return new CachedData(0, value);
        }

        @Override
        public byte[] decode(CachedData data) {
            return data.getData();
        }
    }

    private final boolean array;

    @SuppressWarnings("ImmutableEnumChecker") // Openers are lambdas without state.
    private final Clients.Opener opener;

    ContenderKind(boolean array, Clients.Opener opener) {
        this.array = array;
        this.opener = opener;
    }

    ContenderKind(UnaryOperator<MemshardBuilder> settings) {
        this(true, opened -> memshard(settings.apply(builder(opened))));
    }

    Contender open(ContenderSettings settings) {
        try {
            return opener.open(settings);
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new BenchException("cannot open contender " + this + " on " + settings.address() + ": " + e, e);
        }
    }

    public static Optional<ContenderKind> of(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(label))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public boolean isArray() {
        return array;
    }

    public static List<ContenderKind> regular() {
        return Arrays.stream(values()).filter(kind -> !ON_DEMAND.contains(kind)).toList();
    }
}
