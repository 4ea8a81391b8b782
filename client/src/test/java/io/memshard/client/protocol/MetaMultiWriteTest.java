// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.wire.ErrorReply;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetaMultiWriteTest {

    private static final String TOO_LARGE = "SERVER_ERROR object too large for cache";
    private static final String NO_MEMORY = "SERVER_ERROR out of memory storing object";

    private static Write store(String key, String value) {
        return new Write(key, new MetaSet.Item(value.getBytes(ISO_8859_1), 0, 0));
    }

    private static MetaMultiWrite quietStores() {
        return quietStores(store("a", "1"), store("b", "22"), store("c", ""));
    }

    private static MetaMultiWrite quietStores(Write... writes) {
        return new MetaMultiWrite(List.of(writes), true, true);
    }

    private static MetaMultiWrite stores() {
        return MetaMultiWrite.stores(List.of(store("a", "1"), store("b", "22"), store("c", "")));
    }

    private static MetaMultiWrite deletes() {
        return MetaMultiWrite.deletes(List.of(new Write("a", null), new Write("b", null), new Write("c", null)));
    }

    /** The outcomes in short: status, or the text of the error reply. */
    private static List<String> outcomes(MetaMultiWrite command) {
        return command.result().each().stream().map(MetaMultiWriteTest::text).toList();
    }

    private static String text(Outcome outcome) {
        ErrorReply error = outcome.error();
        return error == null ? String.valueOf(outcome.status()) : error.text();
    }

    private static void decided(Supplier<MetaMultiWrite> commands, String reply, String... outcomes) {
        Decoding.assertDecoded(commands, reply, command -> {
            assertThat(command.errorReply()).isNull();
            assertThat(command.result().undecided()).isFalse();
            assertThat(outcomes(command)).containsExactly(outcomes);
        });
    }

    @Test
    void quietStoresAreClosedByABarrier() {
        assertThat(Decoding.request(quietStores()))
                .isEqualTo("ms a 1 O7.0 q\r\n1\r\nms b 2 O7.1 q\r\n22\r\nms c 0 O7.2 q\r\n\r\nmn\r\n");
        assertThat(quietStores().verb()).isEqualTo("ms");
        assertThat(quietStores().key()).isEqualTo("a");
    }

    @Test
    void storesWithRepliesNeedNoBarrier() {
        assertThat(Decoding.request(stores()))
                .isEqualTo("ms a 1 O7.0\r\n1\r\nms b 2 O7.1\r\n22\r\nms c 0 O7.2\r\n\r\n");
    }

    @Test
    void moreThanFewStoresAreQuiet() {
        List<Write> many = IntStream.range(0, KeysCommand.FEW_KEYS + 1)
                .mapToObj(i -> store("k" + i, ""))
                .toList();
        List<Write> few = many.subList(1, many.size());
        assertThat(Decoding.request(MetaMultiWrite.stores(many)))
                .contains("ms k8 0 O7.8 q\r\n")
                .endsWith("mn\r\n");
        assertThat(Decoding.request(MetaMultiWrite.stores(few)))
                .endsWith("ms k8 0 O7.7\r\n\r\n")
                .isEqualTo(Decoding.request(MetaMultiWrite.stores(many).replied(few)));
        assertThat(Decoding.request(MetaMultiWrite.stores(many).replied(many))).endsWith("ms k8 0 O7.8\r\n\r\n");
    }

    @Test
    void storesCarryFlagsAndExptime() {
        Write write = new Write("\u00e9", new MetaSet.Item(new byte[] {'x'}, -1, 60));
        assertThat(Decoding.request(quietStores(write)))
                .isEqualTo("ms \u00c3\u00a9 1 F4294967295 T60 O7.0 q\r\nx\r\nmn\r\n");
    }

    @Test
    void eachDeleteHasAReply() {
        assertThat(Decoding.request(deletes())).isEqualTo("md a O7.0\r\nmd b O7.1\r\nmd c O7.2\r\n");
        assertThat(deletes().verb()).isEqualTo("md");
        decided(deletes, "HD O7.0\r\nNF O7.1\r\nHD O7.2\r\n", "DONE", "NOT_FOUND", "DONE");
    }

    @Test
    void statusThatRefusesAWriteIsAnError() {
        Decoding.assertDecoded(
                stores,
                "NS O7.0\r\nNF O7.1\r\nEX O7.2\r\n",
                command -> assertThat(command.result().each())
                        .noneMatch(MetaMultiWrite.Outcome::isDone)
                        .allMatch(outcome -> outcome.error() != null));
        Decoding.assertDecoded(
                deletes,
                "NS O7.0\r\nNF O7.1\r\nHD O7.2\r\n",
                command -> assertThat(command.result().each().stream().map(MetaMultiWrite.Outcome::isDone))
                        .containsExactly(false, true, true));
    }

    private final Supplier<MetaMultiWrite> deletes = MetaMultiWriteTest::deletes;
    private final Supplier<MetaMultiWrite> stores = MetaMultiWriteTest::stores;
    private final Supplier<MetaMultiWrite> quietStores = MetaMultiWriteTest::quietStores;

    @Test
    void silenceIsSuccess() {
        decided(quietStores, "MN\r\n", "DONE", "DONE", "DONE");
    }

    @Test
    void replyToAQuietStoreIsForItsKey() {
        decided(quietStores, "NS O7.1\r\nMN\r\n", "DONE", "NOT_STORED", "DONE");
        decided(quietStores, "HD O7.0\r\nNS kc O7.2\r\nMN\r\n", "DONE", "DONE", "NOT_STORED");
    }

    @Test
    void errorsOfAllSilentKeysAreInTheirOrder() {
        decided(
                quietStores,
                TOO_LARGE + "\r\n" + NO_MEMORY + "\r\n" + TOO_LARGE + "\r\nMN\r\n",
                TOO_LARGE,
                NO_MEMORY,
                TOO_LARGE);
        decided(
                quietStores,
                NO_MEMORY + "\r\nNS O7.1\r\n" + TOO_LARGE + "\r\nMN\r\n",
                NO_MEMORY,
                "NOT_STORED",
                TOO_LARGE);
        decided(() -> quietStores(store("a", "1")), TOO_LARGE + "\r\nMN\r\n", TOO_LARGE);
    }

    @Test
    void errorsOfSomeSilentKeysDoNotShowWhich() {
        Decoding.assertDecoded(quietStores, TOO_LARGE + "\r\nMN\r\n", command -> {
            assertThat(command.errorReply()).isNull();
            assertThat(command.result().undecided()).isTrue();
            assertThat(outcomes(command)).containsExactly(TOO_LARGE, TOO_LARGE, TOO_LARGE);
        });
        Decoding.assertDecoded(quietStores, NO_MEMORY + "\r\n" + TOO_LARGE + "\r\nMN\r\n", command -> {
            assertThat(command.result().undecided()).isTrue();
            assertThat(outcomes(command)).containsExactly(NO_MEMORY, NO_MEMORY, NO_MEMORY);
        });
    }

    @Test
    void errorInPlaceOfAReplyIsForItsKey() {
        decided(stores, "HD O7.0\r\n" + TOO_LARGE + "\r\nHD O7.2\r\n", "DONE", TOO_LARGE, "DONE");
        decided(stores, NO_MEMORY + "\r\nHD O7.1\r\nHD O7.2\r\n", NO_MEMORY, "DONE", "DONE");
        decided(deletes, "HD O7.0\r\nHD O7.1\r\nERROR\r\n", "DONE", "DONE", "ERROR");
        Decoding.assertDecoded(
                stores,
                "HD O7.0\r\n" + TOO_LARGE + "\r\nHD O7.2\r\n",
                command -> assertThat(command.result().each().get(1).error().kind())
                        .isEqualTo(ErrorReply.Kind.VALUE_TOO_LARGE));
    }

    @Test
    void resultNeedsAReplyForEachKey() {
        Decoding.assertIncomplete(quietStores, "NS O7.0\r\n" + TOO_LARGE + "\r\nMN\r");
        Decoding.assertIncomplete(stores, "HD O7.0\r\nHD O7.1\r\nHD O7.2\r");
    }

    @ParameterizedTest
    @CsvSource({
        "'HD O8.0\r\n', another request",
        "'HD\r\n', without its opaque",
        "'HD O7.3\r\n', without its opaque",
        "'HD O7.18446744073709551615\r\n', without its opaque",
        "'HD O7\r\n', without '.'",
        "'HD O7.1\r\nHD O7.0\r\n', out of order",
        "'HD O7.1\r\nHD O7.1\r\n', out of order",
        "'VA 1 O7.0\r\n', not a reply to ms",
        "'EN\r\n', not a reply to ms",
        "'CLIENT_ERROR bad data chunk\r\n', cannot be trusted",
        "'CLIENT_ERROR bad command line format\r\n', cannot be trusted",
        "'ERROR\r\n', cannot be trusted",
    })
    void whatIsNotAReplyToQuietStoresIsRejected(String reply, String reason) {
        Decoding.assertRejected(quietStores, reply, reason);
    }

    @Test
    void moreErrorsThanKeysAreRejected() {
        String error = TOO_LARGE + "\r\n";
        Decoding.assertRejected(quietStores, error.repeat(4), "more errors than keys");
        Decoding.assertRejected(quietStores, "HD O7.0\r\n" + error.repeat(3) + "MN\r\n", "more errors than keys");
    }

    @ParameterizedTest
    @CsvSource({
        "'HD O7.1\r\n', out of order",
        "'HD O7.0\r\nHD O7.2\r\n', out of order",
        "'HD O7.0\r\nMN\r\n', not a reply to md",
        "'HD O8.0\r\n', another request",
        "'ERROR Too many open connections\r\n', cannot be trusted",
    })
    void whatIsNotAReplyToDeletesIsRejected(String reply, String reason) {
        Decoding.assertRejected(deletes, reply, reason);
    }

    @Test
    void keysAreCheckedAndBoundedInNumber() {
        List<Write> many =
                IntStream.range(0, 101).mapToObj(i -> new Write("k" + i, null)).toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetaMultiWrite.deletes(many))
                .withMessageContaining("101 keys")
                .withMessageContaining("100");
        assertThat(Decoding.request(MetaMultiWrite.deletes(many.subList(0, 100))))
                .endsWith("md k99 O7.99\r\n");
        assertThatIllegalArgumentException().isThrownBy(() -> MetaMultiWrite.deletes(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Write("a b", null));
        Stream.<Runnable>of(
                        () -> MetaMultiWrite.deletes(Arrays.asList(store("a", "1"))),
                        () -> MetaMultiWrite.stores(Arrays.asList(new Write("a", null))))
                .forEach(making -> assertThatIllegalArgumentException()
                        .isThrownBy(making::run)
                        .withMessageContaining("a command has both stores and deletes"));
    }
}
