// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetaGetTest {

    private record Item(String value, int flags, long casUnique) {}

    private static MetaGet<Item> command(MetaGet.Wanted wanted, int exptime) {
        return new MetaGet<>(
                "key", wanted, exptime, (data, flags, cas) -> new Item(new String(data, ISO_8859_1), flags, cas));
    }

    private static MetaGet<Item> get() {
        return command(MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH);
    }

    private static MetaGet<Item> gets() {
        return command(MetaGet.Wanted.VALUE_AND_CAS, MetaGet.NO_TOUCH);
    }

    private static MetaGet<Item> touch() {
        return command(MetaGet.Wanted.NOTHING, 60);
    }

    @Test
    void requestsNameTheFieldsToRead() {
        assertThat(Decoding.request(get())).isEqualTo("mg key v f O7\r\n");
        assertThat(Decoding.request(gets())).isEqualTo("mg key v f c O7\r\n");
        assertThat(Decoding.request(touch())).isEqualTo("mg key T60 O7\r\n");
        assertThat(Decoding.request(command(MetaGet.Wanted.VALUE, 0))).isEqualTo("mg key v f T0 O7\r\n");
        assertThat(Decoding.request(command(MetaGet.Wanted.VALUE, Integer.MAX_VALUE)))
                .isEqualTo("mg key v f T2147483647 O7\r\n");
    }

    @Test
    void hitHasValueFlagsAndCas() {
        Decoding.assertDecoded(
                MetaGetTest::get,
                "VA 5 f12 O7\r\nhello\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("hello", 12, 0)));
        Decoding.assertDecoded(
                MetaGetTest::gets,
                "VA 0 f4294967295 c18446744073709551615 O7\r\n\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("", -1, -1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n", "a\r\nb", "\r", "\n", "EN\r\nMN\r\nVA 1 O7\r\n", "\u00ff\u0000\u0080"})
    void valueMayBeAnyBytes(String value) {
        Decoding.assertDecoded(
                MetaGetTest::get,
                "VA " + value.length() + " f0 O7\r\n" + value + "\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item(value, 0, 0)));
    }

    @Test
    void valueOfTheLargestLengthIsReadAndOneByteMoreIsSkippedAndFails() {
        String largest = "x".repeat(Decoding.MAX_VALUE_BYTES);
        Decoding.assertDecoded(MetaGetTest::get, "VA 100 f0 O7\r\n" + largest + "\r\n", c -> {
            assertThat(c.errorReply()).isNull();
            assertThat(c.result()).isEqualTo(new Item(largest, 0, 0));
        });
        Decoding.assertDecoded(
                MetaGetTest::get,
                "VA 101 f0 O7\r\n" + largest + "y\r\n",
                c -> assertThat(c.errorReply())
                        .isEqualTo(new ErrorReply(
                                ErrorReply.Kind.VALUE_TOO_LARGE,
                                "the item's value of 101 bytes is above this client's limit maxValueBytes=100")));
    }

    @Test
    void flagsThatWereNotRequestedAreIgnoredInAnyOrder() {
        Decoding.assertDecoded(
                MetaGetTest::get,
                "VA 1 W X Z O7 kkey s1 t-1 h1 l3 f9 b\r\nv\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("v", 9, 0)));
        Decoding.assertDecoded(
                MetaGetTest::get,
                "VA 0 X f0 O7\r\n\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("", 0, 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"VA 0 f0 W O7\r\n\r\n", "VA 0 f0 O7 Z\r\n\r\n", "VA 0 f0 X Z O7\r\n\r\n"})
    void emptyItemThatIsBeingLoadedIsAMiss(String reply) {
        Decoding.assertDecoded(
                MetaGetTest::get, reply, c -> assertThat(c.result()).isNull());
    }

    @Test
    void missIsNullWithTheOpaqueAndWithout() {
        for (String miss : new String[] {"EN\r\n", "EN O7\r\n", "EN kkey O7\r\n"}) {
            Decoding.assertDecoded(MetaGetTest::get, miss, c -> {
                assertThat(c.errorReply()).isNull();
                assertThat(c.result()).isNull();
            });
            Decoding.assertDecoded(
                    MetaGetTest::touch, miss, c -> assertThat(c.result()).isNull());
        }
    }

    @Test
    void touchReadsNoValue() {
        Decoding.assertDecoded(
                MetaGetTest::touch, "HD O7\r\n", c -> assertThat(c.result()).isEqualTo(new Item("", 0, 0)));
        Decoding.assertRejected(MetaGetTest::touch, "VA 1 O7\r\nx\r\n", "not a reply to mg");
        Decoding.assertRejected(MetaGetTest::get, "HD O7\r\n", "not a reply to mg");
    }

    @ParameterizedTest
    @CsvSource({
        "'VA 1 f0 O8\r\nx\r\n', another request",
        "'VA 1 f0 O77\r\nx\r\n', another request",
        "'VA 1 f0 O4294967303\r\nx\r\n', another request",
        "'VA 1 f0 O18446744073709551623\r\nx\r\n', a number",
        "'VA 1 f0 O7 O8\r\nx\r\n', another request",
        "'VA 1 f0\r\nx\r\n', without its opaque",
        "'VA 1 f0 O\r\nx\r\n', without digits",
        "'VA 1 f0 Ox7\r\nx\r\n', other than digits",
        "'VA 1 fx O7\r\nx\r\n', other than digits",
        "'EN O8\r\n', another request",
        "'VA\r\n', without length",
        "'VA O7\r\n', other than digits",
        "'VA -1 f0 O7\r\n', other than digits",
        "'VA +1 f0 O7\r\n', other than digits",
        "'VA 2147483648 f0 O7\r\n', impossible length",
        "'VA 18446744073709551615 f0 O7\r\n', impossible length",
        "'VA 99999999999999999999 f0 O7\r\n', 64 bits",
        "'VA 1 f0 O7\r\nxy\r\n', not followed by CR LF",
        "'VA 2 f0 O7\r\nx\r\n\n', not followed by CR LF",
        "'VALUE key 0 1\r\n', not a reply to mg",
        "'END\r\n', not a reply to mg",
        "'MN\r\n', not a reply to mg",
        "'NF O7\r\n', not a reply to mg",
        "'\r\n', not a reply to mg",
        "'HTTP/1.1 400 Bad Request\r\n', not a reply to mg",
        "'EN O7\n', CR LF",
        "'EN\rO7\n', CR LF",
        "'\n', CR LF",
        "'ERROR Too many open connections\r\n', cannot be trusted",
    })
    void unexpectedReplyIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaGetTest::get, reply, reason);
    }
}
