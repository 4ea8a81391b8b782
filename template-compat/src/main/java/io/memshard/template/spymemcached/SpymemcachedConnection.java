// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.argument.Exptime;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.MemshardOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.OperationFactory;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationCallback;
import net.spy.memcached.ops.OperationStatus;
import org.jspecify.annotations.Nullable;

/**
 * One spymemcached client, which has one connection and one I/O thread; thread-safe. Spymemcached tries to reopen a
 * lost connection after 2 seconds, and later at intervals of up to 30 seconds. Meanwhile, commands fail at once.
 */
public final class SpymemcachedConnection implements AutoCloseable {

    private static final String LOGGER_PROPERTY = "net.spy.log.LoggerImpl";
    private static final long CLOSE_MILLIS = 2_000;

    /** Reconnect count of a node before its first reconnect. A successful connect resets the count to 0. */
    private static final int FIRST_ATTEMPT = 1;

    static {
        // The default logger writes to System.err; the one for java.util.logging creates a stack trace in each loop.
        if (System.getProperty(LOGGER_PROPERTY) == null) {
            System.setProperty(LOGGER_PROPERTY, "net.spy.memcached.compat.log.SLF4JLogger");
        }
    }

    private final MemshardOptions options;
    private final int index;
    private final Completions completions;
    private final OneNodeConnectionFactory factory;
    private final OperationFactory operations;
    private final MemcachedClient spy;
    private final SpymemcachedClient<EncodedValue> client;

    private SpymemcachedConnection(MemshardOptions options, int index) throws IOException {
        this.options = options;
        this.index = index;
        this.completions = new Completions(index);
        this.factory = new OneNodeConnectionFactory(options, completions.executor());
        this.operations = factory.getOperationFactory();
        this.spy = new MemcachedClient(factory, List.of(resolve()));
        this.client = SpymemcachedClient.of(this, Transcoder.asStored(), options.requestTimeout);
    }

    public static SpymemcachedConnection open(MemshardOptions options, int index) {
        SpymemcachedConnection connection;
        try {
            connection = new SpymemcachedConnection(options, index);
        } catch (IOException e) {
            throw new MemcachedConnectionException(
                    "cannot connect: " + e,
                    new CommandContext(options.server().toString(), index, null, null, Phase.QUEUED),
                    e);
        }
        try {
            connection.awaitEstablished();
            connection.version(options.requestTimeout);
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    public SpymemcachedClient<EncodedValue> client() {
        return client;
    }

    public @Nullable EncodedValue get(String key) {
        KeyRule.checkLength(key);
        return client.sendGet(key).await();
    }

    public <V> void set(String key, V value, Duration ttl, Transcoder<V> transcoder) {
        KeyRule.checkLength(key);
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        SpymemcachedClient<V> typed = client.withTranscoder(transcoder);
        try {
            if (!typed.sendSet(key, typed.encode(value), exptime).await()) {
                throw typed.notStored(key);
            }
        } catch (MemcachedValueTooLargeException e) {
            await(typed.deletedAfter(Map.of(key, e)));
            throw e;
        }
    }

    public String version(Duration timeout) {
        return client.withTimeout(timeout).sendVersion().await();
    }

    public static <T> T await(CompletableFuture<T> call) {
        try {
            return call.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException("interrupted while waiting for the reply", null, e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : Futures.cause(e.getCause());
            throw cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
        }
    }

    private InetSocketAddress resolve() throws UnknownHostException {
        InetSocketAddress address =
                new InetSocketAddress(options.server().host(), options.server().port());
        if (address.isUnresolved()) {
            throw new UnknownHostException(options.server().host());
        }
        return address;
    }

    private void awaitEstablished() {
        long deadline = System.nanoTime() + options.connectTimeout.toNanos();
        while (!isReady()) {
            if (factory.node().getReconnectCount() > FIRST_ATTEMPT || System.nanoTime() - deadline > 0) {
                IOException cause = reasonNotToConnect();
                throw new MemcachedConnectionException(
                        "cannot connect within "
                                + options.connectTimeout.toMillis() + " ms"
                                + (cause == null ? "" : ": " + cause.getMessage()),
                        context(null, null, Phase.QUEUED),
                        cause);
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MemcachedInterruptedException(
                        "interrupted while connecting", context(null, null, Phase.QUEUED), e);
            }
        }
    }

    /** Returns why connecting fails. Connects without spymemcached, because spymemcached only logs the cause. */
    private @Nullable IOException reasonNotToConnect() {
        try (Socket socket = new Socket()) {
            socket.connect(resolve(), (int) Math.min(1_000, options.connectTimeout.toMillis() + 1));
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** Sends an operation for which spymemcached's client has no method. The result is the text of the status. */
    OperationFuture<String> send(String key, Function<OperationCallback, Operation> operation) {
        CountDownLatch latch = new CountDownLatch(1);
        OperationFuture<String> future =
                new OperationFuture<>(key, latch, factory.getOperationTimeout(), spy.getExecutorService());
        Operation sent = operation.apply(new OperationCallback() {
            @Override
            public void receivedStatus(OperationStatus status) {
                future.set(status.getMessage(), status);
            }

            @Override
            public void complete() {
                latch.countDown();
                future.signalComplete();
            }
        });
        future.setOperation(sent);
        spy.getConnection().enqueueOperation(key, sent);
        return future;
    }

    OperationFactory operations() {
        return operations;
    }

    Completions completions() {
        return completions;
    }

    MemcachedClient spy() {
        return spy;
    }

    int maxValueBytes() {
        return options.maxValueBytes;
    }

    public boolean isReady() {
        return factory.node().isActive() && !spy.getConnection().isShutDown();
    }

    public int inFlight() {
        return factory.inFlight();
    }

    CommandContext context(@Nullable String verb, @Nullable String key, Phase phase) {
        return new CommandContext(options.server().toString(), index, verb, key, phase, null, hidesKeys());
    }

    boolean hidesKeys() {
        return options.hideKeys;
    }

    @Override
    public void close() {
        spy.shutdown();
        try {
            spy.getConnection().join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        factory.cancelAll();
        completions.close();
    }
}
