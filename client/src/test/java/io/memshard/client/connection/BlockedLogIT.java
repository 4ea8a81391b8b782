// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.Eventually;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/** A server is down, and the log or the listener blocks at that. Calls of another, silent server end by their time. */
@EachTransport
@Timeout(120)
class BlockedLogIT extends ConnectionFixture {

    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final CountDownLatch blocks = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);

    BlockedLogIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @AfterEach
    void goOn() {
        goesOn.countDown();
    }

    private void block() {
        blocks.countDown();
        try {
            goesOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void timeoutsPassWith(@Nullable ConnectionListener listener, Logger log) throws Exception {
        ConnectionGroup group = closedAfterwards(
                new ConnectionGroup(options(), 1, listener, new PerServer.Environment(AddressResolver.SYSTEM, log)));
        int closed = closedAfterwards(new ClosedPort()).port();
        connect(group, new ServerAddress("127.0.0.1", closed)).open();
        passes(blocks);

        Connection silent = opened(connect(group, address(scriptedServer().onConnection(c -> greet(c).ignore()))));
        CompletableFuture<String> future = silent.send(get("a")).toFuture(TIMEOUT);
        CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> silent.call(get("b"), TIMEOUT.toNanos()));
        Eventually.eventually("timed out", LONG.dividedBy(3), () -> future.isDone() && call.isDone());
        failure(MemcachedTimeoutException.class, future);
        failure(MemcachedTimeoutException.class, call);
    }

    @Test
    void timeoutsPassWhileTheLogBlocks() throws Exception {
        Logger blocking = (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    if (method.getReturnType() == boolean.class) {
                        return true;
                    }
                    block();
                    return null;
                });
        timeoutsPassWith(null, blocking);
    }

    @Test
    void timeoutsPassWhileAListenerBlocks() throws Exception {
        ConnectionListener blocking = new ConnectionListener() {
            @Override
            public void stateChanged(
                    ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
                block();
            }
        };
        timeoutsPassWith(blocking, NOPLogger.NOP_LOGGER);
    }
}
