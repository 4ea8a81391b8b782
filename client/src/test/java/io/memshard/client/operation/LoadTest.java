// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.TimeToLive;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static String request(Duration ttl, LoadOptions options) {
        ValueCoder<String> coder = new ValueCoder<>(Transcoder.utf8(), 1, Clock.systemUTC(), false, false);
        RequestBuffer out = new RequestBuffer();
        new Load.Plan<>(null, new MetaCommands<>(coder, KeyRule.NONE), v -> ttl, Load.Plan.recachingEarly(ttl, options))
                .read("k")
                .encode(out, 7);
        return new String(out.drain(), US_ASCII);
    }

    @Test
    void valueIsRecachedInItsLastTenthUnlessTheOptionsSayOtherwise() {
        LoadOptions options = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(3));
        String claim = "mg k N3 v f c O7\r\n";
        assertThat(request(MINUTE, options)).isEqualTo("mg k R6 N3 v f c O7\r\n");
        assertThat(request(Duration.ofSeconds(9), options)).isEqualTo(claim);
        assertThat(request(TimeToLive.NEVER, options)).isEqualTo(claim);
        assertThat(request(MINUTE, options.withRecacheBelow(Duration.ZERO))).isEqualTo(claim);
        assertThat(request(MINUTE, options.withRecacheBelow(Duration.ofSeconds(2))))
                .isEqualTo("mg k R2 N3 v f c O7\r\n");
    }
}
