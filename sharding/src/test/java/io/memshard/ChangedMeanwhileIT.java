// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A value that another process deletes while this one loads it, after the read before the load has failed. */
@MemcachedTest
@Timeout(300)
class ChangedMeanwhileIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final MemcachedServer server;

    ChangedMeanwhileIT(MemcachedServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @EnumSource
    void whatWasLoadedAfterAFailedReadIsNotStored(LoadForm form) throws IOException {
        try (FaultProxy proxy = new FaultProxy(server.address());
                Memshard slow = Memshard.builder()
                        .servers(proxy.address())
                        .requestTimeout(Duration.ofMillis(200)) // Its one call is to end so.
                        .connectTimeout(LONG)
                        .build();
                Memshard direct = Fleet.patient().servers(server.address()).build()) {
            MemcachedClient<String> other = direct.client(Transcoder.utf8());
            slow.client().withTimeout(LONG).get(LoadForm.KEY);
            slow.asyncClient().withTimeout(LONG).get(LoadForm.KEY).join();
            proxy.stall(true);

            String loaded =
                    form.load(slow, Transcoder.utf8(), FailurePolicy.TREAT_AS_MISS, LoadOptions.DEFAULTS, () -> {
                        proxy.heal();
                        eventually("the late read", () -> other.meta().get(GetRequest.of(LoadForm.KEY)) != null);
                        assertThat(other.delete(LoadForm.KEY)).isTrue();
                        return "old";
                    });

            assertThat(loaded).isEqualTo("old");
            assertThat(other.get(LoadForm.KEY)).isNull();
        }
    }
}
