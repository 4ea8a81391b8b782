// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplyBufferTest {

    private final ReplyBuffer in = new ReplyBuffer(1024 * 1024, false);

    @Test
    void aLineIsTakenOnlyWhenItIsComplete() throws MalformedReplyException {
        Decoding.put(in, "HD O1\r");
        assertThat(in.nextLine()).isFalse();
        Decoding.put(in, "\nNF O2\r\n");
        assertThat(in.nextLine()).isTrue();
        assertThat(in.line()).isEqualTo("HD O1");
        assertThat(in.nextLine()).isTrue();
        assertThat(in.line()).isEqualTo("NF O2");
        assertThat(in.hasBytes()).isFalse();
        assertThat(in.nextLine()).isFalse();
    }

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
    void aCodeIsTwoBytesAndNoMore() throws MalformedReplyException {
        Decoding.put(in, "HDX\r\nH\r\nHD\r\n\r\n");
        assertThat(in.nextLine()).isTrue();
        assertThat(in.code()).isZero();
        assertThat(in.nextLine()).isTrue();
        assertThat(in.code()).isZero();
        assertThat(in.nextLine()).isTrue();
        assertThat(in.code()).isEqualTo(ReplyBuffer.code('H', 'D'));
        assertThat(in.nextLine()).isTrue();
        assertThat(in.code()).isZero();
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
    void aLineEndsInBothCrAndLf() {
        for (String line : new String[] {"\n", "HD\n", "HD\rx\n"}) {
            ReplyBuffer fresh = new ReplyBuffer(1, false);
            Decoding.put(fresh, line);
            assertThatThrownBy(fresh::nextLine)
                    .isInstanceOf(MalformedReplyException.class)
                    .hasMessageContaining("CR LF");
        }
    }

    @Test
    void thereIsAlwaysRoomForMoreInAnyPortions() throws MalformedReplyException {
        Random random = new Random(42);
        StringBuilder stream = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            stream.append("line")
                    .append(i)
                    .append("x".repeat(random.nextInt(60)))
                    .append("\r\n");
        }
        byte[] bytes = stream.toString().getBytes(ISO_8859_1);
        int fed = 0;
        int lines = 0;
        while (fed < bytes.length) {
            int room = in.makeRoom();
            assertThat(room).isPositive();
            int portion = Math.min(Math.min(room, bytes.length - fed), 1 + random.nextInt(40_000));
            System.arraycopy(bytes, fed, in.array(), in.limit(), portion);
            in.advanceLimit(portion);
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
    void aValueLargerThanTheBufferIsTakenAsItComes() {
        byte[] value = new byte[300_000];
        new Random(1).nextBytes(value);
        byte[] target = new byte[value.length];
        int fed = 0;
        int taken = 0;
        while (taken < value.length) {
            int portion = Math.min(in.makeRoom(), value.length - fed);
            System.arraycopy(value, fed, in.array(), in.limit(), portion);
            in.advanceLimit(portion);
            fed += portion;
            taken += in.take(target, taken, value.length - taken);
        }
        assertThat(target).isEqualTo(value);
        assertThat(in.hasBytes()).isFalse();
    }

    @Test
    void whatIsNotANumberIsRejected() throws MalformedReplyException {
        for (String number : new String[] {"-1", "1a", "18446744073709551616", "+5", "99999999999999999999999"}) {
            ReplyBuffer fresh = new ReplyBuffer(1, false);
            Decoding.put(fresh, "VA " + number + "\r\n");
            assertThat(fresh.nextLine()).isTrue();
            fresh.code();
            assertThat(fresh.nextToken()).isTrue();
            assertThatThrownBy(fresh::tokenNumber)
                    .as(number)
                    .isInstanceOf(MalformedReplyException.class)
                    .hasMessageContaining("a number");
        }
    }
}
