// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.TimeToLive;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ClientCommandsTest {

    private static final long NOW = 1_700_000_000;

    private final ClientCommands<String> commands = new ClientCommands<>(
            new ValueCoder<>(
                    Transcoder.utf8(), 10, Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC), false, false),
            KeyRule.NONE);

    private static String request(Command<?> command) {
        RequestBuffer out = new RequestBuffer();
        command.encode(out, 1);
        return new String(out.drain(), UTF_8);
    }

    private String setRequest(Duration ttl) {
        return request(commands.set("k", "v", ttl));
    }

    @Test
    void neverIsNoFlagOfAStoreAndZeroOfATouch() {
        assertThat(setRequest(TimeToLive.NEVER)).isEqualTo("ms k 1 O1\r\nv\r\n");
        assertThat(request(commands.touch("k", TimeToLive.NEVER))).isEqualTo("mg k T0 O1\r\n");
        assertThat(request(commands.getAndTouch("k", TimeToLive.NEVER))).isEqualTo("mg k v f T0 O1\r\n");
    }

    @Test
    void casUniqueZeroIsRefusedForItWouldMatchEveryItem() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commands.cas("k", "v", 0, TimeToLive.NEVER))
                .withMessageContaining("casUnique is 0")
                .withMessageContaining("memcached -C");
        assertThat(request(commands.cas("k", "v", -1, TimeToLive.NEVER)))
                .isEqualTo("ms k 1 C18446744073709551615 O1\r\nv\r\n");
    }
}
