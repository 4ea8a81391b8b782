// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.NoClassicFormException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassicGetTest {

    static final ErrorReply NO_CAS = new ErrorReply(
            ErrorReply.Kind.UNSUPPORTED,
            "the server sent a value without cas unique, so gets and cas do not work: use get");

    private record Item(String value, int flags, long casUnique) {}

    private static Command<Item> command(String key, MetaGet.Wanted wanted, int exptime) {
        MetaGet<Item> meta = new MetaGet<>(
                key, wanted, exptime, (data, flags, cas) -> new Item(new String(data, ISO_8859_1), flags, cas));
        try {
            return meta.classicForm();
        } catch (NoClassicFormException e) {
            throw new AssertionError(e);
        }
    }

    private static Command<Item> get() {
        return command("key", MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH);
    }

    private static Command<Item> gets() {
        return command("key", MetaGet.Wanted.VALUE_AND_CAS, MetaGet.NO_TOUCH);
    }

    private static Command<Item> touchAndGet() {
        return command("key", MetaGet.Wanted.VALUE, 60);
    }

    @Test
    void hitHasValueFlagsAndCas() {
        Decoding.assertDecoded(
                ClassicGetTest::get,
                "VALUE key 12 5\r\nhello\r\nEND\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("hello", 12, 0)));
        Decoding.assertDecoded(
                ClassicGetTest::gets,
                "VALUE key 4294967295 0 18446744073709551615\r\n\r\nEND\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("", -1, -1)));
        Decoding.assertDecoded(
                () -> command("\u00e9", MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH),
                "VALUE \u00c3\u00a9 0 1\r\nx\r\nEND\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("x", 0, 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n", "a\r\nb", "\r", "\n", "END\r\nVALUE key 0 1\r\n", "\u00ff\u0000\u0080"})
    void valueMayBeAnyBytes(String value) {
        Decoding.assertDecoded(
                ClassicGetTest::get,
                "VALUE key 0 " + value.length() + "\r\n" + value + "\r\nEND\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item(value, 0, 0)));
    }

    @Test
    void missIsNull() {
        Decoding.assertDecoded(ClassicGetTest::get, "END\r\n", c -> {
            assertThat(c.errorReply()).isNull();
            assertThat(c.result()).isNull();
        });
    }

    @Test
    void valueAboveTheLimitIsSkippedAndFails() {
        Decoding.assertDecoded(
                ClassicGetTest::get,
                "VALUE key 0 101\r\n" + "x".repeat(101) + "\r\nEND\r\n",
                c -> assertThat(c.errorReply())
                        .isEqualTo(new ErrorReply(
                                ErrorReply.Kind.VALUE_TOO_LARGE,
                                "the item's value of 101 bytes is above this client's limit maxValueBytes=100")));
    }

    @Test
    void touchIsAnsweredBeforeTheGet() {
        Decoding.assertDecoded(
                ClassicGetTest::touchAndGet,
                "TOUCHED\r\nVALUE key 1 2\r\nva\r\nEND\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("va", 1, 0)));
        Decoding.assertDecoded(
                ClassicGetTest::touchAndGet,
                "NOT_FOUND\r\nEND\r\n",
                c -> assertThat(c.result()).isNull());
        // Another client deleted or stored the item in between.
        Decoding.assertDecoded(
                ClassicGetTest::touchAndGet,
                "TOUCHED\r\nEND\r\n",
                c -> assertThat(c.result()).isNull());
        Decoding.assertDecoded(
                ClassicGetTest::touchAndGet,
                "NOT_FOUND\r\nVALUE key 0 1\r\nx\r\nEND\r\n",
                c -> assertThat(c.result()).isEqualTo(new Item("x", 0, 0)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERROR",
                "CLIENT_ERROR bad command line format",
                "CLIENT_ERROR",
                "SERVER_ERROR out of memory",
                "SERVER_ERROR"
            })
    void errorIsTheErrorReplyAndKeepsTheConnection(String line) {
        ErrorReply error = new ErrorReply(ErrorReply.Kind.SERVER_ERROR, line);
        for (String reply : new String[] {line + "\r\n", "VALUE key 0 1\r\nx\r\n" + line + "\r\n"}) {
            Decoding.assertDecoded(
                    ClassicGetTest::get, reply, c -> assertThat(c.errorReply()).isEqualTo(error));
            Decoding.assertDecoded(
                    ClassicGetTest::touchAndGet,
                    "TOUCHED\r\n" + reply,
                    c -> assertThat(c.errorReply()).isEqualTo(error));
        }
        Decoding.assertDecoded(
                ClassicGetTest::touchAndGet,
                line + "\r\nVALUE key 0 1\r\nx\r\nEND\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(error));
    }

    @ParameterizedTest
    @CsvSource({
        "'VALUE other 0 1\r\nx\r\n', another request",
        "'VALUE ke 0 1\r\nx\r\n', another request",
        "'VALUE keys 0 1\r\nx\r\n', another request",
        "'VALUE KEY 0 1\r\nx\r\n', another request",
        "'VALUE key 0 1\r\nx\r\nVALUE key 0 1\r\nx\r\n', not a reply to get",
        "'VALUE key 0 1\r\nx\r\n\r\n', not a reply to get",
        "'VALUE key 0\r\n', without length",
        "'VALUE key\r\n', without flags",
        "'VALUE \r\n', without key",
        "'VALUE\r\n', without key",
        "'VALUE key 0 -1\r\n', other than digits",
        "'VALUE key x 1\r\n', other than digits",
        "'VALUE key 0 2147483648\r\n', impossible length",
        "'VALUE key 0 1\r\nxy\r\n', not followed by CR LF",
        "'VA 1 f0 O7\r\nx\r\n', not a reply to get",
        "'ENDE\r\n', not a reply to get",
        "'END \r\n', not a reply to get",
        "'STORED\r\n', not a reply to get",
        "'NOT_FOUND\r\n', not a reply to get",
        "'5\r\n', not a reply to get",
        "'MN\r\n', not a reply to get",
        "'\r\n', not a reply to get",
        "'END\n', CR LF",
        "'ERROR Too many open connections\r\n', cannot be trusted",
        "'CLIENT_ERROR line too long\r\n', cannot be trusted",
        "'CLIENT_ERROR bad data chunk\r\n', cannot be trusted",
    })
    void unexpectedReplyIsRejected(String reply, String reason) {
        Decoding.assertRejected(ClassicGetTest::get, reply, reason);
    }

    @Test
    void valueWithoutTheRequestedCasFailsAndKeepsTheConnection() {
        Decoding.assertDecoded(
                ClassicGetTest::gets,
                "VALUE key 0 1\r\nx\r\nEND\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(NO_CAS));
    }

    @Test
    void unexpectedReplyToTheTouchIsRejected() {
        Decoding.assertRejected(ClassicGetTest::touchAndGet, "END\r\n", "not a reply to touch");
        Decoding.assertRejected(ClassicGetTest::touchAndGet, "STORED\r\n", "not a reply to touch");
    }
}
