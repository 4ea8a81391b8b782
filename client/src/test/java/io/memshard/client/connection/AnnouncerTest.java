// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ServerAddress;
import io.memshard.testkit.Eventually;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AnnouncerTest {

    private final ThreadPoolExecutor thread = DaemonThread.single("memshard-listener", Announcer.MAX_WAITING, 5);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final List<String> called = Collections.synchronizedList(new ArrayList<>());
    private final ConnectionListener listener = new ConnectionListener() {
        @Override
        public void serverLeft(ServerAddress server) {
            ConnectionFixture.passes(goesOn);
            called.add(server.host());
        }
    };

    @AfterEach
    void end() {
        goesOn.countDown();
        thread.shutdown();
    }

    private static void announce(Announcer announcer, int number) {
        announcer.serverLeft(new ServerAddress("s" + number, 1));
    }

    @Test
    void changesBeyondTheBoundAreDroppedAndTheLogTellsOfThemOnce() {
        Announcer announcer = new Announcer(listener, thread);
        try (CapturedLog log = new CapturedLog(Connection.class)) {
            for (int i = 0; i < Announcer.MAX_WAITING + 100; i++) {
                announce(announcer, i);
            }
            announcer.tick();
            assertThat(log.text()).containsOnlyOnce("the listener is slow");
            goesOn.countDown();
            Eventually.eventually("caught up", () -> {
                announcer.tick();
                return log.text().contains("has handled all");
            });
            // The thread may have taken one before the bound was reached.
            assertThat(log.text()).containsPattern("; (99|100) changes were dropped");
        }
        assertThat(called)
                .hasSizeBetween(Announcer.MAX_WAITING, Announcer.MAX_WAITING + 1)
                .startsWith("s0", "s1", "s2");
    }

    /** As where there is no memory for one. */
    @Test
    void aChangeForWhichNoThreadCouldBeStartedIsToldWithTheNextTick() {
        goesOn.countDown();
        AtomicBoolean fails = new AtomicBoolean(true);
        ThreadFactory working = thread.getThreadFactory();
        thread.setThreadFactory(task -> {
            if (fails.get()) {
                throw new OutOfMemoryError("of the test");
            }
            return working.newThread(task);
        });
        Announcer announcer = new Announcer(listener, thread);
        announce(announcer, 1);
        assertThat(called).isEmpty();
        fails.set(false);
        announcer.tick();
        Eventually.eventually("called", () -> called.size() == 1);
    }
}
