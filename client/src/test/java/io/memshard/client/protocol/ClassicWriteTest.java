// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.NoClassicFormException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The classic commands whose reply is one line: stores, delete, touch, incr and decr. */
class ClassicWriteTest {

    private static final MetaSet.Item ITEM = new MetaSet.Item("va\r\n".getBytes(ISO_8859_1), -1, 60);

    private static MetaSet<StoreStatus> meta(MetaSet.Mode mode, long casUnique) {
        return new MetaSet<>("key", mode, ITEM, casUnique, MetaReply::status);
    }

    private static Command<StoreStatus> store(MetaSet.Mode mode, long casUnique) {
        return form(meta(mode, casUnique));
    }

    private static Command<StoreStatus> set() {
        return store(MetaSet.Mode.SET, MetaSet.ANY_CAS);
    }

    private static Command<StoreStatus> delete() {
        return form(MetaCommand.delete("key", MetaReply::status));
    }

    private static Command<Boolean> touch() {
        return form(new MetaGet<>("key", MetaGet.Wanted.NOTHING, 60, (data, flags, cas) -> true));
    }

    private static Command<OptionalLong> incr() {
        return form(new MetaCommand<>(
                MetaCommand.Verb.ARITHMETIC,
                "incr",
                "key",
                MetaFlags.NONE.with("v").with('D', 5),
                null,
                reply -> reply.has('v') ? OptionalLong.of(reply.number('v')) : OptionalLong.empty()));
    }

