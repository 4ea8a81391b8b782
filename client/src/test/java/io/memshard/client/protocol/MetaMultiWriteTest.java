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

    private static Write store(String key, String value) {
        return new Write(key, new MetaSet.Item(value.getBytes(ISO_8859_1), 0, 0));
    }

    private static MetaMultiWrite stores() {
        return MetaMultiWrite.stores(List.of(store("a", "1"), store("b", "22"), store("c", "")));
    }

    private static MetaMultiWrite deletes() {
        return MetaMultiWrite.deletes(List.of(Write.delete("a"), Write.delete("b"), Write.delete("c")));
    }

    private static MetaMultiWrite quietStores() {
        return MetaMultiWrite.stores(
                IntStream.range(0, 9).mapToObj(i -> store("k" + i, "")).toList());
    }

    private static Supplier<Command<MetaMultiWrite.Outcomes>> classic(Supplier<MetaMultiWrite> commands) {
        return () -> {
            try {
                return commands.get().classicForm();
            } catch (NoClassicFormException e) {
                throw new AssertionError(e);
            }
        };
    }

    /** The outcome in short: status, or the text of the error reply. */
    private static String text(Outcome outcome) {
        ErrorReply error = outcome.error();
        return error == null ? String.valueOf(outcome.status()) : error.text();
    }

    private static void decided(
            Supplier<? extends Command<MetaMultiWrite.Outcomes>> commands, String reply, String... outcomes) {
        Decoding.assertDecoded(commands, reply, command -> {
            assertThat(command.errorReply()).isNull();
            assertThat(command.result().undecided()).isFalse();
            assertThat(command.result().each().stream().map(MetaMultiWriteTest::text))
                    .containsExactly(outcomes);
        });
    }

    @Test
    void eachOfFewWritesHasAReply() {
        assertThat(Decoding.request(stores()))
                .isEqualTo("ms a 1 O7.0\r\n1\r\nms b 2 O7.1\r\n22\r\nms c 0 O7.2\r\n\r\n")
                .isEqualTo(Decoding.request(stores().again()));
        assertThat(stores().verb()).isEqualTo("ms");
        assertThat(stores().key()).isEqualTo("a");
        assertThat(Decoding.request(deletes())).isEqualTo("md a O7.0\r\nmd b O7.1\r\nmd c O7.2\r\n");
        assertThat(deletes().verb()).isEqualTo("md");
        decided(MetaMultiWriteTest::deletes, "HD O7.0\r\nNF O7.1\r\nHD O7.2\r\n", "DONE", "NOT_FOUND", "DONE");
    }

    @Test
    void statusThatRefusesAWriteIsAnError() {
        Decoding.assertDecoded(
                MetaMultiWriteTest::stores,
                "NS O7.0\r\nNF O7.1\r\nEX O7.2\r\n",
                command -> assertThat(command.result().each()).allMatch(outcome -> outcome.error() != null));
        Decoding.assertDecoded(
                MetaMultiWriteTest::deletes,
                "NS O7.0\r\nNF O7.1\r\nHD O7.2\r\n",
                command -> assertThat(command.result().each().stream().map(outcome -> outcome.error() != null))
                        .containsExactly(true, false, false));
    }

    @Test
    void moreStoresAreQuietUnlessRepliesAreRequested() {
        assertThat(Decoding.request(quietStores()))
                .startsWith("ms k0 0 q O7.0\r\n\r\n")
                .endsWith("ms k8 0 q O7.8\r\n\r\nmn\r\n")
                .isEqualTo(Decoding.request(quietStores().again()));
        assertThat(Decoding.request(quietStores().replied(quietStores().writes())))
                .endsWith("ms k8 0 O7.8\r\n\r\n");
    }

    @Test
    void storesCarryFlagsAndExptime() {
        Write write = new Write("\u00e9", new MetaSet.Item(new byte[] {'x'}, -1, 60));
        assertThat(Decoding.request(MetaMultiWrite.stores(List.of(write))))
                .isEqualTo("ms \u00c3\u00a9 1 F4294967295 T60 O7.0\r\nx\r\n");
    }

    @Test
    void silenceIsSuccessAndAnyReplyToAQuietStoreLeavesThemUndecided() {
        decided(MetaMultiWriteTest::quietStores, "MN\r\n", "DONE,".repeat(9).split(","));
        for (String reply : List.of("NS O7.1\r\n", TOO_LARGE + "\r\n", NO_MEMORY + "\r\n" + TOO_LARGE + "\r\n")) {
            Decoding.assertDecoded(MetaMultiWriteTest::quietStores, reply + "MN\r\n", command -> {
                assertThat(command.errorReply()).isNull();
                assertThat(command.result().undecided()).isTrue();
            });
        }
    }

    @Test
    void errorInPlaceOfAReplyIsForItsKey() {
        decided(MetaMultiWriteTest::stores, "HD O7.0\r\n" + TOO_LARGE + "\r\nHD O7.2\r\n", "DONE", TOO_LARGE, "DONE");
        decided(MetaMultiWriteTest::deletes, "HD O7.0\r\nHD O7.1\r\nERROR\r\n", "DONE", "DONE", "ERROR");
    }

    @Test
    void classicFormHasAReplyToEachWrite() {
        assertThat(Decoding.request(classic(MetaMultiWriteTest::stores).get()))
                .isEqualTo("set a 0 0 1\r\n1\r\nset b 0 0 2\r\n22\r\nset c 0 0 0\r\n\r\n");
        assertThat(classic(MetaMultiWriteTest::quietStores).get().verb()).isEqualTo("set");
        decided(
                classic(MetaMultiWriteTest::stores),
                "STORED\r\n" + NO_MEMORY + "\r\nSTORED\r\n",
                "DONE",
                NO_MEMORY,
                "DONE");
        decided(
                classic(MetaMultiWriteTest::deletes),
                "DELETED\r\nNOT_FOUND\r\nDELETED\r\n",
                "DONE",
                "NOT_FOUND",
                "DONE");
    }

    @ParameterizedTest
    @CsvSource({
        "'VA 1 O7.0\r\n', not a reply to ms",
        "'EN\r\n', not a reply to ms",
        "'CLIENT_ERROR bad data chunk\r\n', cannot be trusted",
        "'CLIENT_ERROR bad command line format\r\n', cannot be trusted",
        "'ERROR\r\n', cannot be trusted",
    })
    void unexpectedReplyToStoresIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaMultiWriteTest::quietStores, reply, reason);
        Decoding.assertRejected(MetaMultiWriteTest::stores, reply, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "'NS\r\n', without its opaque",
        "'NS O8\r\n', another request",
        "'NS O7\r\n', another request",
        "'NS O7.9\r\n', another request",
        "'NS O7.8\r\nNS O16777224\r\n', another request",
    })
    void replyToAQuietStoreRepeatsTheOpaqueOfAPart(String reply, String reason) {
        Decoding.assertRejected(MetaMultiWriteTest::quietStores, reply, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "'HD O7.1\r\n', another request",
        "'HD O7\r\n', another request",
        "'HD\r\n', without its opaque",
        "'HD O7.0\r\nHD O7.2\r\n', another request",
        "'HD O7.0\r\nMN\r\n', not a reply to md",
        "'ERROR Too many open connections\r\n', cannot be trusted",
    })
    void unexpectedReplyToDeletesIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaMultiWriteTest::deletes, reply, reason);
    }

    @Test
    void keysAreCheckedAndBoundedInNumber() {
        List<Write> many =
                IntStream.range(0, 101).mapToObj(i -> Write.delete("k" + i)).toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetaMultiWrite.deletes(many))
                .withMessageContaining("101 keys")
                .withMessageContaining("100");
        assertThat(Decoding.request(MetaMultiWrite.deletes(many.subList(0, 100))))
                .endsWith("md k99 O7.99\r\n");
        assertThatIllegalArgumentException().isThrownBy(() -> Write.delete("a b"));
    }
}
