// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.TimeToLive;
import io.memshard.client.load.LoadOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadPlanTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static String request(Duration ttl, LoadOptions options) {
        return LoadPlan.<String>of(null, null, ttl, options).request("k").toString();
    }

    @Test
    void valueIsRecachedInItsLastTenthUnlessTheOptionsSayOtherwise() {
        LoadOptions options = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(3));
        String claim = "mg k NPT3S v f c";
        assertThat(request(MINUTE, options)).isEqualTo("mg k RPT6S NPT3S v f c");
        assertThat(request(Duration.ofSeconds(9), options)).isEqualTo(claim);
        assertThat(request(TimeToLive.NEVER, options)).isEqualTo(claim);
        assertThat(request(MINUTE, options.withRecacheBelow(Duration.ZERO))).isEqualTo(claim);
        assertThat(request(MINUTE, options.withRecacheBelow(Duration.ofSeconds(2))))
                .isEqualTo("mg k RPT2S NPT3S v f c");
    }
}
