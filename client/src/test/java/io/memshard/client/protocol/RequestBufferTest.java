// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.RequestBuffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBufferTest {

    private final RequestBuffer out = new RequestBuffer();

    private String text() {
        return new String(out.drain(), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 100, 1_048_576, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void numbersAreWrittenAsUnsignedDecimals(long number) {
        out.appendUnsigned(number);

        assertThat(text()).isEqualTo(Long.toUnsignedString(number));
    }

    @Test
    void bytesBeyondTheFirstArrayAreKeptInOrder() {
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            out.appendUnsigned(i).append(' ').append(new byte[] {'x', 'y'}).endLine();
            expected.append(i).append(" xy\r\n");
        }

        assertThat(text()).isEqualTo(expected.toString());
    }

    private static byte[] bytes(int count, char content) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) content);
        return bytes;
    }

    /** Drains {@code portion} bytes at a time. */
    private String drained(int portion) {
        StringBuilder drained = new StringBuilder();
        while (out.hasUndrained()) {
            ByteBuffer to = ByteBuffer.allocate(portion);
            out.drainTo(to);
            drained.append(new String(to.array(), 0, to.position(), UTF_8));
        }
        return drained.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4_096, 1 << 20})
    void shortAndLongBlocksAreDrainedInTheirOrder(int portion) {
        String expected =
                "a" + "b".repeat(4_095) + "c" + "d".repeat(4_096) + "e".repeat(9_000) + "f\r\n" + "g".repeat(5_000);
        for (int pass = 0; pass < 2; pass++) {
            out.clear();
            out.append('a')
                    .append(bytes(4_095, 'b'))
                    .append('c')
                    .append(bytes(4_096, 'd'))
                    .append(bytes(9_000, 'e'));
            out.append('f').endLine().append(bytes(5_000, 'g'));
            assertThat(out.length()).isEqualTo(expected.length());
            assertThat(drained(portion)).isEqualTo(expected);
            assertThat(out.drain()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5_000, 10_001, 10_002, 10_003})
    void theRestOfABlockIsDrainedIntoAnArray(int first) {
        out.append('a')
                .append(bytes(5_000, 'b'))
                .append(bytes(5_000, 'c'))
                .append('d')
                .append('e');
        String expected = "a" + "b".repeat(5_000) + "c".repeat(5_000) + "de";
        out.drainTo(ByteBuffer.allocate(first));
        assertThat(new String(out.drain(), UTF_8)).isEqualTo(expected.substring(first));
        assertThat(out.hasUndrained()).isFalse();
    }

    @Test
    void longBlocksAreNotCopiedBeforeTheyAreDrained() {
        byte[] block = bytes(4_096, 'x');
        out.append(block);
        Arrays.fill(block, (byte) 'y');
        assertThat(out.drain()).isEqualTo(block);
        byte[] shorter = bytes(4_095, 'x');
        out.append(shorter);
        Arrays.fill(shorter, (byte) 'y');
        assertThat(out.drain()).isEqualTo(bytes(4_095, 'x'));
    }

    @Test
    void aClearedBufferIsEmpty() {
        out.append('a').append(bytes(5_000, 'b')).append('c');
        out.drainTo(ByteBuffer.allocate(100));
        out.clear();
        assertThat(out.length()).isZero();
        assertThat(out.drain()).isEmpty();
    }

    private static List<Integer> packets(int packetBytes, int... requests) {
        RequestBuffer cut = new RequestBuffer(packetBytes);
        for (int pass = 0; pass < 2; pass++) {
            cut.clear();
            for (int bytes : requests) {
                cut.append(new byte[bytes]).endRequest();
            }
        }
        return cut.cuts();
    }

    @Test
    void packetsHaveWholeRequests() {
        assertThat(packets(100, 40, 40, 20, 1, 99, 100)).containsExactly(100, 200);
        assertThat(packets(100, 60, 60, 60)).containsExactly(60, 120);
        assertThat(packets(100, 10)).isEmpty();
        assertThat(packets(100, 40, 500, 40, 40)).containsExactly(40, 540);
        assertThat(packets(100, 101, 101)).containsExactly(101);
        assertThat(packets(0, 40, 500, 40)).as("by default").isEmpty();
    }
}
