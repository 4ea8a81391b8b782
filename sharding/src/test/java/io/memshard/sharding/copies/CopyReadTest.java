// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.MetaMultiGet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An error that a server answers to a read of many keys is a failure, not a miss. */
class CopyReadTest {

    private final FakeFleet fleet = new FakeFleet("fleet");

    private FoundItems<byte[]> read(List<String> keys) {
        MetaMultiGet<byte[]> command = new MetaMultiGet<>(keys, (data, flags, casUnique) -> data);
        return CopyRead.of(command)
                .send(fleet, keys)
                .end(Deadline.in(Duration.ofMinutes(1).toNanos()))
                .join();
    }

    @Test
    void errorForOneOfFewKeysIsItsFailure() {
        fleet.answer("multiGet", "SERVER_ERROR out of memory\r\nEN\r\nCLIENT_ERROR x\r\n");
        FoundItems<byte[]> found = read(List.of("a", "b", "c"));

        assertThat(found.failures()).containsOnlyKeys("a", "c");
        assertThat(found.failures().get("a"))
                .isInstanceOf(MemcachedServerException.class)
                .hasMessageContaining("out of memory");
        assertThat(found.errors()).isEmpty();
    }
}
