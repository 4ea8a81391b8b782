// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A server, two connections to it and callers of its keys, by a clock of their own in milliseconds. A caller sends
 * a command, waits for its end, and sends the next 5 ms later. A connection whose oldest command is 5 s old is lost,
 * and opened again after 50 ms, or later if the last attempts failed or no socket is left: nine may be opened at once,
 * and then one each 1.25 s.
 */
final class SimulatedServer implements ServerWatch.Actions {

    enum Trick {
        /** Answers greetings and nothing else. */
        GREETS,
        /** Answers the first command of each connection. */
        FIRST_ONLY,
        /** Answers each twentieth command of a connection, and then the nineteen before it. */
        ONE_OF_TWENTY,
        /** Closes all connections each 100 ms, and refuses others for 100 ms. */
        RESETS,
        /** Answers each command at once. */
        HEALTHY,
        /** Answers each command at once, and stands still for twice the callers' time every now and then. */
        PAUSES,
        /** Answers after four fifths of the callers' time, each fifth command too late. */
        SLOW,
        /** Answers each command after the callers' time, by a tenth of it to four times as late. */
        LATE,
        /** Answers three of five commands late, and the others at once. */
        MOSTLY_LATE,
        /** Answers one of four commands late, and the others at once. */
        OFTEN_LATE
    }

    private static final int LIVENESS = 5_000;
    private static final int CONNECTIONS = 2;
    private static final int STANDSTILL_EACH = 2_000;
    private static final int STANDSTILL = 250;
    private static final int TICK = 50;
    private static final int PAUSE = 5;
    private static final int LONGEST_DELAY = 5_000;
    private static final int SOCKETS = 9;
    private static final int SOCKET_PACE = 1_250;
    private static final long NANOS = 1_000_000;

    /** Greatly negative, as nanoTime may be. */
    private static final long START = -1_000_000_000_000L;

    private final Trick trick;
    private final int timeout;
    private final boolean answersProbes;
    private final Random random;
    private final List<Connection> connections =
            IntStream.range(0, CONNECTIONS).mapToObj(i -> new Connection()).toList();
    private final List<Caller> callers;
    private final ServerWatch watch;
    private int now;

    /** When this process first stands still, in milliseconds; negative for never. */
    private final int standstillAt;

    /** When the server begins to misbehave, in milliseconds. */
    private int healthyUntil;

    private boolean probing;
    private double socketsLeft = SOCKETS - CONNECTIONS;

    /** When the server was ejected, in milliseconds. */
    final List<Integer> ejections = new ArrayList<>();

    int answered;
    int failed;
    long waitedMillis;
    long waitedMillisAfterEjection;

    SimulatedServer(Trick trick, int timeout, boolean answersProbes, int seed) {
        this(trick, timeout, answersProbes, seed, 4, -1);
    }

    /** Creates a server for a process that stands still for 250 ms every two seconds, unless the time is negative. */
    SimulatedServer(Trick trick, int timeout, boolean answersProbes, int seed, int callers, int standstillAt) {
        this.trick = trick;
        this.timeout = timeout;
        this.answersProbes = answersProbes;
        this.standstillAt = standstillAt;
        this.callers = IntStream.range(0, callers)
                .mapToObj(i -> new Caller(i, i * timeout / callers))
                .toList();
        random = new Random(seed);
        watch = new ServerWatch(new ServerAddress("a", 1), this, () -> Instant.EPOCH, random);
        watch.eject(EjectionOptions.DEFAULTS, false);
    }

    private final class Connection {

        private boolean open = true;
        private int sent;
        private int openAt;
        private int failures;
        private int oldest = Integer.MAX_VALUE;
        private int replied;
        private int late;
        private final List<Integer> lateAt = new ArrayList<>();

        void step() {
            int before = lateAt.size();
            lateAt.removeIf(at -> at <= now);
            if (lateAt.size() < before) {
                late += before - lateAt.size();
                oldest = Integer.MAX_VALUE;
            }
            if (!open && now >= openAt) {
                socketsLeft--;
                open = !isDown();
                if (open) {
                    sent = 0;
                    oldest = Integer.MAX_VALUE;
                } else {
                    fail();
                }
            }
            if (open && (isDown() || now - (long) oldest >= LIVENESS)) {
                boolean idle = callers.stream().noneMatch(caller -> caller.waitsOn(this));
                open = false;
                callers.stream().filter(caller -> caller.waitsOn(this)).forEach(caller -> caller.end(false));
                if (idle) {
                    openAt = now + 1;
                } else {
                    fail();
                }
            }
        }

        private void fail() {
            watch.failed("connection lost");
            int delay = 1 + random.nextInt(Math.min(LONGEST_DELAY, 50 << Math.min(failures, 10)));
            openAt = now + Math.max(delay, (int) Math.ceil((1 - socketsLeft) * SOCKET_PACE));
            failures++;
        }

