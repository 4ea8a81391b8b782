// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.MetaFlags;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetaReleaseTest {

    private static MetaRelease look() {
        return MetaRelease.of("key", false, 0);
    }

    private static MetaRelease mark() {
        MetaRelease look = look();
        Decoding.decode(look, "HD c12 Z X O7\r\n");
        return look.releases().get(0);
    }

    private static MetaGet<String> get(MetaGet.Wanted wanted) {
        return new MetaGet<>("key", wanted, MetaGet.NO_TOUCH, (data, flags, casUnique) -> "hit");
    }

    private static MetaCommand<MetaReply> meta(String flags) {
        return new MetaCommand<>(MetaCommand.Verb.GET, "a2V5", MetaFlags.NONE.with(flags), null, reply -> reply);
    }

    static Stream<Supplier<Command<?>>> plainReads() {
        return Stream.of(
                () -> get(MetaGet.Wanted.VALUE),
                () -> get(MetaGet.Wanted.VALUE_AND_CAS),
                () -> meta("vf"),
                () -> meta("bv"));
    }

    @ParameterizedTest
    @MethodSource("plainReads")
    void plainReadThatHasWonReleasesTheClaim(Supplier<Command<?>> read) {
        Decoding.assertDecoded(
                read,
                "VA 3 f0 X W O7\r\nold\r\n",
                c -> assertThat(c.releases())
                        .singleElement()
                        .satisfies(
                                release -> assertThat(Decoding.request(release)).startsWith("mg " + c.key())));
        for (String flags : List.of("", " Z", " Z X")) {
            Decoding.assertDecoded(
                    read,
                    "VA 3 f0" + flags + " O7\r\nold\r\n",
                    c -> assertThat(c.releases()).isEmpty());
        }
        Decoding.assertDecoded(read, "EN\r\n", c -> assertThat(c.releases()).isEmpty());
    }

    @Test
    void touchAndMultiGetReleaseTheirClaims() {
        Decoding.assertDecoded(
                () -> get(MetaGet.Wanted.NOTHING),
                "HD X W O7\r\n",
                c -> assertThat(c.releases()).hasSize(1));
        Decoding.assertDecoded(
                () -> new MetaMultiGet<>(List.of("a", "b", "c", "d"), (data, flags, casUnique) -> "hit"),
                "VA 1 f0 X W O7.0\r\n1\r\nVA 1 f0 Z X O7.1\r\n2\r\nEN\r\nVA 0 f0 X W O7.3\r\n\r\n",
                c -> assertThat(c.releases()).extracting(MetaRelease::key).containsExactly("a", "d"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"vN", "vR", "vc"})
    void requestThatWantsToWinKeepsTheClaim(String flags) {
        Decoding.assertDecoded(() -> meta(flags), "VA 3 c5 X W O7\r\nold\r\n", c -> {
            assertThat(c.releases()).isEmpty();
            assertThat(c.result().has('W')).isTrue();
        });
    }

    @Test
    void requestThatWantsNoClaimHasNoWinFlag() {
        Decoding.assertDecoded(() -> meta("v"), "VA 0 X W O7\r\n\r\n", c -> {
            assertThat(c.result().has('W')).isFalse();
            assertThat(c.result().has('X')).isTrue();
            assertThat(c.result().isPlaceholder()).isTrue();
        });
    }

    @Test
    void callerThatHasTheCasUniqueHasTimeToStore() {
        MetaGet<String> gets = get(MetaGet.Wanted.VALUE_AND_CAS);
        Decoding.decode(gets, "VA 3 f0 c5 X W O7\r\nold\r\n");
        assertThat(gets.releases().get(0).delayNanos()).isEqualTo(1_000_000_000);
        assertThat(look().delayNanos()).isZero();
    }

    @Test
    void claimIsReleasedInTwoSteps() {
        assertThat(Decoding.request(look())).isEqualTo("mg key c O7\r\n");
        assertThat(Decoding.request(mark())).isEqualTo("md key C12 I O7\r\n");
        assertThat(Decoding.request(MetaRelease.of("a2V5", true, 0))).isEqualTo("mg a2V5 b c O7\r\n");
        assertThat(look().verb()).isEqualTo("mg");
        assertThat(mark().verb()).isEqualTo("md");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HD c12 O7", "HD c12 Z O7", "EN", "EN O7", "HD c0 X Z O7", "SERVER_ERROR out of memory"})
    void itemThatIsNoLongerStaleIsLeftUnchanged(String reply) {
        Decoding.assertDecoded(
                MetaReleaseTest::look,
                reply + "\r\n",
                c -> assertThat(c.releases()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"HD c13 O7", "EX O7", "NF O7"})
    void theSecondStepIsTheLast(String reply) {
        Decoding.assertDecoded(
                MetaReleaseTest::mark,
                reply + "\r\n",
                c -> assertThat(c.releases()).isEmpty());
    }
}
