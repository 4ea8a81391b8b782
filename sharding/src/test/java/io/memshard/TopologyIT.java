// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that come, go, move and return under load: no command fails because of that, none hangs, no value is wrong,
 * and nothing is left of servers that are gone.
 *
 * <p>For how long the soak goes on at least is the system property {@code memshard.soak.seconds}.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class TopologyIT {

    private static final Logger LOG = LoggerFactory.getLogger(TopologyIT.class);

    private static final int SECONDS = Integer.getInteger("memshard.soak.seconds", 0);
    private static final int CALLERS = SECONDS < 60 ? 16 : 200;
    private static final int CONNECTIONS = 2;
    /** Longer than anything takes on a machine that is busy with all these threads. */
    private static final Duration LONG = Duration.ofSeconds(100);

    private static final int LEAST_CHANGES = 60;
    private static final int FEWEST = 2;
    private static final int MOST = 8;

    private final LeakCheck leaks = LeakCheck.start();
    private final Random random = new Random(1);
    private final Fleet fleet = Fleet.of(4);
    private Memshard memshard;

    @BeforeEach
    void start() {
        memshard = Fleet.patient()
                .servers(fleet.servers())
                .connectionsPerServer(CONNECTIONS)
                .livenessTimeout(LONG)
                .reconnectDelay(Duration.ofMillis(5), Duration.ofMillis(100))
                .build();
    }

    @AfterEach
    void close() {
        memshard.close();
        fleet.close();
        leaks.assertNothingLeft();
    }

    @Test
    void noCommandFailsBecauseServersChange() throws Exception {
        CheckingCallers callers = new CheckingCallers(
                new CheckingCallers.Over(
                        memshard.client(Transcoder.utf8()),
                        memshard.asyncClient(Transcoder.utf8()),
                        memshard.cluster()::topology),
                CALLERS,
                failure -> false,
                false);
        callers.start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (callers.wrong().isEmpty()
                && (end - System.nanoTime() > 0
                        || memshard.cluster().topology().version() <= LEAST_CHANGES
                        || callers.checked() == 0)) {
            change();
            memshard.replace(fleet.servers());
            Thread.sleep(random.nextInt(20)); // The callers have that long before the next change.
            if (random.nextInt(10) == 0) {
                fleet.closeThoseThatLeft();
            }
        }
        callers.end();
        LOG.info(
                "{} writes checked, {} changes",
                callers.checked(),
                memshard.cluster().topology().version() - 1);
        assertThat(callers.wrong()).isEmpty();
        fleet.closeThoseThatLeft();
        int servers = fleet.names().size();
        eventually("two sockets for each connection at most", () -> fleet.connections() <= servers * CONNECTIONS * 2);
    }

    /** A change of the fleet, drawn by chance. */
    private void change() {
        List<String> names = fleet.names();
        String name = names.get(random.nextInt(names.size()));
        switch (random.nextInt(7)) {
            case 0 -> addUnlessTooMany();
            case 1 -> removeUnlessTooFew(name);
            case 2 -> {
                fleet.add();
                fleet.remove(name);
            }
            case 3 -> fleet.readdress(name);
            case 4 -> fleet.setWeight(name, 1 + random.nextInt(3));
            case 5 -> {
                if (names.size() < MOST && !fleet.takeBack()) {
                    removeUnlessTooFew(name);
                }
            }
            default -> {
                // The same servers in the same order: no change.
            }
        }
    }

    private void addUnlessTooMany() {
        if (fleet.names().size() < MOST) {
            fleet.add();
        }
    }

    private void removeUnlessTooFew(String name) {
        if (fleet.names().size() > FEWEST) {
            fleet.remove(name);
        }
    }
}
