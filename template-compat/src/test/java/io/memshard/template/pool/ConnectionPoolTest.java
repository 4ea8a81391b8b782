package io.memshard.template.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.EncodedValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.template.engine.EngineConnections;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {

    private static final Duration WAIT = Duration.ofMillis(20);

    private final List<FakeClient> made = new ArrayList<>();
    private boolean serverIsUp = true;

    private ConnectionPool pool(int size) {
        return new ConnectionPool(this::open, size, WAIT);
    }

    private FakeClient open() {
        FakeClient client = new FakeClient(serverIsUp);
        made.add(client);
        return client;
    }

    @Test
    void everyClientHasAnsweredBeforeThePoolIsHandedOut() {
        try (ConnectionPool pool = pool(20)) {
            assertThat(made).hasSize(20).allMatch(client -> client.answers == 1);
            assertThat(pool.open()).isEqualTo(20);
        }
        assertThat(made).allMatch(client -> client.closed);
    }

    @Test
    void noClientIsMadeAnewHoweverManyAreIdle() {
        try (ConnectionPool pool = pool(20)) {
            for (int round = 0; round < 3; round++) {
                List<EngineConnections> all = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    all.add(pool.borrow());
                }
                all.forEach(pool::giveBack);
            }
            assertThat(made).hasSize(20);
        }
    }

    @Test
    void theClientReturnedLastIsLentFirst() {
        try (ConnectionPool pool = pool(3)) {
            EngineConnections client = pool.borrow();
            pool.giveBack(client);
            assertThat(pool.borrow()).isSameAs(client);
        }
    }

    @Test
    void anExhaustedPoolIsAnOverloadThatNamesTheLimits() {
        try (ConnectionPool pool = pool(1)) {
            pool.borrow();
            assertThatThrownBy(pool::borrow)
                    .isInstanceOf(MemcachedOverloadException.class)
                    .hasMessageContaining("all 1 connections")
                    .hasMessageContaining("20 ms");
        }
    }

    @Test
    void aBrokenClientIsClosedAndReplaced() {
        try (ConnectionPool pool = pool(1)) {
            FakeClient broken = (FakeClient) pool.borrow();
            broken.ready = false;
            pool.giveBack(broken);
            assertThat(broken.closed).isTrue();
            assertThat(pool.borrow()).isNotSameAs(broken);
            assertThat(pool.open()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatCannotBeOpenedFailsTheBorrowerAndLeavesItsPlaceFree() {
        try (ConnectionPool pool = pool(1)) {
            FakeClient broken = (FakeClient) pool.borrow();
            broken.ready = false;
            serverIsUp = false;
            pool.giveBack(broken);
            assertThatThrownBy(pool::borrow).isInstanceOf(MemcachedConnectionException.class);
            assertThat(pool.open()).isZero();
            serverIsUp = true;
            assertThat(pool.borrow().isReady(0)).isTrue();
        }
    }

    @Test
    void aPoolThatCannotBeFilledLeavesNothingOpen() {
        serverIsUp = false;
        assertThatThrownBy(() -> pool(3)).isInstanceOf(MemcachedConnectionException.class);
        assertThat(made).isNotEmpty().allMatch(client -> client.closed);
    }

    @Test
    void anInterruptedBorrowerKeepsItsFlag() {
        try (ConnectionPool pool = pool(1)) {
            pool.borrow();
            Thread.currentThread().interrupt();
            assertThatThrownBy(pool::borrow).isInstanceOf(MemcachedInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void closingClosesBorrowedClientsAsWell() {
        ConnectionPool pool = pool(2);
        EngineConnections borrowed = pool.borrow();
        pool.close();
        pool.close();
        assertThat(made).allMatch(client -> client.closed);
        pool.giveBack(borrowed);
        assertThatThrownBy(pool::borrow)
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining("closed");
    }

    /** A client that answers nothing but {@code version}. */
    private static final class FakeClient implements EngineConnections {

        private boolean ready;
        private boolean closed;
        private int answers;

        FakeClient(boolean ready) {
            this.ready = ready;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        @SuppressWarnings("unchecked")
        public MemcachedClient<EncodedValue> connection(int index) {
            return (MemcachedClient<EncodedValue>) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {MemcachedClient.class}, (proxy, method, args) -> {
                        assertThat(method.getName()).isEqualTo("version");
                        if (!ready) {
                            throw new MemcachedConnectionException("down", null, null);
                        }
                        answers++;
                        return "1.6.18";
                    });
        }

        @Override
        public int choose() {
            return 0;
        }

        @Override
        public boolean isReady(int index) {
            return ready;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
