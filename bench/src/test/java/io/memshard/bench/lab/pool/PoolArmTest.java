// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolArmTest {

    @Test
    void aReturnedBufferIsBorrowedAgain() throws Exception {
        for (Pool<Buffer> buffers : List.of(
                Buffers.ofThread(),
                Buffers.locked(1, 4),
                new StripedBuffers(StripedBuffers.PADDED_STRIDE).pool(),
                new StripedBuffers(StripedBuffers.SLOTS).pool())) {
            Buffer first = buffers.borrow();
            buffers.giveBack(first);

            assertThat(buffers.borrow()).as(buffers.toString()).isSameAs(first);
            assertThat(buffers.borrow()).as(buffers.toString()).isNotSameAs(first);
            buffers.close();
        }
    }

    @Test
    void anIdleBufferGoesWithTheSecondGeneration() {
        StripedBuffers buffers = new StripedBuffers(StripedBuffers.PADDED_STRIDE);
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
    void aFullStripeDropsFurtherBuffers() {
        StripedBuffers buffers = new StripedBuffers(StripedBuffers.PADDED_STRIDE);
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
    void aUseThatNoItemCountedIsFound() throws Exception {
        Pool<Item> others = new Pool<>(Item::new, item -> {}, () -> {});
        try (OpenedArm arm = Item.arm(others, List.of(), Condition.ofThreads(1))) {
            arm.cycle(0).run(0);

            assertThat(arm.figures()).containsEntry("lost_uses", 1.0);
        }
    }
}
