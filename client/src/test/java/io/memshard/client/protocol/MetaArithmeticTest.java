// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetaArithmeticTest {

    private static MetaArithmetic<OptionalLong> command(
            MetaArithmetic.Mode mode, long delta, MetaArithmetic.@Nullable Initial initial) {
        return new MetaArithmetic<>("n", mode, delta, initial, Function.identity());
    }

    private static MetaArithmetic<OptionalLong> incr() {
        return command(MetaArithmetic.Mode.INCREMENT, 1, null);
    }

    private static MetaArithmetic<OptionalLong> incrOrCreate() {
        return command(MetaArithmetic.Mode.INCREMENT, 1, new MetaArithmetic.Initial(5, 60));
    }

    @Test
    void requestsCarryDeltaModeAndInitial() {
        assertThat(Decoding.request(incr())).isEqualTo("ma n v D1 O7\r\n");
        assertThat(Decoding.request(command(MetaArithmetic.Mode.DECREMENT, 3, null)))
                .isEqualTo("ma n MD v D3 O7\r\n");
        assertThat(Decoding.request(incrOrCreate())).isEqualTo("ma n v D1 N60 J5 O7\r\n");
        assertThat(Decoding.request(
                        command(MetaArithmetic.Mode.DECREMENT, -1, new MetaArithmetic.Initial(Long.MIN_VALUE, 0))))
                .isEqualTo("ma n MD v D18446744073709551615 N0 J9223372036854775808 O7\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'VA 1 O7\r\n0\r\n', 0",
        "'VA 2 O7\r\n10\r\n', 10",
        "'VA 2 O7\r\n9 \r\n', 9",
        "'VA 5 O7\r\n9    \r\n', 9",
        "'VA 19 O7\r\n9223372036854775807\r\n', 9223372036854775807",
        "'VA 20 O7\r\n18446744073709551615\r\n', 18446744073709551615",
        "'VA 1 t-1 O7 c4711 W\r\n3\r\n', 3",
    })
    void newNumberIsUnsignedAndMayHaveTrailingSpaces(String reply, String number) {
        Decoding.assertDecoded(
                MetaArithmeticTest::incr, reply, c -> assertThat(c.result()).hasValue(Long.parseUnsignedLong(number)));
    }

    @Test
    void limitOnValuesDoesNotApplyToNumbers() throws MalformedReplyException {
        ReplyBuffer in = new ReplyBuffer(1, false);
        Decoding.put(in, "VA 2 O7\r\n10\r\n");
        MetaArithmetic<OptionalLong> command = incr();

        assertThat(command.decode(in, Decoding.OPAQUE)).isTrue();
        assertThat(command.errorReply()).isNull();
        assertThat(command.result()).hasValue(10);
    }

    @Test
    void missIsEmpty() {
        Decoding.assertDecoded(
                MetaArithmeticTest::incr,
                "NF O7\r\n",
                c -> assertThat(c.result()).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "CLIENT_ERROR cannot increment or decrement non-numeric value",
        "SERVER_ERROR out of memory in incr",
        "ERROR",
    })
    void anErrorIsAnErrorReply(String line) {
        Decoding.assertDecoded(
                MetaArithmeticTest::incr,
                line + "\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, line)));
    }

    @ParameterizedTest
    @CsvSource({
        "'VA 1 O8\r\n1\r\n', another request",
        "'NF O8\r\n', another request",
        "'VA 1\r\n1\r\n', without its opaque",
        "'NF\r\n', without its opaque",
        "'VA 0 O7\r\n\r\n', is not a number",
        "'VA 3 O7\r\nabc\r\n', is not a number",
        "'VA 2 O7\r\n-1\r\n', is not a number",
        "'VA 20 O7\r\n18446744073709551616\r\n', is not a number",
        "'VA 65 O7\r\n', is not a number",
        "'VA 2147483647 O7\r\n', is not a number",
        "'VA 2 O7\r\n 1\r\n', is not a number",
        "'VA -1 O7\r\n', other than digits",
        "'VA 1 O7\r\n12\r\n', not followed by CR LF",
        "'HD O7\r\n', not a reply to ma",
        "'EN\r\n', not a reply to ma",
        "'42\r\n', not a reply to ma",
    })
    void whatIsNotAReplyToThisRequestIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaArithmeticTest::incr, reply, reason);
    }

    @Test
    void missIsNotAReplyIfTheItemIsToBeCreated() {
        Decoding.assertDecoded(
                MetaArithmeticTest::incrOrCreate,
                "VA 1 O7\r\n5\r\n",
                c -> assertThat(c.result()).hasValue(5));
        Decoding.assertRejected(MetaArithmeticTest::incrOrCreate, "NF O7\r\n", "not a reply to ma");
    }
}
