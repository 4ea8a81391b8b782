// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.sample.catalogue.Product;
import io.memshard.sample.shop.Moment.Run;
import io.memshard.sample.shop.Moment.ServerView;
import io.memshard.template.Engine;
import io.memshard.template.Mode;
import io.memshard.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwitchboardIT {

    private static final Duration LONG = Duration.ofMinutes(1);

    private static final String REQUEST_TIMEOUT = "memcached.request-timeout";

    @BeforeAll
    static void letNoRequestTimeOut() {
        System.setProperty(REQUEST_TIMEOUT, "30s");
    }

    @AfterAll
    static void restore() {
        System.clearProperty(REQUEST_TIMEOUT);
    }

    private static Setup setup(Engine engine, Mode mode, int threads) {
        return new Setup(engine, mode, false, threads);
    }

    @ParameterizedTest
    @CsvSource({
        "MEMSHARD, POOLED", "MEMSHARD, SINGLE", "MEMSHARD, SHARDED",
        "SPYMEMCACHED, POOLED", "SPYMEMCACHED, SINGLE", "SPYMEMCACHED, SHARDED"
    })
    void theShopIsCachedInEachModeOfEachEngine(Engine engine, Mode mode) {
        try (Servers servers = Servers.start(2, false);
                Switchboard switchboard = new Switchboard(setup(engine, mode, 0), servers)) {
            Product first = switchboard.catalogue().product(1);
            assertThat(switchboard.catalogue().product(1)).isEqualTo(first);
            assertThat(switchboard.catalogue().shelf(1))
                    .isEqualTo(switchboard.catalogue().shelf(1));
            Moment moment = switchboard.second();

            assertThat(moment.second().hitRatio()).isEqualTo(0.5);
            assertThat(moment.second().lost()).isZero();
            List<String> states = List.of("UP", engine == Engine.SPYMEMCACHED ? ServerView.UNUSED : "UP");
            Eventually.eventually(
                    states.toString(),
                    () -> switchboard.second().servers().stream()
                            .map(ServerView::state)
                            .toList()
                            .equals(states));
            switchboard.catalogue().changePrice(1, first.cents() + 1);
            assertThat(switchboard.catalogue().product(1).cents()).isEqualTo(first.cents() + 1);
        }
    }

    @Test
    void aSwitchEndsARunAndStartsAnother() {
        try (Servers servers = Servers.start(1, false);
                Switchboard switchboard = new Switchboard(setup(Engine.MEMSHARD, Mode.SHARDED, 1), servers)) {
            awaitAnswers(switchboard);
            switchboard.switchTo(setup(Engine.MEMSHARD, Mode.SHARDED, 1));
            assertThat(switchboard.runs()).isEmpty();
            switchboard.switchTo(setup(Engine.SPYMEMCACHED, Mode.SINGLE, 2));

            assertThat(switchboard.runs())
                    .singleElement()
                    .extracting(Run::number)
                    .isEqualTo(1);
            Moment moment = switchboard.second();
            assertThat(moment.run().number()).isEqualTo(2);
            assertThat(moment.run().setup().engine()).isEqualTo(Engine.SPYMEMCACHED);
            assertThat(moment.events()).containsExactly("run 2");
            awaitAnswers(switchboard);
        }
    }

    @Test
    void noRequestFailsWhileAllServersAreDown() {
        try (Servers servers = Servers.start(2, false);
                Switchboard switchboard = new Switchboard(setup(Engine.MEMSHARD, Mode.SHARDED, 2), servers)) {
            awaitAnswers(switchboard);
            switchboard.stop(0);
            switchboard.stop(1);
            Eventually.eventually(
                    "both are ejected",
                    LONG,
                    () -> switchboard.second().servers().stream()
                            .allMatch(server -> server.state().equals("EJECTED")));
            awaitAnswers(switchboard);
            assertThat(switchboard.second().run().isDisturbed()).isTrue();
            switchboard.start(0);
            switchboard.start(1);
            Eventually.eventually(
                    "both are back",
                    LONG,
                    () -> switchboard.second().servers().stream()
                            .allMatch(server -> server.state().equals("UP")));
            Eventually.eventually(
                    "hits", LONG, () -> switchboard.second().second().hitRatio() > 0);

            assertThat(switchboard.moments())
                    .allSatisfy(moment -> assertThat(moment.second().failures()).isZero());
        }
    }

    @Test
    void aShopThatCannotOpenLeavesTheFormerOneOpen() {
        try (Servers servers = Servers.start(1, false);
                Switchboard switchboard = new Switchboard(setup(Engine.MEMSHARD, Mode.SHARDED, 1), servers)) {
            switchboard.stop(0);
            assertThatIllegalStateException()
                    .isThrownBy(() -> switchboard.switchTo(setup(Engine.SPYMEMCACHED, Mode.SINGLE, 1)))
                    .withMessageStartingWith("The shop cannot open with engine SPYMEMCACHED in mode SINGLE: ");

            assertThat(switchboard.setup().engine()).isEqualTo(Engine.MEMSHARD);
            awaitAnswers(switchboard);
        }
    }

    @Test
    void theStoriesCompareOnOneServerAndKillOneOfAll() {
        try (Servers servers = Servers.start(2, false);
                Switchboard switchboard = new Switchboard(setup(Engine.MEMSHARD, Mode.SINGLE, 2), servers)) {
            switchboard.tell(Story.YOUR_POOL);
            assertThat(switchboard.setup()).isEqualTo(new Setup(Engine.SPYMEMCACHED, Mode.POOLED, true, 2));
            switchboard.tell(Story.SHARED);
            assertThat(switchboard.setup()).isEqualTo(new Setup(Engine.MEMSHARD, Mode.SHARDED, true, 2));
            assertThat(switchboard.second().servers().get(1).state()).isEqualTo(ServerView.UNUSED);
            awaitAnswers(switchboard);
            switchboard.tell(Story.KILL);
            assertThat(switchboard.setup()).isEqualTo(setup(Engine.MEMSHARD, Mode.SHARDED, 2));
            assertThat(servers.get(1).isRunning()).isFalse();
            Eventually.eventually(
                    "it is ejected", LONG, () -> switchboard.second().outage().ejected() != null);
            assertThat(switchboard.second().outage().back()).isNull();
            switchboard.tell(Story.KILL);
            assertThat(servers.get(1).isRunning()).isTrue();
            Eventually.eventually(
                    "it is back", LONG, () -> switchboard.second().outage().back() != null);

            assertThat(switchboard.second().outage()).satisfies(outage -> {
                assertThat(outage.server()).isEqualTo(1);
                assertThat(outage.failures()).isZero();
                assertThat(outage.ejected()).isBetween(outage.stopped(), outage.started());
                assertThat(outage.back()).isAfter(outage.started());
            });
        }
    }

    private static void awaitAnswers(Switchboard switchboard) {
        Eventually.eventually(
                "answers", LONG, () -> switchboard.second().second().requests() > 0);
    }
}
