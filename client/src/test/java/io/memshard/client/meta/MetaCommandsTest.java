// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class MetaCommandsTest {

    private final MetaCommands<String> commands = new MetaCommands<>(
            new ValueCoder<>(
                    Transcoder.utf8(),
                    10,
                    Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC),
                    false,
                    false),
            KeyRule.NONE);

    private static String line(Command<?> command) {
        RequestBuffer out = new RequestBuffer();
        command.encode(out, 1);
        return new String(out.drain(), UTF_8);
    }

    @Test
    void getCarriesUnixTimesAndTheCasUniqueOfTheCaller() {
        GetRequest get = GetRequest.of("k").unlessCas(7).touch(Duration.ofDays(31));
        assertThat(line(commands.get(get.recacheBelow(Duration.ofMillis(1)))))
                .isEqualTo("mg k R1 T1702678400 C7 v f O1\r\n");
    }

    @Test
    void setCarriesClientFlagsAndReturnsTheSize() {
        SetRequest<EncodedValue> set = SetRequest.of("k", new EncodedValue(new byte[0], -1));
        ValueCoder<EncodedValue> coder = new ValueCoder<>(Transcoder.asStored(), 10, Clock.systemUTC(), false, false);
        assertThat(line(new MetaCommands<>(coder, KeyRule.NONE).set(set.returningSize())))
                .isEqualTo("ms k 0 s F4294967295 O1\r\n\r\n");
    }

    @Test
    void impossibleRequestsAreRefusedAtOnce() {
        Duration negative = Duration.ofSeconds(-1);
        SetRequest<String> set = SetRequest.of("k", "v");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GetRequest.of("k").vivify(negative))
                .withMessageContaining("ttl is PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GetRequest.of("k").recacheBelow(Duration.ZERO))
                .withMessageContaining("remaining is zero");
        assertThatIllegalArgumentException().isThrownBy(() -> set.ifCas(0)).withMessageContaining("casUnique is 0");
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> commands.set(SetRequest.of("k", "01234567890")))
                .withMessageContaining("maxValueBytes=10");
    }
}
