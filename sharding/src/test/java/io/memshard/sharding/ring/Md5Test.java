// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Md5Test {

    private static final int LONGEST = 300;

    @Test
    void theFirstPointMatchesTheJdkForEveryLength() throws NoSuchAlgorithmException {
        Random random = new Random(1);
        for (int length = 0; length <= LONGEST; length++) {
            StringBuilder ascii = new StringBuilder();
            for (int i = 0; i < length; i++) {
                ascii.append((char) random.nextInt(0x80));
            }
            assertFirstPoint(ascii.toString());
        }
    }

    @Test
    void aKeyThatIsNotAsciiIsHashedInUtf8() throws NoSuchAlgorithmException {
        Random random = new Random(2);
        for (int length = 1; length <= LONGEST; length++) {
            int[] codePoints = random.ints(length, 1, 0xd800).toArray();
            assertFirstPoint(new String(codePoints, 0, length));
        }
        assertFirstPoint("\u00ff");
        assertFirstPoint("caf\u00e9");
        assertFirstPoint("\ud83d\ude00");
        assertFirstPoint("x".repeat(60) + "\u0080");
    }

    private static void assertFirstPoint(String text) throws NoSuchAlgorithmException {
        byte[] digest = MessageDigest.getInstance("MD5").digest(text.getBytes(UTF_8));
        assertThat(Md5.firstPoint(text))
                .as(text)
                .isEqualTo(
                        ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getInt());
    }
}
