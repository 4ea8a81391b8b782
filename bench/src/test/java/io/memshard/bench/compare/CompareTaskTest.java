// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.compare.ComparePlan.Participant;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.machine.JavaCommand;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.TextFile;
import io.memshard.testkit.ClosedPort;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareTaskTest {

    @TempDir
    private Path folder;

    @Test
    void whatWasWrittenIsReadBack() {
        Comparison.Task task = task(3);
        TextFile.writeJson(folder.resolve(JavaCommand.TASK), task);

        assertThat(TextFile.readJson(folder.resolve(JavaCommand.TASK), Comparison.Task.class))
                .isEqualTo(task);
    }

    @Test
    void eachForkHasAnOrderOfItsOwn() {
        assertThat(task(1).seed()).isNotEqualTo(task(2).seed());
    }

    @Test
    void aForkThatFailsSaysWhy() {
        List<String> lines = new ArrayList<>();
        try (ClosedPort closed = new ClosedPort()) {
            InetSocketAddress server = new InetSocketAddress("127.0.0.1", closed.port());
            assertThatExceptionOfType(BenchException.class)
                    .isThrownBy(() -> CompareRun.fork(task(2, server), folder.resolve("fork"), lines::add))
                    .withMessageStartingWith("fork 2 failed: no memcached at 127.0.0.1:" + closed.port() + ": ");
            assertThat(lines).last().asString().startsWith("no memcached at 127.0.0.1:" + closed.port());
        }
    }

    private static Comparison.Task task(int fork) {
        return task(fork, new InetSocketAddress("127.0.0.1", 1));
    }

    private static Comparison.Task task(int fork, InetSocketAddress server) {
        ComparePlan plan = new ComparePlan(
                "cloud",
                20,
                List.of(
                        new Participant("connection", ContenderKind.CONNECTION, 2),
                        new Participant("connection-again", ContenderKind.CONNECTION, 2),
                        new Participant("folsom", ContenderKind.FOLSOM, 4)),
                List.of(
                        new Condition(8, 100, Condition.Load.GET, Condition.Callers.BLOCKING, 1),
                        new Condition(2, 1024, Condition.Load.MIXED, Condition.Callers.ASYNC, 200)),
                5,
                4,
                Duration.ofMillis(250),
                6,
                1000,
                42);
        return new Comparison.Task(fork, plan, List.of(server), List.of(17L, 18L));
    }
}
