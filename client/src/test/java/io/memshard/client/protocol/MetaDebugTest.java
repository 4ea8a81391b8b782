// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetaDebugTest {

    private static MetaDebug debug() {
        return new MetaDebug("key", false);
    }

    /** The key of the bytes "foo". */
    private static MetaDebug binaryDebug() {
        return new MetaDebug("Zm9v", true);
    }

    @Test
    void entriesAreInTheOrderOfTheReply() {
        Decoding.assertDecoded(
                MetaDebugTest::debug,
                "ME key exp=-1 la=2 cas=3 fetch=no cls=1 size=63 later=a=b empty=\r\n",
                c -> assertThat(c.result().toString())
                        .isEqualTo("{exp=-1, la=2, cas=3, fetch=no, cls=1, size=63, later=a=b, empty=}"));
        Decoding.assertDecoded(
                MetaDebugTest::debug, "EN\r\n", c -> assertThat(c.result()).isNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "Zm9v"})
    void replyHasTheBinaryKeyAsItWasStored(String key) {
        Decoding.assertDecoded(
                MetaDebugTest::binaryDebug,
                "ME " + key + " la=2\r\n",
                c -> assertThat(c.result()).containsEntry("la", "2"));
    }

    @ParameterizedTest
    @CsvSource({
        "'ME other la=1\r\n', another key",
        "'ME\r\n', another key",
        "'ME key la\r\n', without value",
        "'HD\r\n', not a reply to me",
        "'MN\r\n', not a reply to me",
    })
    void unexpectedReplyIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaDebugTest::debug, reply, reason);
    }
}
