// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.argument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExptimeTest {

    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_800_000_000), ZoneOffset.UTC);

    @Test
    void neverIsZeroAndPartsOfASecondCountAsOne() {
        assertThat(Exptime.of(Exptime.NEVER, CLOCK)).isZero();
        assertThat(Exptime.of(Duration.ofNanos(1), CLOCK)).isEqualTo(1);
        assertThat(Exptime.of(Duration.ofMillis(1_001), CLOCK)).isEqualTo(2);
        assertThat(Exptime.of(Duration.ofDays(30), CLOCK)).isEqualTo(2_592_000);
    }

    /** A negative exptime would be another number to servers and to binary clients that take it for unsigned. */
    @Test
    void expiredItemsGetAnExptimeOf1970() {
        assertThat(Exptime.of(Exptime.OVER, CLOCK)).isEqualTo(2_592_001);
    }

    @Test
    void otherTimesMayBeZero() {
        assertThat(Exptime.of("delay", Duration.ZERO, CLOCK)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Exptime.of("delay", Duration.ofNanos(-1), CLOCK))
                .withMessage("delay is PT-0.000000001S, but must be zero or positive");
    }

    @Test
    void aboveThirtyDaysItIsAUnixTime() {
        assertThat(Exptime.of(Duration.ofDays(31), CLOCK)).isEqualTo(1_802_678_400);
    }

    /** The server would read the sum as a few days, as for ever, or as over. */
    @ParameterizedTest
    @ValueSource(longs = {-31 * 86_400L, -31 * 86_400L + 5, -86_400L, -100 * 86_400L})
    void aClockBefore1970RefusesLongTimesToLive(long now) {
        Clock wrong = Clock.fixed(Instant.ofEpochSecond(now), ZoneOffset.UTC);
        assertThat(Exptime.of(Duration.ofDays(30), wrong)).isEqualTo(2_592_000);
        assertThatIllegalStateException()
                .isThrownBy(() -> Exptime.of(Duration.ofDays(31), wrong))
                .withMessageContaining("clock");
    }

    @Test
    void timeBeyondTheServersClockEndsOnItsLastDay() {
        for (String day : List.of("2026-11-28", "2028-01-20", "2038-01-18")) {
            Clock clock = Clock.fixed(Instant.parse(day + "T00:00:00Z"), ZoneOffset.UTC);
            assertThat(Exptime.of(Duration.ofDays(100 * 365), clock)).isEqualTo(Integer.MAX_VALUE);
            assertThat(Exptime.of(Duration.ofSeconds(Long.MAX_VALUE), clock)).isEqualTo(Integer.MAX_VALUE);
            assertThat(Exptime.of("delay", Exptime.NEVER, clock)).isEqualTo(Integer.MAX_VALUE);
        }
        Clock in2028 = Clock.fixed(Instant.parse("2028-01-20T00:00:00Z"), ZoneOffset.UTC);
        assertThat(Exptime.of(Duration.ofDays(3_653), in2028)).isEqualTo(Integer.MAX_VALUE);
    }
}
