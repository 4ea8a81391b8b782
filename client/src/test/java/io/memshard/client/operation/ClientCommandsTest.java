// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        "PT1S, ' T1'",
        "PT0.000000001S, ' T1'",
        "PT1.5S, ' T2'",
        "PT24H, ' T86400'",
        "P30D, ' T2592000'",
        "PT720H0.1S, ' T1702592001'",
        "P40D, ' T1703456000'",
        "P365D, ' T1731536000'",
        "P3650D, ' T2015360000'",
        "P36500D, ' T2147483647'",
        "PT2147483647S, ' T2147483647'",
        "PT9223372036854775806S, ' T2147483647'",
    })
    void timeToLiveIsInSecondsUpTo30DaysAndAUnixTimeUpTo2038(Duration ttl, String flag) {
        assertThat(setRequest(ttl)).isEqualTo("ms k 1" + flag + " O1\r\nv\r\n");
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

    @Test
    void badKeysAreRefusedByEveryCommand() {
        String bad = "a b";
        Duration ttl = TimeToLive.NEVER;
        Stream.<Runnable>of(
                        () -> commands.get(bad),
                        () -> commands.gets(bad),
                        () -> commands.getAndTouch(bad, ttl),
                        () -> commands.set(bad, "v", ttl),
                        () -> commands.add(bad, "v", ttl),
                        () -> commands.replace(bad, "v", ttl),
                        () -> commands.append(bad, "v"),
                        () -> commands.prepend(bad, "v"),
                        () -> commands.cas(bad, "v", 1, ttl),
                        () -> commands.delete(bad),
                        () -> commands.incr(bad, 1),
                        () -> commands.incr(bad, 1, 1, ttl),
                        () -> commands.decr(bad, 1),
                        () -> commands.decr(bad, 1, 1, ttl),
                        () -> commands.touch(bad, ttl))
                .forEach(call -> assertThat(catchThrowable(call::run))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("position 1 of 3"));
    }
}
