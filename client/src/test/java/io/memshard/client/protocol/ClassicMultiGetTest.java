// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassicMultiGetTest {

    private static MetaMultiGet<String> meta(List<String> keys) {
        return new MetaMultiGet<>(keys, (data, flags, cas) -> flags + ":" + new String(data, ISO_8859_1));
    }

    private static Command<FoundItems<String>> abc() {
        return meta(List.of("a", "b", "c")).classicForm();
    }

    @Test
    void requestIsOneLine() {
        assertThat(Decoding.request(abc())).isEqualTo("get a b c\r\n");
        assertThat(Decoding.request(meta(List.of("\u00e9", "b")).classicForm())).isEqualTo("get \u00c3\u00a9 b\r\n");
    }

    @Test
    void casUniquesAreReadWithGets() {
        Supplier<Command<FoundItems<Long>>> command = () -> new MetaMultiGet<>(
                        List.of("a", "b"),
                        MetaGet.Wanted.VALUE_AND_CAS,
                        MetaGet.NO_TOUCH,
                        (data, flags, casUnique) -> casUnique)
                .classicForm();
        assertThat(Decoding.request(command.get())).isEqualTo("gets a b\r\n");
        assertThat(command.get().verb()).isEqualTo("gets");
        Decoding.assertDecoded(
                command,
                "VALUE a 0 1 5\r\n1\r\nEND\r\n",
                c -> assertThat(c.result().hits()).isEqualTo(Map.of("a", 5L)));
        Decoding.assertDecoded(
                command,
                "VALUE a 0 1\r\n1\r\nVALUE b 0 1\r\n2\r\nEND\r\n",
                c -> assertThat(c.result().errors())
                        .isEqualTo(Map.of("a", ClassicGetTest.NO_CAS, "b", ClassicGetTest.NO_CAS)));
    }

    @Test
    void newTimeToLiveIsSetByTouchesBefore() {
        Supplier<Command<FoundItems<String>>> command =
                () -> new MetaMultiGet<>(List.of("a", "b"), MetaGet.Wanted.VALUE, 60, (data, flags, casUnique) -> "hit")
                        .classicForm();
        assertThat(Decoding.request(command.get())).isEqualTo("touch a 60\r\ntouch b 60\r\nget a b\r\n");
        Decoding.assertDecoded(
                command,
                "NOT_FOUND\r\nTOUCHED\r\nVALUE b 0 1\r\n1\r\nEND\r\n",
                c -> assertThat(c.result().hits()).isEqualTo(Map.of("b", "hit")));
        Decoding.assertDecoded(
                command,
                "SERVER_ERROR no\r\nTOUCHED\r\nVALUE b 0 1\r\n1\r\nEND\r\n",
                c -> assertThat(c.result().errors()).containsOnlyKeys("a", "b"));
    }

    @Test
    void hitsAreGivenByKeyInTheOrderOfTheKeys() {
        Decoding.assertDecoded(
                ClassicMultiGetTest::abc,
                "VALUE a 1 2\r\nva\r\nVALUE b 2 0\r\n\r\nVALUE c 3 5\r\nEND\r\n\r\nEND\r\n",
                c -> assertThat(c.result().hits().toString()).isEqualTo("{a=1:va, b=2:, c=3:END\r\n}"));
    }

    @Test
    void hitsMayComeInAnyOrderWithMissesAmongThem() {
        Decoding.assertDecoded(
                ClassicMultiGetTest::abc,
                "VALUE c 0 1\r\nx\r\nVALUE a 0 1\r\ny\r\nEND\r\n",
                c -> assertThat(c.result().hits().toString()).isEqualTo("{a=0:y, c=0:x}"));
        Decoding.assertDecoded(
                ClassicMultiGetTest::abc,
                "END\r\n",
                c -> assertThat(c.result().hits()).isEmpty());
    }

    @Test
    void keysOutsideOfAsciiAreComparedByTheirBytes() {
        Supplier<Command<FoundItems<String>>> command =
                () -> meta(List.of("\u00e9", "ab\u00e9")).classicForm();
        Decoding.assertDecoded(
                command,
                "VALUE \u00c3\u00a9 0 1\r\nx\r\nVALUE ab\u00c3\u00a9 0 1\r\ny\r\nEND\r\n",
                c -> assertThat(c.result().hits()).isEqualTo(Map.of("\u00e9", "0:x", "ab\u00e9", "0:y")));
        // As many bytes as the key has characters, and each the number of its character.
        Decoding.assertRejected(command, "VALUE \u00e9 0 1\r\nx\r\nEND\r\n", "an unrequested key");
    }

    @Test
    void valueAboveTheLimitFailsOnlyItsKey() {
        Decoding.assertDecoded(
                ClassicMultiGetTest::abc,
                "VALUE a 0 1\r\na\r\nVALUE b 0 101\r\n" + "y".repeat(101) + "\r\nVALUE c 0 1\r\nc\r\nEND\r\n",
                c -> {
                    assertThat(c.errorReply()).isNull();
                    assertThat(c.result().hits().toString()).isEqualTo("{a=0:a, c=0:c}");
                    assertThat(c.result().errors()).containsOnlyKeys("b");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "'VALUE d 0 1\r\nx\r\n', another request",
        "'VALUE a 0 1\r\nx\r\nVALUE a 0 1\r\nx\r\n', another request",
        "'VALUE a 0 -1\r\n', other than digits",
        "'VALUE a x 1\r\n', other than digits",
        "'VALUE a 0\r\n', without length",
        "'VALUE a\r\n', without flags",
        "'VALUE a 0 2147483648\r\n', impossible length",
        "'VALUE a 0 1\r\nxy\r\n', not followed by CR LF",
        "'MN\r\n', not a reply to get",
        "'STORED\r\n', not a reply to get",
        "'\r\n', not a reply to get",
        "'CLIENT_ERROR line too long\r\n', cannot be trusted",
    })
    void unexpectedReplyIsRejected(String reply, String reason) {
        Decoding.assertRejected(ClassicMultiGetTest::abc, reply, reason);
    }

    @Test
    void valueThatWasSkippedMayNotComeAgain() {
        String skipped = "VALUE a 0 101\r\n" + "y".repeat(101) + "\r\n";
        Decoding.assertRejected(ClassicMultiGetTest::abc, skipped + skipped, "another request");
    }
}
