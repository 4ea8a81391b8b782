// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.variant.ArmDriver;
import io.memshard.bench.lab.variant.IsolatedArm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class SyncPoolTest {

    private static final int THREADS = 16;
    private static final int CYCLES = 2000;

    private static Stream<Arguments> armsKeepingAndHandingOver() {
        return new SyncPool()
                .armNames().stream().flatMap(name -> Stream.of(Arguments.of(name, "no"), Arguments.of(name, "yes")));
    }

    /** A buffer that is given out while it is in use fails the cycle of its second user. */
    @ParameterizedTest
    @MethodSource("armsKeepingAndHandingOver")
    void everyPoolGivesABufferToOneCallerAtATime(String name, String handover) throws Exception {
        Arm arm = new SyncPool().arm(name);

        Map<String, Double> figures =
                IsolatedArm.run("sync-pool", arm, "threads=" + THREADS + ",handover=" + handover, CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry(ArmDriver.FAILED, 0.0);
    }

    @Test
    void aBufferThatTwoHaveIsFound() {
        Buffer buffer = new Buffer(64);
        buffer.use(0, false);

        assertThatIllegalStateException()
                .isThrownBy(() -> buffer.use(1, false))
                .withMessage("a buffer was given to two callers");
    }

    @Test
    void aClearedBufferIsLikeANewOne() {
        Buffer buffer = new Buffer(64);
        buffer.use(1, false);
        buffer.free();

        assertThat(buffer.use(62, true)).isZero();
    }

    @Test
    void whatIsPutIsGotAgain() throws Exception {
        for (Pool<Buffer> buffers : List.of(
                new Buffers.OfThread(64),
                new Buffers.Locked(64, 1, 4),
                StripedBuffers.padded(64),
                StripedBuffers.unpadded(64))) {
            Buffer first = buffers.borrow();
            buffers.giveBack(first);

            assertThat(buffers.borrow()).as(buffers.toString()).isSameAs(first);
            assertThat(buffers.borrow()).as(buffers.toString()).isNotSameAs(first);
            buffers.close();
        }
    }

    @Test
    void anIdleBufferGoesWithTheSecondGeneration() {
        StripedBuffers buffers = StripedBuffers.padded(64);
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
        StripedBuffers buffers = StripedBuffers.padded(64);
        List<Buffer> many = new ArrayList<>();
        for (int i = 0; i < StripedBuffers.SLOTS + 1; i++) {
            many.add(new Buffer(64));
        }
        many.forEach(buffers::giveBack);

        List<Buffer> found = new ArrayList<>();
        for (int i = 0; i < many.size(); i++) {
            found.add(buffers.borrow());
        }
        assertThat(many.stream().filter(found::contains)).hasSize(StripedBuffers.SLOTS);
    }

    @Test
    void aSizeIsAPowerOfTwo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReuseArm(
                        (size, callers) -> Buffers.fresh(size),
                        Condition.ofThreads(1).with(ReuseArm.SIZE, 100)))
                .withMessage("the size of a buffer must be a power of two, not 100");
    }

    @Test
    void everyCounterOfFalseSharingCounts() throws Exception {
        for (Arm arm : new FalseSharing().arms()) {
            assertThat(IsolatedArm.run("false-sharing", arm, "threads=3", 10)).containsEntry(ArmDriver.DONE, 30.0);
        }
    }
}
