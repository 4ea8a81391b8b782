// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplyBufferTest {

    private final ReplyBuffer in = new ReplyBuffer(1024 * 1024, false);

    @Test
    void tokensAreParsedWithAnySpacesBetweenThem() throws MalformedReplyException {
        Decoding.put(in, "VA 12  f3 c18446744073709551615 \r\n");
        assertThat(in.nextLine()).isTrue();
        assertThat(in.code()).isEqualTo(ReplyBuffer.code('V', 'A'));
        assertThat(in.nextToken()).isTrue();
        assertThat(in.tokenNumber()).isEqualTo(12);
        assertThat(in.nextToken()).isTrue();
        assertThat(in.tokenLetter()).isEqualTo((byte) 'f');
        assertThat(in.flagNumber()).isEqualTo(3);
        assertThat(in.nextToken()).isTrue();
        assertThat(Long.toUnsignedString(in.flagNumber())).isEqualTo("18446744073709551615");
        assertThat(in.nextToken()).isFalse();
    }

    @Test
    void anOverlongLineIsRejectedBeforeItsEndHasCome() {
        Decoding.put(in, "x".repeat(ReplyBuffer.MAX_LINE_BYTES));
        assertThatThrownBy(() -> {
                    assertThat(in.nextLine()).isFalse();
                    Decoding.put(in, "x");
                    in.nextLine();
                })
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("more than 4096 bytes");
    }

    @Test
    void linesAreFoundInAnyPortions() throws MalformedReplyException {
        Random random = new Random(42);
        StringBuilder stream = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            stream.append("line")
                    .append(i)
                    .append("x".repeat(random.nextInt(random.nextInt(100) == 0 ? 4000 : 60)))
                    .append("\r\n");
        }
        byte[] bytes = stream.toString().getBytes(ISO_8859_1);
        int fed = 0;
        int lines = 0;
        while (fed < bytes.length) {
            int portion = Math.min(bytes.length - fed, 1 + random.nextInt(40_000));
            in.append(ByteBuffer.wrap(bytes, fed, portion));
            fed += portion;
            while (in.nextLine()) {
                assertThat(in.line()).startsWith("line" + lines);
                lines++;
            }
        }
        assertThat(lines).isEqualTo(20_000);
        assertThat(in.hasBytes()).isFalse();
    }

    @Test
    void aValueLargerThanTheBufferIsTakenAsItComes() throws MalformedReplyException {
        byte[] value = new byte[300_000];
        new Random(1).nextBytes(value);
        beginBlock("VA 300000\r\n", value.length);
        for (int fed = 0; fed < value.length; fed += 64 * 1024) {
            assertThat(in.readBlock()).isFalse();
            in.append(ByteBuffer.wrap(value, fed, Math.min(64 * 1024, value.length - fed)));
        }
        assertThat(in.readBlock()).as("without its line end").isFalse();
        assertThat(in.hasBytes()).isFalse();
        Decoding.put(in, "\r\n");
        assertThat(in.readBlock()).isTrue();
        assertThat(in.isInBlock()).isFalse();
        assertThat(in.takeBlock()).isEqualTo(value);
    }

    private void beginBlock(String line, int maxBytes) throws MalformedReplyException {
        Decoding.put(in, line);
        assertThat(in.nextLine()).isTrue();
        in.code();
        assertThat(in.beginBlock(maxBytes)).isTrue();
    }

    @Test
    void aLargeValueIsCopiedStraightFromTheAppendedBytes() throws MalformedReplyException {
        byte[] reply = ("VA 16384\r\n" + "x".repeat(16_384) + "\r\n").getBytes(ISO_8859_1);
        ByteBuffer bytes = ByteBuffer.wrap(reply);
        in.append(bytes);
        assertThat(in.nextLine()).isTrue();
        assertThat(bytes.position()).as("bytes that are copied twice").isLessThanOrEqualTo(1024);
        in.code();
        assertThat(in.beginBlock(16_384)).isTrue();
        assertThat(in.readBlock()).isTrue();
        assertThat(in.takeBlock()).hasSize(16_384).containsOnly('x');
    }

    @Test
    void theNextTokenIsComparedWithAText() throws MalformedReplyException {
        Decoding.put(in, "VALUE key1 0 \u00c3\u00a4  key2\r\n");
        assertThat(in.nextLine()).isTrue();
        assertThat(in.isFirstToken("VAL".getBytes(ISO_8859_1))).isFalse();
        assertThat(in.isFirstToken("VALUE".getBytes(ISO_8859_1))).isTrue();
        assertThat(in.nextTokenIs("key")).isFalse();
        assertThat(in.nextTokenIs("key12")).isFalse();
        assertThat(in.nextTokenIs("key1 0")).isTrue();
        assertThat(in.nextTokenIs("\u00e4")).as("other than ASCII is not found").isFalse();
        assertThat(in.nextToken()).isTrue();
        assertThat(in.tokenIs("\u00e4")).isTrue();
        assertThat(in.nextTokenIs("key2")).as("after two spaces").isFalse();
        assertThat(in.nextToken()).isTrue();
        assertThat(in.nextTokenIs("key2")).as("at the end").isFalse();
    }
}
