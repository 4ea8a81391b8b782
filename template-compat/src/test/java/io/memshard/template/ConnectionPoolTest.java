// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.admin.ServerHealth;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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
    void everyClientHasAnsweredBeforeThePoolIsUsed() {
        try (ConnectionPool pool = pool(20)) {
            assertThat(made).hasSize(20).allMatch(client -> client.answers == 1);
            assertThat(pool.open()).isEqualTo(20);
        }
        assertThat(made).allMatch(client -> client.closed);
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
    void aClientThatCannotBeOpenedFailsItsBorrowerOnly() {
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
    void aClientOpenedWhileThePoolClosesIsClosed() {
        AtomicReference<ConnectionPool> closing = new AtomicReference<>();
        ConnectionPool pool = new ConnectionPool(
                () -> {
                    FakeClient client = open();
                    if (closing.get() != null) {
                        closing.get().close();
                    }
                    return client;
                },
                1,
                WAIT);
        FakeClient broken = (FakeClient) pool.borrow();
        broken.ready = false;
        serverIsUp = false;
        pool.giveBack(broken);
        serverIsUp = true;
        closing.set(pool);
        made.clear();
        assertThatThrownBy(pool::borrow).isInstanceOf(MemcachedConnectionException.class);
        assertThat(made).hasSize(1).allMatch(client -> client.closed);
        assertThat(pool.open()).isZero();
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
        public EncodedValue get(int index, String key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <V> void set(int index, String key, V value, Duration ttl, Transcoder<V> transcoder) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void checkAnswers() {
            if (!ready || closed) {
                throw new MemcachedConnectionException("down", null, null);
            }
            answers++;
        }

        @Override
        public List<ServerHealth> health(int index, Duration timeout) {
            throw new AssertionError("the pool asks by version");
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
