// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.Connection;
import io.memshard.client.options.ServerAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class SocketArrayTest {

    /** Sockets that are open already. */
    private record Open(List<FakeConnection> each) implements SocketArray.Source {

        @Override
        public Connection known(int index) {
            return each.get(index);
        }

        @Override
        public Connection socket(int index) {
            return each.get(index);
        }

        @Override
        public int open() {
            return each.size();
        }

        @Override
        public void giveUpFrom(int index) {}
    }

    private static SocketArray array(boolean areCalled, int least, int most) {
        Open sockets = new Open(List.of(new FakeConnection(0), new FakeConnection(1), new FakeConnection(2)));
        SocketArray array = new SocketArray(new ServerAddress("a", 1), areCalled, sockets, least, most);
        array.tick(System.nanoTime(), true);
        return array;
    }

    @Test
    void callersMoveOnlyWhereMoreThanTwoSocketsMayPay() {
        assertThat(array(true, 1, 3).sockets().mayMove()).isTrue();
        assertThat(array(true, 1, 2).sockets().mayMove()).isFalse();
    }

    @Test
    void callersOfAFixedNumberOfSocketsAndAsynchronousOnesDoNotMove() {
        assertThat(array(true, 3, 3).sockets().mayMove()).isFalse();
        assertThat(array(false, 1, 3).sockets().mayMove()).isFalse();
    }
}
