package io.memshard.client;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.Transport;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of the operations: blocking and asynchronous, over each transport and kind of server. */
class ClientOperationsIT {

    private static EmbeddedMemcached embedded;

    @BeforeAll
    static void startEmbedded() {
        embedded = EmbeddedMemcached.start();
    }

    @AfterAll
    static void closeEmbedded() {
        embedded.close();
    }

    abstract static class Blocking extends ClientOperationsContract {

        Blocking(MemcachedServer server) {
            super(server);
        }

        @Override
        <V> MemcachedClient<V> client(
                Connection connection, Transcoder<V> transcoder, int maxValueBytes, Duration timeout) {
            return Clients.blocking(connection, transcoder, maxValueBytes, timeout);
        }
    }

    abstract static class Asynchronous extends ClientOperationsContract {

        Asynchronous(MemcachedServer server) {
            super(server);
        }

        @Override
        <V> MemcachedClient<V> client(
                Connection connection, Transcoder<V> transcoder, int maxValueBytes, Duration timeout) {
            return new AsyncAsBlocking<>(Clients.async(connection, transcoder, maxValueBytes, timeout));
        }
    }

    @Nested
    @MemcachedTest
    class BlockingOverTheEventLoop extends Blocking {

        BlockingOverTheEventLoop(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    @MemcachedTest
    class BlockingDrivenByCallers extends Blocking {

        BlockingDrivenByCallers(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    @MemcachedTest
    class BlockingOverEither extends Blocking {

        BlockingOverEither(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.AUTO;
        }
    }

    @Nested
    @MemcachedTest
    class AsynchronousOverTheEventLoop extends Asynchronous {

        AsynchronousOverTheEventLoop(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    @MemcachedTest
    class AsynchronousDrivenByCallers extends Asynchronous {

        AsynchronousDrivenByCallers(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class BlockingOnEmbedded extends Blocking {

        BlockingOnEmbedded() {
            super(embedded);
        }

        @Override
        Transport transport() {
            return Transport.AUTO;
        }
    }

    @Nested
    class AsynchronousOnEmbedded extends Asynchronous {

        AsynchronousOnEmbedded() {
            super(embedded);
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }
}
