// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.NoClassicFormException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetaMultiWriteTest {

    private static final String TOO_LARGE = "SERVER_ERROR object too large for cache";
    private static final String NO_MEMORY = "SERVER_ERROR out of memory storing object";

    /** The opaques of the three requests. */
    private static final String A = " O" + (0x100000 + Decoding.OPAQUE) + "\r\n";

    private static final String B = " O" + (0x200000 + Decoding.OPAQUE) + "\r\n";
    private static final String C = " O" + (0x300000 + Decoding.OPAQUE) + "\r\n";

    private static Write store(String key, String value) {
        return new Write(key, new MetaSet.Item(value.getBytes(ISO_8859_1), 0, 0));
    }

    private final Supplier<MetaMultiWrite> deletes =
            () -> new MetaMultiWrite(List.of(Write.delete("a"), Write.delete("b"), Write.delete("c")));
    private final Supplier<MetaMultiWrite> stores =
            () -> new MetaMultiWrite(List.of(store("a", "1"), store("b", "22"), store("c", "")));

    private static String text(Outcome outcome) {
        ErrorReply error = outcome.error();
        return error == null ? String.valueOf(outcome.status()) : error.text();
    }

    /** Checks the outcomes: the status, or the text of the error reply. */
    private static void decided(Supplier<MetaMultiWrite> commands, String reply, String... outcomes) {
        Decoding.assertDecoded(commands, reply, command -> {
            assertThat(command.errorReply()).isNull();
            assertThat(command.result()).extracting(MetaMultiWriteTest::text).containsExactly(outcomes);
        });
    }

    @Test
    void eachStoreHasAReply() {
        assertThat(Decoding.request(stores.get()))
                .isEqualTo("ms a 1" + A + "1\r\nms b 2" + B + "22\r\nms c 0" + C + "\r\n");
        assertThat(stores.get().verb()).isEqualTo("ms");
        assertThat(stores.get().key()).isEqualTo("a");
        decided(stores, "HD" + A + "HD" + B + "HD" + C, "DONE", "DONE", "DONE");
    }

    @Test
    void storesCarryFlagsAndExptime() {
        Write write = new Write("\u00e9", new MetaSet.Item(new byte[] {'x'}, -1, 60));
        assertThat(Decoding.request(new MetaMultiWrite(List.of(write))))
                .isEqualTo("ms \u00c3\u00a9 1 F4294967295 T60" + A + "x\r\n");
    }

    @Test
    void eachDeleteHasAReply() {
        assertThat(Decoding.request(deletes.get())).isEqualTo("md a" + A + "md b" + B + "md c" + C);
        assertThat(deletes.get().verb()).isEqualTo("md");
        decided(deletes, "HD" + A + "NF" + B + "HD" + C, "DONE", "NOT_FOUND", "DONE");
    }

    @Test
    void statusThatRefusesAWriteIsAnError() {
        Decoding.assertDecoded(
                stores,
                "NS" + A + "NF" + B + "EX" + C,
                command -> assertThat(command.result()).allMatch(outcome -> outcome.error() != null));
        Decoding.assertDecoded(
                deletes,
                "NS" + A + "NF" + B + "EX" + C,
                command -> assertThat(command.result())
                        .extracting(Outcome::status)
                        .containsExactly(null, StoreStatus.NOT_FOUND, null));
    }

    @Test
    void errorInPlaceOfAReplyIsForItsKey() {
        decided(stores, "HD" + A + TOO_LARGE + "\r\nHD" + C, "DONE", TOO_LARGE, "DONE");
        decided(stores, NO_MEMORY + "\r\nHD" + B + "HD" + C, NO_MEMORY, "DONE", "DONE");
        decided(deletes, "HD" + A + "HD" + B + "ERROR\r\n", "DONE", "DONE", "ERROR");
        Decoding.assertDecoded(
                stores,
                "HD" + A + TOO_LARGE + "\r\nHD" + C,
                command ->
                        assertThat(command.result().get(1).error().kind()).isEqualTo(ErrorReply.Kind.VALUE_TOO_LARGE));
    }

    @Test
    void resultNeedsAReplyForEachKey() {
        Decoding.assertIncomplete(stores, "HD" + A + "HD" + B + ("HD" + C).replace("\n", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "HD O7, another request",
        "HD O2097159, another request",
        "HD, without its opaque",
        "VA 1 O1048583, not a reply to ms",
        "EN, not a reply to ms",
        "MN, not a reply to ms",
        "CLIENT_ERROR bad data chunk, cannot be trusted",
        "CLIENT_ERROR bad command line format, cannot be trusted",
        "ERROR, cannot be trusted",
    })
    void whatIsNotAReplyToStoresIsRejected(String reply, String reason) {
        Decoding.assertRejected(stores, reply + "\r\n", reason);
    }

    @Test
    void replyOutOfOrderIsRejected() {
        Decoding.assertRejected(deletes, "HD" + A + "HD" + C, "another request");
        Decoding.assertRejected(deletes, "HD" + A + "ERROR Too many open connections\r\n", "cannot be trusted");
    }

    @Test
    void classicFormHasACommandForEachKeyToo() throws NoClassicFormException {
        MetaMultiWrite sent = stores.get();
        Command<List<Outcome>> classic = sent.classicForm();
        assertThat(Decoding.request(classic)).isEqualTo("set a 0 0 1\r\n1\r\nset b 0 0 2\r\n22\r\nset c 0 0 0\r\n\r\n");
        assertThat(sent.verb()).isEqualTo("set");
        assertThat(Decoding.request(deletes.get().classicForm())).isEqualTo("delete a\r\ndelete b\r\ndelete c\r\n");
    }

    @Test
    void keysAreCheckedAndBoundedInNumber() {
        List<Write> many =
                IntStream.range(0, 101).mapToObj(i -> Write.delete("k" + i)).toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MetaMultiWrite(many))
                .withMessageContaining("101 keys")
                .withMessageContaining("100");
        assertThat(Decoding.request(new MetaMultiWrite(many.subList(0, 100))))
                .endsWith("md k99 O" + (100 * 0x100000 + Decoding.OPAQUE) + "\r\n");
        assertThatIllegalArgumentException().isThrownBy(() -> Write.delete("a b"));
    }
}
