// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadOptionsTest {

    private final LoadOptions options = LoadOptions.DEFAULTS;

    @Test
    void timesThatCannotBeKeptAreRefusedByTheirNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withClaimTtl(Duration.ZERO))
                .withMessage("claimTtl is PT0S, but must be more than zero");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withRecacheBelow(Duration.ofSeconds(-1)))
                .withMessage("recacheBelow is PT-1S, but must be zero or positive");
        for (Duration wait : new Duration[] {
            Duration.ofNanos(-1), Duration.ofDays(24).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> options.withMaxWait(wait))
                    .withMessage("maxWait is " + wait + ", but must be at least zero (no wait) and at most PT576H");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> options.withMaxLoad(wait))
                    .withMessage("maxLoad is " + wait + ", but must be at least zero (no renewal) and at most PT576H");
        }
        assertThat(options.withMaxWait(Duration.ofDays(24)).maxWait()).isEqualTo(Duration.ofDays(24));
        assertThat(options.withRecacheBelow(null)).isEqualTo(options);
    }
}
