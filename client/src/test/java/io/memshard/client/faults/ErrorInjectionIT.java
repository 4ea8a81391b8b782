// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.faults;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.FaultProxy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Errors at random places of the client end in failed commands and a connection that works: no future is lost, and no
 * caller hangs, core spins or thread is left.
 */
@Tag("deep")
@Timeout(300)
class ErrorInjectionIT {

    @ParameterizedTest
    @CsvSource({"CALLER_DRIVEN, META, 2", "EVENT_LOOP, META, 1", "EVENT_LOOP, CLASSIC, 1", "CALLER_DRIVEN, AUTO, 1"})
    void errorsLoseNoFutureAndTheClientWorksAfterwards(String transport, String protocol, int connections)
            throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream err = System.err;
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                FaultProxy proxy = new FaultProxy(server.address())) {
            Runnable trial = (Runnable) new FaultyClassLoader()
                    .loadClass(Trial.class.getName())
                    .getConstructor(FaultProxy.class, String.class, String.class, int.class)
                    .newInstance(proxy, transport, protocol, connections);
            // The client logs each Error.
            System.setErr(new PrintStream(log, true));
            assertThatCode(trial::run).as("log: %s", log).doesNotThrowAnyException();
        } finally {
            FaultPoints.stop();
            System.setErr(err);
        }
    }
}
