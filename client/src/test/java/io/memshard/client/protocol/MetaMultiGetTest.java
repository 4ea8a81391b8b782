// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetaMultiGetTest {

    private static final MetaGet.Hit<String> TEXT = (data, flags, cas) -> flags + ":" + new String(data, ISO_8859_1);

    private static MetaMultiGet<String> command(List<String> keys) {
        return new MetaMultiGet<>(keys, TEXT);
    }

    private static MetaMultiGet<String> abc() {
        return command(List.of("a", "b", "c"));
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
    }

    @Test
    void requestIsOneGetForEachKey() {
        assertThat(Decoding.request(abc())).isEqualTo("mg a v f O7.0\r\nmg b v f O7.1\r\nmg c v f O7.2\r\n");
        assertThat(Decoding.request(command(List.of("\u00e9")))).isEqualTo("mg \u00c3\u00a9 v f O7.0\r\n");
    }

    @Test
    void casUniqueAndNewTimeToLiveAreRequestedToo() {
        MetaMultiGet<Long> command = new MetaMultiGet<>(
                List.of("a", "b"), MetaGet.Wanted.VALUE_AND_CAS, 60, (data, flags, casUnique) -> casUnique);
        assertThat(Decoding.request(command)).isEqualTo("mg a v f c T60 O7.0\r\nmg b v f c T60 O7.1\r\n");
        Decoding.decode(command, "VA 1 f0 c5 O7.0\r\n1\r\nVA 1 f0 c6 W O7.1\r\n2\r\n");
        assertThat(command.result().hits()).isEqualTo(Map.of("a", 5L, "b", 6L));
        assertThat(command.releases())
                .singleElement()
                .satisfies(release -> assertThat(release.delayNanos()).isEqualTo(MetaRelease.CAS_DELAY_NANOS));
    }

    @Test
    void oneCommandHasUpToAHundredKeysEachChecked() {
        assertThat(Decoding.request(command(keys(100)))).contains("mg k99 v f O7.99\r\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> command(keys(101)))
                .withMessageContaining("101 keys")
                .withMessageContaining("100");
        assertThatIllegalArgumentException().isThrownBy(() -> command(List.of("a", "b c")));
        assertThatIllegalArgumentException().isThrownBy(() -> command(List.of("a", "")));
    }

    @Test
    void hitsAreGivenByKeyInTheOrderOfTheKeys() {
        Decoding.assertDecoded(
                MetaMultiGetTest::abc,
                "VA 2 f1 O7.0\r\nva\r\nVA 0 f2 O7.1\r\n\r\nVA 4 f3 O7.2\r\nMN\r\n\r\n",
                c -> assertThat(c.result().hits().toString()).isEqualTo("{a=1:va, b=2:, c=3:MN\r\n}"));
    }

    @Test
    void missesAreAbsent() {
        Decoding.assertDecoded(
                MetaMultiGetTest::abc,
                "EN\r\nEN O7.1\r\nEN\r\n",
                c -> assertThat(c.result().hits()).isEmpty());
        Decoding.assertDecoded(
                MetaMultiGetTest::abc,
                "EN\r\nVA 1 f0 O7.1\r\nb\r\nEN\r\n",
                c -> assertThat(c.result().hits().toString()).isEqualTo("{b=0:b}"));
    }

    @Test
    void valueAboveTheLimitFailsOnlyItsKey() {
        Decoding.assertDecoded(
                MetaMultiGetTest::abc,
                "VA 1 f0 O7.0\r\na\r\nVA 101 f0 O7.1\r\n" + "y".repeat(101) + "\r\nVA 1 f0 O7.2\r\nc\r\n",
                c -> {
                    assertThat(c.errorReply()).isNull();
                    assertThat(c.result().hits().toString()).isEqualTo("{a=0:a, c=0:c}");
                    assertThat(c.result().errors().toString()).contains("b=", "value of 101 bytes is above");
                    assertThat(c.hits()).isEqualTo(3);
                });
    }

    @Test
    void emptyItemThatIsBeingLoadedIsAMiss() {
        Decoding.assertDecoded(
                MetaMultiGetTest::abc,
                "VA 0 f0 Z O7.0\r\n\r\nVA 0 f0 O7.1\r\n\r\nVA 0 f0 O7.2 W\r\n\r\n",
                c -> assertThat(c.result().hits().toString()).isEqualTo("{b=0:}"));
    }

    private static MetaMultiGet<String> line() {
        return ofValues(List.of("a", "b", "c", "d", "e", "f", "g", "h", "i"));
    }

    private static MetaMultiGet<String> ofValues(List<String> keys) {
        return MetaMultiGet.ofValues(keys, TEXT);
    }

    @Test
    void fewValuesAreReadByMg() {
        assertThat(Decoding.request(ofValues(List.of("a", "b", "c")))).isEqualTo(Decoding.request(abc()));
    }

    @Test
    void errorForOneOfFewKeysIsItsReply() {
        Decoding.assertDecoded(
                MetaMultiGetTest::abc,
                "VA 1 f0 O7.0\r\na\r\nSERVER_ERROR out of memory\r\nVA 1 f0 O7.2\r\nc\r\n",
                c -> {
                    assertThat(c.errorReply()).isNull();
                    assertThat(c.hits()).isEqualTo(2);
                    assertThat(c.result().hits().toString()).isEqualTo("{a=0:a, c=0:c}");
                    assertThat(c.result().errors()).containsOnlyKeys("b");
                    assertThat(c.result().errors().get("b").text()).isEqualTo("SERVER_ERROR out of memory");
                });
        Decoding.assertDecoded(
                MetaMultiGetTest::abc,
                "SERVER_ERROR x\r\nEN\r\nCLIENT_ERROR y\r\n",
                c -> assertThat(c.result().errors()).containsOnlyKeys("a", "c"));
    }

    @Test
    void oneLineRequestsAllKeysByGet() {
        assertThat(Decoding.request(line()))
                .isEqualTo("get a b c d e f g h i\r\n")
                .isEqualTo(Decoding.request(line().again()));
        assertThat(line().verb()).isEqualTo("get");
        assertThat(line().operation()).isEqualTo("multiGet");
        assertThat(Decoding.request(line().only(List.of("b")))).isEqualTo("mg b v f O7.0\r\n");
    }

    @Test
    void emptyValueWithoutFlagsLeavesItsKeyUnsureInOneLine() {
        Decoding.assertDecoded(
                MetaMultiGetTest::line, "VALUE a 0 0\r\n\r\nVALUE b 5 0\r\n\r\nVALUE c 0 1\r\nc\r\nEND\r\n", c -> {
                    assertThat(c.errorReply()).isNull();
                    assertThat(c.result().hits().toString()).isEqualTo("{b=5:, c=0:c}");
                    assertThat(c.result().unsure()).containsExactly("a");
                });
    }

    @Test
    void flagsThatWereNotRequestedAreIgnored() {
        Decoding.assertDecoded(
                MetaMultiGetTest::abc,
                "EN\r\nEN\r\nVA 1 W O7.2 kc Z f5\r\nc\r\n",
                c -> assertThat(c.result().hits().toString()).isEqualTo("{c=5:c}"));
    }

    @ParameterizedTest
    @CsvSource({
        "'VA 1 f0 O8\r\nx\r\n', another request",
        "'VA 1 f0 O7.3\r\nx\r\n', another request",
        "'EN O7.1\r\n', another request",
        "'VA 1 f0 O7.0\r\nx\r\nVA 1 f0 O7.0\r\nx\r\n', another request",
        "'VA 1 f0\r\nx\r\n', without its opaque",
        "'VA 1 f0 O7\r\nx\r\n', another request",
        "'VA 1 f0 O\r\nx\r\n', without digits",
        "'EN\r\nVA 1 f0 O7.2\r\nc\r\n', another request",
        "'MN\r\n', not a reply to mg",
        "'HD O7.0\r\n', not a reply to mg",
        "'ERROR Too many open connections\r\n', cannot be trusted",
        "'VA -1 f0 O7.0\r\n', other than digits",
        "'VA 2147483648 f0 O7.0\r\n', impossible length",
        "'VA 1 f0 O7.0\r\nxy\r\n', not followed by CR LF",
    })
    void unexpectedReplyIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaMultiGetTest::abc, reply, reason);
    }
}
