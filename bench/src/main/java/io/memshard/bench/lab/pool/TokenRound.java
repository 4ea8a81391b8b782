// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Pattern of a pool: there is a token for each caller, and each caller takes one and puts it back.
 *
 * <p>A caller has at most one token. So a poll always finds a token, and a caller waits only for the queue itself.
 */
final class TokenRound implements OpenedArm {

    private final Queue<Object> queue;
    private final int tokens;
    private final List<Taker> takers = new ArrayList<>();

    TokenRound(Queue<Object> queue, int tokens) {
        this.queue = queue;
        this.tokens = tokens;
        for (int i = 0; i < tokens; i++) {
            queue.add(new Token());
        }
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        Taker taker = new Taker();
        takers.add(taker);
        return taker;
    }

    /**
     * Returns {@code lost}, the number of missing tokens, and {@code lost_uses}, which is above 0 if two callers had
     * one token at the same time.
     */
    @Override
    public Map<String, Double> figures() {
        long taken = takers.stream().mapToLong(taker -> taker.taken).sum();
        long used = queue.stream().mapToLong(token -> ((Token) token).uses).sum();
        return Map.of("consumed", (double) taken, "lost", (double) (tokens - queue.size()), "lost_uses", (double)
                (taken - used));
    }

    @Override
    public void close() {
        queue.clear();
    }

    /** Token that circulates. Its count is not shared: only its holder changes it. */
    static final class Token {

        private long uses;
    }

    private final class Taker implements Cycle {

        private long taken;

        @Override
        public long run(long number) {
            Token token = (Token) queue.poll();
            if (token == null) {
                throw new IllegalStateException("no token, although each caller has one");
            }
            taken++;
            token.uses++;
            if (!queue.offer(token)) {
                throw new IllegalStateException("the queue is full, at the capacity of " + QueueKind.CAPACITY);
            }
            return taken;
        }
    }
}
