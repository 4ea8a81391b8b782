// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class LargeBuffersTest {

    @Test
    void noMoreBuffersAreMadeThanAllowed() {
        LargeBuffers buffers = new LargeBuffers(2);
        ByteBuffer first = buffers.take();
        ByteBuffer second = buffers.take();
        assertThat(first).isNotNull().isNotSameAs(second);
        assertThat(second).isNotNull();
        assertThat(buffers.take()).isNull();

        buffers.give(second);
        assertThat(buffers.take()).isSameAs(second);
        assertThat(buffers.take()).isNull();
    }
}
