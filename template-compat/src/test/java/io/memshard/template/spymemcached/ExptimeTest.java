package io.memshard.template.spymemcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ExptimeTest {

    @Test
    void zeroIsNeverAndPartsOfASecondCountAsOne() {
        assertThat(Exptime.of(Duration.ZERO)).isZero();
        assertThat(Exptime.of(Duration.ofNanos(1))).isEqualTo(1);
        assertThat(Exptime.of(Duration.ofMillis(1_001))).isEqualTo(2);
        assertThat(Exptime.of(Duration.ofDays(30))).isEqualTo(2_592_000);
    }

    @Test
    void aboveThirtyDaysItIsAUnixTime() {
        long now = Instant.now().getEpochSecond();
        assertThat((long) Exptime.of(Duration.ofDays(31))).isBetween(now + 2_678_400, now + 2_678_410);
    }

    @Test
    void whatTheServersClockCannotHoldIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Exptime.of(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> Exptime.of(Duration.ofDays(30_000)));
        assertThatIllegalArgumentException().isThrownBy(() -> Exptime.of(Duration.ofSeconds(Long.MAX_VALUE)));
    }
}
