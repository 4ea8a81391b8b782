// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.argument.Exptime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeToLiveTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private static Duration until(Instant expiry) {
        return TimeToLive.until(expiry, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @ParameterizedTest
    @CsvSource({"PT1S, PT1S", "PT1.999S, PT1S", "PT240H, PT240H", "P40D, P40D"})
    void noItemOutlivesItsInstant(Duration left, Duration ttl) {
        assertThat(until(NOW.plus(left))).isEqualTo(ttl);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.999S", "PT0S", "PT-0.001S", "PT-1000000H"})
    void instantLessThanASecondAheadCountsAsExpired(Duration left) {
        assertThat(until(NOW.plus(left))).isEqualTo(Exptime.OVER).isNegative();
        assertThat(until(Instant.MIN)).isEqualTo(Exptime.OVER);
    }
}
