// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetaSetTest {

    private static MetaSet<StoreStatus> command(
            MetaSet.Mode mode, String value, int flags, int exptime, long casUnique) {
        MetaSet.Item item = new MetaSet.Item(value.getBytes(ISO_8859_1), flags, exptime);
        return new MetaSet<>("key", mode, item, casUnique, MetaReply::status);
    }

    private static MetaSet<StoreStatus> set() {
        return command(MetaSet.Mode.SET, "hello", 0, 0, MetaSet.ANY_CAS);
    }

    @Test
    void requestsCarryFlagsExptimeAndCasUnlessTheyAreZero() {
        assertThat(Decoding.request(command(MetaSet.Mode.SET, "", 12, 60, 4711)))
                .isEqualTo("ms key 0 F12 T60 C4711 O7\r\n\r\n");
        assertThat(Decoding.request(command(MetaSet.Mode.SET, "\r\n\u00ff", -1, Integer.MAX_VALUE, -1)))
                .isEqualTo("ms key 3 F4294967295 T2147483647 C18446744073709551615 O7\r\n\r\n\u00ff\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'HD O7\r\n', DONE",
        "'NS O7\r\n', NOT_STORED",
        "'EX O7\r\n', EXISTS",
        "'NF O7\r\n', NOT_FOUND",
        "'HD kkey O7 b c12 W\r\n', DONE",
    })
    void eachStatusIsDecoded(String reply, StoreStatus status) {
        Decoding.assertDecoded(() -> command(MetaSet.Mode.SET, "hello", 0, 0, 5), reply, c -> {
            assertThat(c.errorReply()).isNull();
            assertThat(c.result()).isEqualTo(status);
        });
        Decoding.assertDecoded(
                () -> command(MetaSet.Mode.ADD, "hello", 0, 0, MetaSet.ANY_CAS),
                reply,
                c -> assertThat(c.result()).isEqualTo(status));
    }

    @ParameterizedTest
    @CsvSource({"NS, NOT_STORED", "EX, EXISTS", "NF, NOT_FOUND"})
    void plainSetHasNoOtherResultThanDone(String code, String text) {
        Decoding.assertDecoded(MetaSetTest::set, "HD O7\r\n", c -> {
            assertThat(c.errorReply()).isNull();
            assertThat(c.result()).isEqualTo(StoreStatus.DONE);
        });
        Decoding.assertDecoded(
                MetaSetTest::set,
                code + " O7\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, text)));
    }

    @ParameterizedTest
    @CsvSource({
        "SERVER_ERROR object too large for cache, VALUE_TOO_LARGE",
        "SERVER_ERROR out of memory storing object, SERVER_ERROR",
        "SERVER_ERROR backend failure, SERVER_ERROR",
    })
    void serverErrorIsAnErrorReplyBecauseTheDataBlockWasSwallowed(String line, ErrorReply.Kind kind) {
        Decoding.assertDecoded(
                MetaSetTest::set, line + "\r\n", c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(kind, line)));
    }

    @ParameterizedTest
    @CsvSource({
        "'CLIENT_ERROR bad data chunk\r\n', cannot be trusted",
        "'CLIENT_ERROR bad command line format\r\n', cannot be trusted",
        "'ERROR\r\n', cannot be trusted",
        "'ERROR Too many open connections\r\n', cannot be trusted",
        "'HD O8\r\n', another request",
        "'NS O8\r\n', another request",
        "'EX O8\r\n', another request",
        "'NF O8\r\n', another request",
        "'HD\r\n', without its opaque",
        "'NS\r\n', without its opaque",
        "'EX\r\n', without its opaque",
        "'NF kkey\r\n', without its opaque",
        "'STORED\r\n', not a reply to ms",
        "'OK O7\r\n', not a reply to ms",
        "'HDX O7\r\n', not a reply to ms",
        "'H\r\n', not a reply to ms",
        "'MN\r\n', not a reply to ms",
        "'EN\r\n', not a reply to ms",
        "'VA 1 O7\r\n', not a reply to ms",
        "'\r\n', not a reply to ms",
    })
    void unexpectedReplyIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaSetTest::set, reply, reason);
    }
}
