// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.NoClassicFormException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassicArithmeticTest {

    private static MetaCommand<OptionalLong> meta(String operation, MetaFlags flags) {
        return MetaCommand.count(
                operation,
                "key",
                flags,
                reply -> reply.has('v') ? OptionalLong.of(reply.number('v')) : OptionalLong.empty());
    }

    private static Command<OptionalLong> command(String operation, long delta) {
        try {
            return meta(operation, MetaFlags.NONE.with("v").with('D', delta)).classicForm();
        } catch (NoClassicFormException e) {
            throw new AssertionError(e);
        }
    }

    private static Command<OptionalLong> incr() {
        return command("incr", 5);
    }

    @Test
    void requestsHaveTheDeltaUnsigned() {
        assertThat(Decoding.request(incr())).isEqualTo("incr key 5\r\n");
        assertThat(Decoding.request(command("decr", -1))).isEqualTo("decr key 18446744073709551615\r\n");
        assertThat(command("decr", 1).verb()).isEqualTo("decr");
    }

    @Test
    void creatingAMissingItemHasNoClassicForm() {
        assertThatExceptionOfType(NoClassicFormException.class)
                .isThrownBy(() ->
                        meta("incr", MetaFlags.NONE.with('D', 1).with('N', 0)).classicForm())
                .withMessageContaining("add the item");
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "0, 0", "18446744073709551615, -1", "'9 ', 9", "'9   ', 9"})
    void numbersAreUnsignedAndMayHaveSpacesAfterThem(String line, long number) {
        Decoding.assertDecoded(
                ClassicArithmeticTest::incr,
                line + "\r\n",
                c -> assertThat(c.result()).hasValue(number));
    }

    @Test
    void missIsEmpty() {
        Decoding.assertDecoded(
                ClassicArithmeticTest::incr,
                "NOT_FOUND\r\n",
                c -> assertThat(c.result()).isEmpty());
    }

    @Test
    void whatIsNotANumberForTheServerIsAnErrorReply() {
        String line = "CLIENT_ERROR cannot increment or decrement non-numeric value";
        Decoding.assertDecoded(
                ClassicArithmeticTest::incr,
                line + "\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, line)));
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
        "END, other than digits",
        "VALUE key 0 1, other than digits",
        "ERROR Too many open connections, cannot be trusted",
    })
    void whatIsNotAReplyToThisRequestIsRejected(String line, String reason) {
        Decoding.assertRejected(ClassicArithmeticTest::incr, line + "\r\n", reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "12\r"})
    void partOfAReplyIsNotAReply(String part) {
        Decoding.assertIncomplete(ClassicArithmeticTest::incr, part);
    }
}
