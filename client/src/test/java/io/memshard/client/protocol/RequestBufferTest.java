package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
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
        out.appendKey("plain", 5).append(' ').appendKey(key, Key.checkedLength(key));

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
    void aLargeArrayIsGivenUpOnClearAndASmallOneKept() {
        out.append(new byte[20_000]);
        byte[] small = out.array();
        out.clear();
        assertThat(out.length()).isZero();
        assertThat(out.array()).isSameAs(small);

        out.append(new byte[1024 * 1024]);
        out.clear();
        assertThat(out.array().length).isLessThan(64 * 1024);
    }
}
