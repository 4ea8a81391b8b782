// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MetaFlags;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetaCommandTest {

    private static MetaCommand<MetaReply> command(Verb verb, String flags, @Nullable String block) {
        byte[] data = block == null ? null : block.getBytes(ISO_8859_1);
        return new MetaCommand<>(verb, "key", MetaFlags.NONE.with(flags), data, reply -> reply);
    }

    private static MetaCommand<MetaReply> get() {
        return command(Verb.GET, "vfctlhs", null);
    }

    private static MetaCommand<MetaReply> getWithoutValue() {
        return command(Verb.GET, "t", null);
    }

    private static MetaCommand<MetaReply> set() {
        return command(Verb.SET, "cE", "hello");
    }

    private static MetaCommand<MetaReply> delete() {
        return command(Verb.DELETE, "x", null);
    }

    private static MetaCommand<MetaReply> count() {
        return command(Verb.ARITHMETIC, "vtc", null);
    }

    private static MetaCommand<Long> incr() {
        return new MetaCommand<>(
                MetaCommand.Verb.ARITHMETIC,
                "incr",
                "n",
                MetaFlags.NONE.with("v").with('D', 1),
                null,
                reply -> reply.number('v'));
    }

    private static MetaCommand<Long> incrOrCreate() {
        MetaFlags flags = MetaFlags.NONE.with("v").with('D', 1).with('N', 60).with('J', 5);
        return new MetaCommand<>(MetaCommand.Verb.ARITHMETIC, "incr", "n", flags, null, reply -> reply.number('v'));
    }

    @Test
    void requestsCarryTheirFlagsTheirDataAndTheOpaqueLast() {
        MetaFlags flags = MetaFlags.NONE.with("v").with('N', 30).with('M', 'A').with('E', -1);
        assertThat(Decoding.request(new MetaCommand<>(Verb.GET, "key", flags, null, reply -> reply)))
                .isEqualTo("mg key N30 E18446744073709551615 MA v O7\r\n");
        assertThat(Decoding.request(command(Verb.SET, "", "hello"))).isEqualTo("ms key 5 O7\r\nhello\r\n");
        assertThat(Decoding.request(command(Verb.SET, "Ib", ""))).isEqualTo("ms key 0 b I O7\r\n\r\n");
        assertThat(Decoding.request(delete())).isEqualTo("md key x O7\r\n");
        assertThat(Decoding.request(count())).isEqualTo("ma key v c t O7\r\n");
    }

    @Test
    void everyReturnedFlagIsDecoded() {
        Decoding.assertDecoded(
                MetaCommandTest::get,
                "VA 3 f4294967295 c18446744073709551615 t-1 l4 h1 s3 W X O7 kkey b\r\nabc\r\n",
                c -> {
                    MetaReply reply = c.result();
                    assertThat(reply.status()).isEqualTo(StoreStatus.DONE);
                    assertThat(reply.data()).asString().isEqualTo("abc");
                    assertThat(reply.number('f')).isEqualTo(0xffff_ffffL);
                    assertThat(reply.number('c')).isEqualTo(-1);
                    assertThat(reply.number('t')).isEqualTo(-1);
                    assertThat(reply.number('l')).isEqualTo(4);
                    assertThat(reply.number('h')).isEqualTo(1);
                    assertThat(reply.number('s')).isEqualTo(3);
                    assertThat(reply.has('W')).isTrue();
                    assertThat(reply.has('X')).isTrue();
                    assertThat(reply.has('Z')).isFalse();
                });
        Decoding.assertDecoded(MetaCommandTest::getWithoutValue, "HD t59 Z O7\r\n", c -> {
            assertThat(c.result().number('t')).isEqualTo(59);
            assertThat(c.result().has('Z')).isTrue();
            assertThat(c.result().has('c')).isFalse();
            assertThat(c.result().data()).isNull();
        });
    }

    /** As memcached 1.6.45 answers {@code mg key v C7}. */
    @Test
    void getUnlessCasMayBeAnsweredWithoutTheValue() {
        Supplier<MetaCommand<MetaReply>> get = () ->
                new MetaCommand<>(Verb.GET, "key", MetaFlags.NONE.with('C', 7).with("vc"), null, reply -> reply);
        Decoding.assertDecoded(get, "HD c7 O7\r\n", c -> {
            assertThat(c.result().status()).isEqualTo(StoreStatus.DONE);
            assertThat(c.result().data()).isNull();
            assertThat(c.result().number('c')).isEqualTo(7);
        });
        Decoding.assertDecoded(
                get,
                "VA 1 c8 O7\r\nx\r\n",
                c -> assertThat(c.result().data()).asString().isEqualTo("x"));
        Decoding.assertRejected(MetaCommandTest::get, "HD c7 O7\r\n", "not a reply to mg");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EN\r\n", "EN O7\r\n", "EN kkey O7\r\n"})
    void missOfAGetNeedsNoOpaque(String reply) {
        Decoding.assertDecoded(
                MetaCommandTest::get,
                reply,
                c -> assertThat(c.result().status()).isEqualTo(StoreStatus.NOT_FOUND));
    }

    @ParameterizedTest
    @CsvSource({
        "'VA 3 f0 O7\r\nabc\r\n', 1",
        "'VA 3 W O7\r\nabc\r\n', 1",
        "'VA 3 X Z O7\r\nabc\r\n', 1",
        "'VA 0 O7\r\n\r\n', 1",
        "'VA 0 W O7\r\n\r\n', 0",
        "'VA 0 Z O7\r\n\r\n', 0",
        "'EN\r\n', 0",
    })
    void getOfAValueIsAHitIfTheItemExists(String reply, int hits) {
        Decoding.assertDecoded(
                MetaCommandTest::get, reply, c -> assertThat(c.hits()).isEqualTo(hits));
    }

    @Test
    void commandThatReadsNoValueIsNeitherHitNorMiss() {
        for (String reply : List.of("HD t59 O7\r\n", "EN\r\n")) {
            Decoding.assertDecoded(
                    MetaCommandTest::getWithoutValue,
                    reply,
                    c -> assertThat(c.hits()).isEqualTo(-1));
        }
        Decoding.assertDecoded(
                MetaCommandTest::count,
                "VA 1 O7\r\n9\r\n",
                c -> assertThat(c.hits()).isEqualTo(-1));
    }

    @ParameterizedTest
    @CsvSource({"HD c5 O7, DONE", "NS O7, NOT_STORED", "EX O7, EXISTS", "NF O7, NOT_FOUND"})
    void eachStatusOfAWriteIsDecoded(String reply, StoreStatus status) {
        Decoding.assertDecoded(
                MetaCommandTest::set,
                reply + "\r\n",
                c -> assertThat(c.result().status()).isEqualTo(status));
        Decoding.assertDecoded(
                MetaCommandTest::delete,
                reply + "\r\n",
                c -> assertThat(c.result().status()).isEqualTo(status));
    }

    @Test
    void numbersOfArithmeticAreDecoded() {
        Decoding.assertDecoded(MetaCommandTest::count, "VA 20 t30 c9 O7\r\n18446744073709551615\r\n", c -> {
            assertThat(c.result().number('v')).isEqualTo(-1);
            assertThat(c.result().number('t')).isEqualTo(30);
        });
        for (String status : new String[] {"NF", "EX", "NS"}) {
            Decoding.assertDecoded(
                    MetaCommandTest::count,
                    status + " O7\r\n",
                    c -> assertThat(c.result().has('v')).isFalse());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'VA 1 O7\r\n0\r\n', 0",
        "'VA 2 O7\r\n10\r\n', 10",
        "'VA 2 O7\r\n9 \r\n', 9",
        "'VA 5 O7\r\n9    \r\n', 9",
        "'VA 19 O7\r\n9223372036854775807\r\n', 9223372036854775807",
        "'VA 1 t-1 O7 c4711 W\r\n3\r\n', 3",
    })
    void newNumberIsUnsignedAndMayHaveTrailingSpaces(String reply, long number) {
        Decoding.assertDecoded(
                MetaCommandTest::incr, reply, c -> assertThat(c.result()).isEqualTo(number));
    }

    @Test
    void missIsNotAReplyIfTheItemIsToBeCreated() {
        assertThat(Decoding.request(incrOrCreate())).isEqualTo("ma n N60 J5 D1 v O7\r\n");
        Decoding.assertDecoded(
                MetaCommandTest::incrOrCreate,
                "VA 1 O7\r\n5\r\n",
                c -> assertThat(c.result()).isEqualTo(5));
        Decoding.assertRejected(MetaCommandTest::incrOrCreate, "NF O7\r\n", "not a reply to ma");
        Decoding.assertDecoded(
                MetaCommandTest::incr, "NF O7\r\n", c -> assertThat(c.result()).isZero());
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERVER_ERROR out of memory", "CLIENT_ERROR bad command line format", "ERROR"})
    void errorToACommandWithoutADataBlockIsAnErrorReply(String line) {
        Decoding.assertDecoded(
                MetaCommandTest::delete,
                line + "\r\n",
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, line)));
    }

    @Test
    void unknownFlagIsAnErrorThatNamesTheVersionAndKeepsTheConnection() {
        Decoding.assertDecoded(
                MetaCommandTest::set,
                "CLIENT_ERROR invalid flag\r\n",
                c -> assertThat(c.errorReply())
                        .isEqualTo(new ErrorReply(
                                ErrorReply.Kind.UNSUPPORTED,
                                "the server answered CLIENT_ERROR invalid flag:"
                                        + " newCas or keepItem needs memcached 1.6.27 or later")));
        Decoding.assertDecoded(
                () -> command(Verb.DELETE, "b", null),
                "CLIENT_ERROR invalid or duplicate flag\r\n",
                c -> assertThat(c.errorReply().text())
                        .endsWith(": newCas or keepItem needs memcached 1.6.27 or later"));
    }

    @Test
    void valueAboveTheLimitIsSkipped() {
        Decoding.assertDecoded(
                MetaCommandTest::get,
                "VA 101 f0 O7\r\n" + "x".repeat(101) + "\r\n",
                c -> assertThat(c.errorReply().kind()).isEqualTo(ErrorReply.Kind.VALUE_TOO_LARGE));
    }

    @ParameterizedTest
    @CsvSource({
        "'VA 1 f0 O8\r\nx\r\n', another request",
        "'VA 1 f0\r\nx\r\n', without its opaque",
        "'VA 1 t-x O7\r\nx\r\n', other than digits",
        "'VA 1 t- O7\r\nx\r\n', without digits",
        "'VA 1 t O7\r\nx\r\n', without digits",
        "'VA 1 c-5x O7\r\nx\r\n', other than digits",
        "'HD O7\r\n', not a reply to mg",
        "'NF O7\r\n', not a reply to mg",
        "'NS O7\r\n', not a reply to mg",
        "'EN O8\r\n', another request",
        "'MN\r\n', not a reply to mg",
    })
    void unexpectedReplyToAGetIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaCommandTest::get, reply, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "'CLIENT_ERROR bad data chunk\r\n', cannot be trusted",
        "'CLIENT_ERROR bad command line format\r\n', cannot be trusted",
        "'HD O8\r\n', another request",
        "'HD\r\n', without its opaque",
        "'EN\r\n', not a reply to ms",
        "'VA 1 O7\r\nx\r\n', not a reply to ms",
    })
    void unexpectedReplyToASetIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaCommandTest::set, reply, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "'HD O6\r\n', another request",
        "'NF O70\r\n', another request",
        "'HD\r\n', without its opaque",
        "'NF\r\n', without its opaque",
        "'DELETED\r\n', not a reply to md",
        "'MN\r\n', not a reply to md",
        "'ERROR Too many open connections\r\n', cannot be trusted",
        "'CLIENT_ERROR bad data chunk\r\n', cannot be trusted",
    })
    void unexpectedReplyToADeleteIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaCommandTest::delete, reply, reason);
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
        "'VA 2 O7\r\n 1\r\n', is not a number",
        "'VA 65 O7\r\n', is not a number",
        "'VA -1 O7\r\n', other than digits",
        "'VA 1 O7\r\n12\r\n', not followed by CR LF",
        "'HD O7\r\n', not a reply to ma",
        "'EN\r\n', not a reply to ma",
        "'42\r\n', not a reply to ma",
    })
    void unexpectedReplyToArithmeticIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaCommandTest::count, reply, reason);
        Decoding.assertRejected(MetaCommandTest::incr, reply, reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EX O7\r\n", "NS O7\r\n"})
    void incrementWithoutConditionIsNotRefused(String reply) {
        Decoding.assertRejected(MetaCommandTest::incr, reply, "not a reply to ma");
    }
}