        /** In how many milliseconds the reply to the next command comes; negative for never. */
        int send() {
            sent++;
            if (isDown()) {
                return -1;
            }
            return switch (now < healthyUntil ? Trick.HEALTHY : trick) {
                case GREETS -> -1;
                case FIRST_ONLY -> sent == 1 ? 1 : -1;
                case ONE_OF_TWENTY -> sent % 20 == 0 ? 1 : -1;
                case RESETS, HEALTHY -> 1;
                case PAUSES -> 1 + Math.max(0, 2 * timeout - now % (20 * timeout));
                case SLOW -> sent % 5 == 0 ? timeout + 20 : timeout * 4 / 5;
                case LATE -> late();
                case MOSTLY_LATE -> random.nextInt(5) < 3 ? late() : 1;
                case OFTEN_LATE -> random.nextInt(4) < 1 ? late() : 1;
            };
        }

        private int late() {
            return timeout + timeout / 10 + random.nextInt(3 * timeout);
        }
    }

    private boolean isDown() {
        return trick == Trick.RESETS && now / 100 % 2 == 1;
    }

    private final class Caller {

        private final Connection connection;
        private boolean waiting;
        private int sentAt;
        private int replyAt = -1;
        private int nextAt;

        Caller(int index, int nextAt) {
            connection = connections.get(index % CONNECTIONS);
            this.nextAt = nextAt;
        }

        boolean waitsOn(Connection lost) {
            return waiting && connection == lost;
        }

        void step() {
            // First, as if the process was suspended and no reply was read yet.
            if (waiting && now - sentAt >= timeout) {
                watch.timedOut(nanos(sentAt), nanos(now), "no reply");
                if (replyAt >= 0) {
                    connection.lateAt.add(replyAt);
                }
                end(false);
            } else if (waiting && replyAt >= 0 && replyAt <= now) {
                connection.failures = 0;
                connection.oldest = Integer.MAX_VALUE;
                List<Caller> replied = callers.stream()
                        .filter(other -> other == this || trick == Trick.ONE_OF_TWENTY)
                        .filter(other -> other.waitsOn(connection) && other.sentAt <= sentAt)
                        .toList();
                connection.replied += replied.size();
                replied.forEach(other -> other.end(true));
            } else if (!waiting && now >= nextAt) {
                begin();
            }
        }

        private void begin() {
            sentAt = now;
            if (watch.isEjected() || !connection.open) {
                failed += watch.isEjected() ? 0 : 1;
                nextAt = now + PAUSE;
                return;
            }
            waiting = true;
            int delay = connection.send();
            replyAt = delay < 0 ? -1 : now + delay;
            connection.oldest = Math.min(connection.oldest, now);
        }

        void end(boolean withReply) {
            waiting = false;
            nextAt = now + PAUSE;
            answered += withReply ? 1 : 0;
            failed += withReply ? 0 : 1;
            waitedMillis += now - sentAt;
            waitedMillisAfterEjection += ejections.isEmpty() ? 0 : now - Math.max(sentAt, ejections.get(0));
        }
    }

    private static long nanos(int millis) {
        return START + millis * NANOS;
    }

    SimulatedServer healthyUntil(int millis) {
        healthyUntil = millis;
        return this;
    }

    SimulatedServer run(int millis) {
        for (; now < millis; now++) {
            if (standstillAt >= 0 && now >= standstillAt && (now - standstillAt) % STANDSTILL_EACH < STANDSTILL) {
                continue;
            }
            socketsLeft = Math.min(SOCKETS, socketsLeft + 1.0 / SOCKET_PACE);
            connections.forEach(Connection::step);
            callers.forEach(Caller::step);
            if (now % TICK == 0) {
                connections.forEach(connection -> {
                    watch.replied(connection.replied, connection.late);
                    connection.replied = 0;
                    connection.late = 0;
                });
                if (probing) {
                    probing = false;
                    watch.probed(answersProbes && !isDown() ? null : "no answer");
                }
                watch.tick(nanos(now));
            }
        }
        return this;
    }

    /** Which part of its time a caller has waited, in per cent. */
    double percentWaited() {
        return 100.0 * waitedMillis / callers.size() / now;
    }

    double percentWaitedAfterEjection() {
        return 100.0 * waitedMillisAfterEjection / callers.size() / (now - ejections.get(0));
    }

    double millisWaitedAfterEjection() {
        return (double) waitedMillisAfterEjection / callers.size();
    }

    @Override
    public void probe() {
        probing = true;
    }

    @Override
    public void reconnect() {}

    @Override
    public boolean isReconnected() {
        return connections.stream().allMatch(connection -> connection.open);
    }

    @Override
    public boolean isCutOff() {
        return connections.stream().noneMatch(connection -> connection.open);
    }

    @Override
    public String whyUnreachable() {
        return null;
    }

    @Override
    public void changed(ServerStatus before, ServerStatus after) {
        if (after.state() == ServerState.EJECTED && before.state() == ServerState.UP) {
            ejections.add(now);
        }
    }

    @Override
    public String toString() {
        return trick + " at " + timeout + " ms: ejected at " + ejections + " ms, " + answered + " calls answered, "
                + failed + " failed, " + waitedMillis / callers.size() + " ms waited";
    }
}
