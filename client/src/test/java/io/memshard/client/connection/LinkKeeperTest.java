// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkKeeperTest {

    private static final ServerAddress SERVER = new ServerAddress("a", 1);
    private static final LinkContext CONTEXT = new LinkContext(SERVER, 0, new ConnectionOptions(), Protocol.META);
    private static final LinkOpener OPENER = (address, context, timeoutNanos, listener) -> {
        throw new AssertionError("no attempt is needed");
    };

    /** Number of futures that wait to be completed, each time that it is read. */
    private final Deque<Integer> backlogs = new ArrayDeque<>();

    private final class Keeper extends LinkKeeper {

        Keeper(ConnectionGroup group) {
            super(CONTEXT, OPENER, group, new PerServer(CONTEXT, OPENER, group.threads, PerServer.Environment.SYSTEM));
        }

        @Override
        int backlog() {
            return backlogs.remove();
        }

        @Override
        public ServerAddress server() {
            return SERVER;
        }

        @Override
        public int index() {
            return 0;
        }

        @Override
        public boolean isReady() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ConnectionState state() {
            return state.name();
        }
    }

    /** Between two looks at the links, the last command may end and another may be sent. */
    @Test
    void aConnectionRefusesCommandsBeforeItClosesAsDrained() {
        try (ConnectionGroup group = new ConnectionGroup(new ConnectionOptions(), 1)) {
            Keeper keeper = new Keeper(group);
            keeper.retire(Duration.ofHours(1));
            for (List<Integer> looks : List.of(List.of(1), List.of(0, 1), List.of(0, 0))) {
                assertThat(keeper.state()).isEqualTo(ConnectionState.NEW);
                backlogs.addAll(looks);
                keeper.tick(System.nanoTime());
                assertThat(backlogs).isEmpty();
            }
            assertThat(keeper.state()).isEqualTo(ConnectionState.CLOSED);
        }
    }
}
