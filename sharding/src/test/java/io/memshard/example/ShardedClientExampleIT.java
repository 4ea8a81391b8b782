// SPDX-License-Identifier: Apache-2.0
package io.memshard.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@MemcachedTest
@Timeout(30)
class ShardedClientExampleIT {

    @Test
    void exampleDoesWhatItSaysAndLeavesNoThread(MemcachedServer server) {
        LeakCheck leaks = LeakCheck.start();

        assertThat(ShardedClientExample.run(server.host() + ":" + server.port()))
                .hasSize(1)
                .containsEntry("example:greeting", "hello, world");
        leaks.assertNothingLeft();
    }
}
