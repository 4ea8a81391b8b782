// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientsTest {

    /** A server that is known to be down. */
    private record Down() implements TimerlessSender {

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            return Reply.Known.failed(new MemcachedConnectionException(
                    "down", new CommandContext("server:1", 0, "version", null, Phase.QUEUED), null));
        }
    }

    @Test
    void interruptedCallerGetsHealthThatIsKnown() {
        Map<ServerAddress, CommandSender> servers =
                Map.of(new ServerAddress("a", 1), new Down(), new ServerAddress("b", 1), new Down());
        Thread.currentThread().interrupt();
        try {
            assertThat(Clients.health(servers, Duration.ofSeconds(1)))
                    .hasSize(2)
                    .noneMatch(health -> health.isUp());
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
