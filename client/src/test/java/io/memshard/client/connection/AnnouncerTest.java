// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ServerAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AnnouncerTest {

    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final List<String> called = Collections.synchronizedList(new ArrayList<>());
    private final ConnectionListener listener = new ConnectionListener() {
        @Override
        public void serverLeft(ServerAddress server) {
            ConnectionFixture.passes(goesOn);
            called.add(server.host());
        }
    };

    private final Announcer announcer = new Announcer(listener);

    @AfterEach
    void end() {
        goesOn.countDown();
        announcer.thread.shutdown();
    }

    @Test
    void changesBeyondTheBoundAreDroppedAndTheLogSaysSoOnce() {
        try (CapturedLog log = new CapturedLog(Connection.class)) {
            for (int i = 0; i < Announcer.MAX_WAITING + 100; i++) {
                announcer.serverLeft(new ServerAddress("s" + i, 1));
            }
            eventually("logged", () -> log.text().contains("the ConnectionListener is slow"));
            goesOn.countDown();
            ThreadPoolExecutor thread = announcer.thread;
            eventually("caught up", () -> thread.getQueue().isEmpty() && thread.getActiveCount() == 0);
            assertThat(log.text()).containsOnlyOnce("the ConnectionListener is slow");
        }
        // The thread may have taken one before the bound was reached.
        assertThat(called)
                .hasSizeBetween(Announcer.MAX_WAITING, Announcer.MAX_WAITING + 1)
                .startsWith("s0", "s1", "s2");
    }
}
