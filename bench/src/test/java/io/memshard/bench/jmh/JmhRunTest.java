package io.memshard.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JmhRunTest {

    @Test
    void theForksAreToldTheServer() {
        assertThat(JmhRun.withServer(List.of("-f", "1"), "127.0.0.1:1"))
                .containsExactly("-f", "1", "-jvmArgsAppend", "-Dmemshard.bench.server=127.0.0.1:1");
    }

    @Test
    void argumentsOfTheForksThatAreThereStay() {
        assertThat(JmhRun.withServer(List.of("-jvmArgsAppend", "-Xmx1g", "-f", "1"), "127.0.0.1:1"))
                .containsExactly("-jvmArgsAppend", "-Xmx1g -Dmemshard.bench.server=127.0.0.1:1", "-f", "1");
    }

    @Test
    void listingNeedsNoServer() {
        assertThat(JmhRun.needsServer(List.of("-lprof"))).isFalse();
        assertThat(JmhRun.needsServer(List.of("-f", "1"))).isTrue();
    }
}
