// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.Key;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBufferTest {

    private final RequestBuffer out = new RequestBuffer();

    private String text() {
        return new String(out.array(), 0, out.length(), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 100, 1_048_576, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void numbersAreWrittenAsUnsignedDecimals(long number) {
        out.appendUnsigned(number);

        assertThat(text()).isEqualTo(Long.toUnsignedString(number));
    }

    @Test
    void keysAreWrittenInUtf8() {
        String key = "a\u20ac\ud83d\ude00z";
        out.appendKey("plain", 5).append(' ').appendKey(key, Key.checkLength(key));

        assertThat(text()).isEqualTo("plain " + key);
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

    @Test
    void oneAppendMayBeLongerThanTwiceTheArray() {
        byte[] large = new byte[3 * 1024 * 1024];
        Arrays.fill(large, (byte) 'v');
        out.append('a').append(large).append('z');

        assertThat(out.length()).isEqualTo(large.length + 2);
        assertThat(out.array()[large.length]).isEqualTo((byte) 'v');
        assertThat(out.array()[large.length + 1]).isEqualTo((byte) 'z');
    }

    @Test
    void aLargeArrayIsDroppedOnClearAndASmallOneStays() {
        out.append(new byte[20_000]);
        byte[] small = out.array();
        out.clear();
        assertThat(out.length()).isZero();
        assertThat(out.array()).isSameAs(small);

        out.append(new byte[1024 * 1024]);
        out.clear();
        assertThat(out.array().length).isLessThan(64 * 1024);
    }

    private static List<Integer> packets(int packetBytes, int... requests) {
        RequestBuffer cut = new RequestBuffer(packetBytes);
        for (int pass = 0; pass < 2; pass++) {
            cut.clear();
            for (int bytes : requests) {
                cut.append(new byte[bytes]).endRequest();
            }
        }
        return IntStream.range(0, cut.packets()).mapToObj(cut::packetEnd).toList();
    }

    @Test
    void packetsHaveWholeRequests() {
        assertThat(packets(100, 40, 40, 20, 1, 99, 100)).containsExactly(100, 200, 300);
        assertThat(packets(100, 60, 60, 60)).containsExactly(60, 120, 180);
        assertThat(packets(100, 10)).containsExactly(10);
        assertThat(packets(100)).isEmpty();
    }

    @Test
    void requestLongerThanAPacketHasItsOwn() {
        assertThat(packets(100, 40, 500, 40, 40)).containsExactly(40, 540, 620);
        assertThat(packets(100, 500)).containsExactly(500);
        assertThat(packets(100, 101, 101)).containsExactly(101, 202);
    }

    @Test
    void manyPacketsAreCut() {
        assertThat(packets(10, IntStream.generate(() -> 10).limit(100).toArray()))
                .hasSize(100);
    }

    @Test
    void bufferIsOnePacketByDefault() {
        assertThat(packets(0, 40, 500, 40)).containsExactly(580);
    }
}
