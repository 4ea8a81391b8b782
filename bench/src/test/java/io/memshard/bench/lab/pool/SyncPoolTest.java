// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.variant.ArmDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class SyncPoolTest {

    private static final int THREADS = 16;
    private static final int CYCLES = 2000;

    private static Stream<String> arms() {
        return new SyncPool().armNames().stream();
    }

    /** A buffer that is given out while it is in use fails the cycle of its second user. */
    @ParameterizedTest
    @MethodSource("arms")
    void everyPoolGivesABufferToOneCallerAtATime(String name) throws Exception {
        assertThat(ArmDriver.drive("sync-pool", name, "threads=" + THREADS, CYCLES))
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry(ArmDriver.FAILED, 0.0);
    }

    @Test
    void whatIsPutIsGotAgain() throws Exception {
        for (Pool<Buffer> buffers :
                List.of(Buffers.ofThread(), Buffers.locked(1, 4), StripedBuffers.padded(), StripedBuffers.unpadded())) {
            Buffer first = buffers.borrow();
            buffers.giveBack(first);

            assertThat(buffers.borrow()).as(buffers.toString()).isSameAs(first);
            assertThat(buffers.borrow()).as(buffers.toString()).isNotSameAs(first);
            buffers.close();
        }
    }

    @Test
    void anIdleBufferGoesWithTheSecondGeneration() {
        StripedBuffers buffers = StripedBuffers.padded();
        Buffer first = buffers.borrow();
        buffers.giveBack(first);

        buffers.age();
        assertThat(buffers.borrow()).isSameAs(first);

        buffers.giveBack(first);
        buffers.age();
        buffers.age();
        assertThat(buffers.borrow()).isNotSameAs(first);
    }

    @Test
    void aStripeDropsWhatItHasNoSlotFor() {
        StripedBuffers buffers = StripedBuffers.padded();
        List<Buffer> many = new ArrayList<>();
        for (int i = 0; i < StripedBuffers.SLOTS + 1; i++) {
            many.add(new Buffer());
        }
        many.forEach(buffers::giveBack);

        List<Buffer> found = new ArrayList<>();
        for (int i = 0; i < many.size(); i++) {
            found.add(buffers.borrow());
        }
        assertThat(many.stream().filter(found::contains)).hasSize(StripedBuffers.SLOTS);
    }

    @Test
    void everyCounterOfFalseSharingCounts() throws Exception {
        for (String arm : new FalseSharing().armNames()) {
            assertThat(ArmDriver.drive("false-sharing", arm, "threads=3", 10)).containsEntry(ArmDriver.DONE, 30.0);
        }
    }
}
