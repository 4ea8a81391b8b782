package io.memshard.client;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.client.connection.Protocol;
import io.memshard.client.connection.Transport;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.TwemproxyProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of the operations in the classic text protocol, also through twemproxy. */
@MemcachedTest
class ClassicOperationsIT {

    private static final String NO_PROXY = "no nutcracker on the PATH: install the package nutcracker";

    private static EmbeddedMemcached embedded;
    private static MemcachedServer behindProxy;
    private static @Nullable TwemproxyProcess proxy;

    @BeforeAll
    static void start(MemcachedServer server) {
        behindProxy = server;
        embedded = EmbeddedMemcached.start();
        if (TwemproxyProcess.findOnPath().isPresent()) {
            proxy = TwemproxyProcess.start(server);
        } else {
            System.out.println("twemproxy skipped: " + NO_PROXY);
        }
    }

    @AfterAll
    static void close() {
        TwemproxyProcess started = proxy;
        if (started != null) {
            started.close();
        }
        embedded.close();
    }

    private static MemcachedServer proxy() {
        TwemproxyProcess started = proxy;
        assumeTrue(started != null, NO_PROXY);
        return started;
    }

    @Nested
    class BlockingDrivenByCallers extends ClientOperationsIT.Blocking {

        BlockingDrivenByCallers(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }

        @Override
        Protocol protocol() {
            return Protocol.CLASSIC;
        }
    }

    @Nested
    class BlockingDrivenByCallersOnEmbedded extends ClientOperationsIT.Blocking {

        BlockingDrivenByCallersOnEmbedded() {
            super(embedded);
        }

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }

        @Override
        Protocol protocol() {
            return Protocol.CLASSIC;
        }
    }

    @Nested
    class BlockingDrivenByCallersThroughTwemproxy extends ClientOperationsIT.Blocking {

        BlockingDrivenByCallersThroughTwemproxy() {
            super(proxy());
        }

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }

        @Override
        Protocol protocol() {
            return Protocol.CLASSIC;
        }

        @Override
        MemcachedServer itemsAt() {
            return behindProxy;
        }
    }

    @Nested
    class AsynchronousOverTheEventLoop extends ClientOperationsIT.Asynchronous {

        AsynchronousOverTheEventLoop(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }

        @Override
        Protocol protocol() {
            return Protocol.CLASSIC;
        }
    }

    @Nested
    class AsynchronousOverTheEventLoopOnEmbedded extends ClientOperationsIT.Asynchronous {

        AsynchronousOverTheEventLoopOnEmbedded() {
            super(embedded);
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }

        @Override
        Protocol protocol() {
            return Protocol.CLASSIC;
        }
    }

    @Nested
    class AsynchronousOverTheEventLoopThroughTwemproxy extends ClientOperationsIT.Asynchronous {

        AsynchronousOverTheEventLoopThroughTwemproxy() {
            super(proxy());
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }

        @Override
        Protocol protocol() {
            return Protocol.CLASSIC;
        }

        @Override
        MemcachedServer itemsAt() {
            return behindProxy;
        }
    }
}
