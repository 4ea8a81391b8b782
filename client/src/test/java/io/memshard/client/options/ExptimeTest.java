package io.memshard.client.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ExptimeTest {

    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_800_000_000), ZoneOffset.UTC);

    @Test
    void zeroIsNeverAndPartsOfASecondCountAsOne() {
        assertThat(Exptime.of(Duration.ZERO, CLOCK)).isZero();
        assertThat(Exptime.of(Duration.ofNanos(1), CLOCK)).isEqualTo(1);
        assertThat(Exptime.of(Duration.ofMillis(1_001), CLOCK)).isEqualTo(2);
        assertThat(Exptime.of(Duration.ofDays(30), CLOCK)).isEqualTo(2_592_000);
    }

    @Test
    void aboveThirtyDaysItIsAUnixTime() {
        assertThat(Exptime.of(Duration.ofDays(31), CLOCK)).isEqualTo(1_802_678_400);
    }

    @Test
    void whatTheServersClockCannotHoldIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Exptime.of(Duration.ofSeconds(-1), CLOCK));
        assertThatIllegalArgumentException().isThrownBy(() -> Exptime.of(Duration.ofDays(30_000), CLOCK));
        assertThatIllegalArgumentException().isThrownBy(() -> Exptime.of(Duration.ofSeconds(Long.MAX_VALUE), CLOCK));
    }
}
