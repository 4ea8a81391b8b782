// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.compare.ComparePlan.Participant;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.result.Condition;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class CompareOptionsTest {

    @Test
    void withoutOptionsEveryContenderRunsAtFourThreadCounts() {
        ComparePlan plan = plan();

        assertThat(plan.conditions()).extracting(Condition::threads).containsExactly(1, 8, 64, 200);
        assertThat(plan.participants())
                .hasSize((int) Arrays.stream(ContenderKind.values())
                                .filter(ContenderKind::isRegular)
                                .count()
                        + 1);
        assertThat(plan.forks()).isEqualTo(5);
        assertThat(plan.rounds()).isEqualTo(5);
        assertThat(plan.slice()).isEqualTo(Duration.ofMillis(400));
        assertThat(plan.length()).isLessThan(Duration.ofMinutes(18));
        assertThat(plan.profile()).isEqualTo("cloud");
        assertThat(plan.poolSize()).isEqualTo(20);
    }

    /**
     * Contenders that could explain other causes of a lead than connections: the protocol, merged gets, a second
     * socket.
     */
    @Test
    void everyBlockingTableHasTheArmsThatTellCausesApart() {
        assertThat(plan().participants())
                .extracting(Participant::label)
                .contains(
                        "spymemcached-bare",
                        "spymemcached-optimized",
                        "memshard-classic",
                        "memshard-single",
                        "memshard-sticky",
                        "xmemcached",
                        "xmemcached-array",
                        "socket-per-thread");
    }

    @Test
    void theBaselineIsConnectionAndRunsTwice() {
        assertThat(plan().participants()).extracting(Participant::label).startsWith("connection", "connection-again");
    }

    @Test
    void theSecondRunOfTheBaselineCanBeNamedAndIsThereOnce() {
        for (String named : List.of("connection,connection-again,folsom", "connection-again,folsom")) {
            assertThat(plan("--contenders", named).participants())
                    .extracting(Participant::label)
                    .containsExactly("connection", "connection-again", "folsom");
        }
        refused(
                "only the baseline runs twice, which is connection: leave out folsom-again",
                "--contenders",
                "connection,folsom-again");
    }

    @Test
    void withoutConnectionTheFirstContenderIsTheBaseline() {
        assertThat(plan("--contenders", "folsom,xmemcached").participants())
                .extracting(Participant::label)
                .containsExactly("folsom", "folsom-again", "xmemcached");
    }

    @Test
    void severalServersTakeOnlyContendersThatServeThem() {
        assertThat(plan("--servers", "4").participants())
                .extracting(Participant::label)
                .containsExactly(
                        "spymemcached-bare",
                        "spymemcached-bare-again",
                        "spymemcached-optimized",
                        "memshard",
                        "memshard-single",
                        "memshard-round-robin",
                        "memshard-sticky",
                        "memshard-classic",
                        "xmemcached",
                        "xmemcached-array",
                        "folsom");
        refused("contender template serves one server", "--servers", "a:1,b:2", "--contenders", "template");
        refused("--server names one server and --servers several", "--servers", "2", "--server", "a:1");
    }

    @Test
    void aMultiGetTakesOnlyContendersThatHaveOne() {
        assertThat(plan("--load", "multi_get").participants())
                .extracting(Participant::label)
                .startsWith("connection", "connection-again", "template")
                .doesNotContain("socket-per-thread");
        assertThat(plan("--load", "multi_get").conditions())
                .extracting(Condition::loadTitle)
                .containsOnly("multi-get of 100 keys of 100 B");
        refused(
                "contender socket-per-thread has no get of many keys",
                "--load",
                "multi_get",
                "--contenders",
                "socket-per-thread");
        refused("--load multi_get has no asynchronous callers", "--load", "multi_get", "--callers", "async");
        refused("--keys for --load multi_get must be from 100", "--load", "multi_get", "--keys", "99");
    }

    @Test
    void eachNumberOfConnectionsIsAParticipantOfAnArray() {
        assertThat(plan("--contenders", "connection,folsom", "--connections", "1,2,8")
                        .participants())
                .extracting(participant -> participant.label() + " " + participant.connections())
                .containsExactly("connection 1", "connection-again 1", "folsom 1", "folsom 2", "folsom 8");
    }

    @Test
    void sizesAndThreadsMultiplyToConditions() {
        assertThat(plan("--value-size", "100,1024,16384", "--threads", "2,500").conditions())
                .hasSize(6)
                .contains(new Condition(500, 16384, Condition.Load.GET, Condition.Callers.BLOCKING, 1));
    }

    @Test
    void asyncCallersLeaveOutWhoHasNoFutures() {
        ComparePlan plan = plan("--callers", "async", "--in-flight", "50", "--load", "mixed");

        assertThat(plan.participants())
                .allMatch(participant -> participant.kind().isAsynchronous());
        assertThat(plan.conditions())
                .containsExactly(new Condition(2, 100, Condition.Load.MIXED, Condition.Callers.ASYNC, 50));
    }

    @Test
    void aQuickComparisonEndsWithin110Seconds() {
        assertThat(plan("--quick").forks()).isEqualTo(2);
        assertThat(plan("--quick").length()).isLessThan(Duration.ofSeconds(110));
        assertThat(plan("--quick", "--threads", "1,2,8,64,200,500").length()).isLessThan(Duration.ofSeconds(110));
        assertThat(plan("--quick", "--rounds", "1").length()).isLessThan(Duration.ofSeconds(80));
        assertThat(plan("--quick", "--threads", "1", "--contenders", "connection")
                        .slice())
                .isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void physicalHasAPoolOfAHundred() {
        assertThat(plan("--profile", "physical").poolSize()).isEqualTo(100);
    }

    @Test
    void theSeedIsTakenOrDrawn() {
        assertThat(plan("--seed", "42").seed()).isEqualTo(42);
        assertThat(plan().seed()).isNotNegative();
    }

    @Test
    void timesHaveUnits() {
        assertThat(plan("--slice", "250ms").slice()).isEqualTo(Duration.ofMillis(250));
        assertThat(plan("--slice", "2s").slice()).isEqualTo(Duration.ofSeconds(2));
        refused("\"2\" is not a time such as 500ms, 1s or 2m", "--slice", "2");
        refused("must be more than nothing", "--slice", "0s");
    }

    @Test
    void wrongValuesAreRefusedNamingOptionAndValue() {
        refused("--threads must be from 1 to 10000, not 0", "--threads", "1,0");
        refused("'--threads' (N): 'x' is not an int", "--threads", "x");
        refused("--connections must be from 1 to 1000, not -1", "--connections", "-1");
        refused("--value-size must be from 32 to 1000000, not 5", "--value-size", "5");
        refused("--rounds must be from 1", "--rounds", "0");
        refused("--forks must be from 1", "--forks", "0");
        refused("--keys must be from 1", "--keys", "0");
        refused("--in-flight must be from 1", "--in-flight", "0");
        refused(
                "unknown contender \"nobody\" in --contenders; known are template, connection,",
                "--contenders",
                "nobody");
        refused("contender template has no asynchronous calls", "--callers", "async", "--contenders", "template");
        refused("more than a memcached holds by default", "--keys", "100000", "--value-size", "16384");
        refused("too much to compare with --quick", "--quick", "--rounds", "1000");
        refused("'--load'", "--load", "put");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void virtualCallersAreRefusedByAnOldJava() {
        refused("--callers virtual needs Java 21 or later", "--callers", "virtual");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualCallersRunOnANewJava() {
        assertThat(plan("--callers", "virtual").conditions())
                .containsExactly(new Condition(200, 100, Condition.Load.GET, Condition.Callers.VIRTUAL, 1));
    }

    private static ComparePlan plan(String... arguments) {
        Command command = new Command();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return command.options.toPlan();
    }

    private static void refused(String message, String... arguments) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> plan(arguments))
                .withMessageContaining(message);
    }

    @CommandLine.Command
    private static final class Command {

        @CommandLine.Mixin
        private CompareOptions options = new CompareOptions();
    }
}
