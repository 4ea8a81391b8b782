// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.run.ArmLoad.Caller;
import io.memshard.bench.lab.run.ArmLoad.Phase;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** An open loop sees what a closed one omits: the requests that were due while nothing was answered. */
class OpenLoopTest {

    private static final int RATE = 2000;
    private static final int CALLERS = 8;
    private static final long STALL_MILLIS = 200;
    private static final int BEFORE = 100;
    private static final double SEEN_MICROS = 100_000;

    /** Measures some cycles, then the stall, and then as many cycles as were due during the stall. */
    @Test
    void aStallOfAllCallersIsSeenByEachRequestThatWasDue() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        AtomicLong done = new AtomicLong();
        OpenedArm arm = caller -> number -> {
            lock.lock();
            lock.unlock();
            return done.incrementAndGet();
        };
        ArmLoad load = new ArmLoad(arm, Condition.ofThreads(CALLERS).with(Condition.RATE, RATE), 1);
        AtomicBoolean ended = new AtomicBoolean();
        for (int i = 0; i < CALLERS; i++) {
            Caller caller = load.caller(i);
            Thread thread = new Thread(() -> {
                while (!ended.get()) {
                    caller.run();
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        await(done, BEFORE);
        load.warmUpToMeasure();
        await(done, BEFORE);
        lock.lock();
        Thread.sleep(STALL_MILLIS); // The stall.
        lock.unlock();
        await(done, RATE * STALL_MILLIS / 1000);
        load.measureToPause();
        load.awaitPause();
        ended.set(true);
        load.end();

        CallRecorder open = new CallRecorder();
        load.awaitCallers().forEach(caller -> open.add(caller.of(Phase.MEASURE)));
        assertThat(open.micros(99)).isGreaterThan(SEEN_MICROS);
    }

    private static void await(AtomicLong done, long more) {
        long until = done.get() + more;
        eventually(more + " cycles", () -> done.get() >= until);
    }
}