    private static <T> Command<T> form(Command<T> meta) {
        try {
            return meta.classicForm();
        } catch (NoClassicFormException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void requestsOfStores() {
        assertThat(Decoding.request(set())).isEqualTo("set key 4294967295 60 4\r\nva\r\n\r\n");
        for (MetaSet.Mode mode : EnumSet.complementOf(EnumSet.of(MetaSet.Mode.QUIET_SET))) {
            String verb = mode.name().toLowerCase(Locale.ROOT);
            assertThat(Decoding.request(store(mode, MetaSet.ANY_CAS))).startsWith(verb + " key 4294967295 60 4\r\n");
            assertThat(store(mode, MetaSet.ANY_CAS).verb()).isEqualTo(verb);
        }
        assertThat(Decoding.request(store(MetaSet.Mode.SET, -1)))
                .isEqualTo("cas key 4294967295 60 4 18446744073709551615\r\nva\r\n\r\n");
        assertThat(store(MetaSet.Mode.SET, -1).verb()).isEqualTo("cas");
    }

    @ParameterizedTest
    @CsvSource({"STORED, DONE", "NOT_STORED, NOT_STORED", "EXISTS, EXISTS", "NOT_FOUND, NOT_FOUND"})
    void wordsOfStores(String word, StoreStatus status) {
        Decoding.assertDecoded(
                () -> store(MetaSet.Mode.SET, 5),
                word + "\r\n",
                c -> assertThat(c.result()).isEqualTo(status));
        Decoding.assertDecoded(
                () -> store(MetaSet.Mode.APPEND, MetaSet.ANY_CAS),
                word + "\r\n",
                c -> assertThat(c.result()).isEqualTo(status));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOT_STORED", "EXISTS", "NOT_FOUND"})
    void plainSetHasNoOtherResultThanStored(String word) {
        Decoding.assertDecoded(
                ClassicWriteTest::set, "STORED\r\n", c -> assertThat(c.result()).isEqualTo(StoreStatus.DONE));
        Decoding.assertDecoded(
                ClassicWriteTest::set,
                word + "\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, word)));
    }

    @Test
    void wordsOfDeleteAndTouch() {
        Decoding.assertDecoded(
                ClassicWriteTest::delete,
                "DELETED\r\n",
                c -> assertThat(c.result()).isEqualTo(StoreStatus.DONE));
        Decoding.assertDecoded(
                ClassicWriteTest::delete,
                "NOT_FOUND\r\n",
                c -> assertThat(c.result()).isEqualTo(StoreStatus.NOT_FOUND));
        Decoding.assertDecoded(
                ClassicWriteTest::touch,
                "TOUCHED\r\n",
                c -> assertThat(c.result()).isTrue());
        Decoding.assertDecoded(
                ClassicWriteTest::touch,
                "NOT_FOUND\r\n",
                c -> assertThat(c.result()).isNull());
        Decoding.assertDecoded(
                ClassicWriteTest::incr,
                "NOT_FOUND\r\n",
                c -> assertThat(c.result()).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "0, 0", "18446744073709551615, -1", "'9 ', 9", "'9   ', 9"})
    void numbersAreUnsignedAndMayHaveSpacesAfterThem(String line, long number) {
        Decoding.assertDecoded(
                ClassicWriteTest::incr,
                line + "\r\n",
                c -> assertThat(c.result()).hasValue(number));
    }

    @ParameterizedTest
    @CsvSource({
        "'', not a reply to incr",
        "' ', not a reply to incr",
        "5 6, not a reply to incr",
        "-5, other than digits",
        "5x, other than digits",
        "18446744073709551616, 64 bits",
        "STORED, other than digits",
        "VALUE key 0 1, other than digits",
        "ERROR Too many open connections, cannot be trusted",
    })
    void malformedNumberIsRejected(String line, String reason) {
        Decoding.assertRejected(ClassicWriteTest::incr, line + "\r\n", reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HD O7", "END", "5", "TOUCHED", "DELETED", "STOREDX", "STORED ", "stored", ""})
    void unexpectedReplyToAStoreIsRejected(String line) {
        Decoding.assertRejected(ClassicWriteTest::set, line + "\r\n", "not a reply to set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HD O7", "END", "5", "STORED", "NOT_STORED", "EXISTS", "OK", ""})
    void unexpectedReplyToDeleteOrTouchIsRejected(String line) {
        Decoding.assertRejected(ClassicWriteTest::delete, line + "\r\n", "not a reply to delete");
        Decoding.assertRejected(ClassicWriteTest::touch, line + "\r\n", "not a reply to touch");
    }

    @Test
    void valueThatIsTooLargeForTheServerKeepsTheConnection() {
        Decoding.assertDecoded(
                ClassicWriteTest::set,
                "SERVER_ERROR object too large for cache\r\n",
                c -> assertThat(c.errorReply())
                        .isEqualTo(new ErrorReply(
                                ErrorReply.Kind.VALUE_TOO_LARGE, "SERVER_ERROR object too large for cache")));
        Decoding.assertDecoded(
                ClassicWriteTest::set,
                "SERVER_ERROR out of memory storing object\r\n",
                c -> assertThat(c.errorReply())
                        .isEqualTo(new ErrorReply(
                                ErrorReply.Kind.SERVER_ERROR, "SERVER_ERROR out of memory storing object")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CLIENT_ERROR bad data chunk",
                "CLIENT_ERROR line too long",
                "CLIENT_ERROR x",
                "CLIENT_ERROR",
                "ERROR"
            })
    void errorAfterWhichTheServerMayReadTheDataAsCommandsIsRejected(String line) {
        Decoding.assertRejected(ClassicWriteTest::set, line + "\r\n", "cannot be trusted");
        Decoding.assertRejected(() -> store(MetaSet.Mode.SET, 5), line + "\r\n", "cannot be trusted");
    }

    @Test
    void errorOfACommandWithoutDataKeepsTheConnection() {
        ErrorReply error = new ErrorReply(ErrorReply.Kind.SERVER_ERROR, "ERROR");
        for (Supplier<Command<?>> command : List.<Supplier<Command<?>>>of(
                ClassicWriteTest::delete, ClassicWriteTest::touch, ClassicWriteTest::incr)) {
            Decoding.assertDecoded(
                    command, "ERROR\r\n", c -> assertThat(c.errorReply()).isEqualTo(error));
        }
    }
}
