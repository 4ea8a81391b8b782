// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.queue;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;

/** How a queue is used. Threading: immutable. */
enum QueuePattern {
    /** As a pool uses it: each caller polls a token and offers it again. */
    POOL,
    /** As a client uses it: callers offer a request and wait; one thread takes all that there is, in one call. */
    CLIENT_DRAIN,
    /** The same, but the one thread takes one request a call. */
    CLIENT_POLL;

    /** Parameter with the {@link #label}. */
    static final String PARAMETER = "pattern";

    /** As in a condition. */
    String label() {
        return switch (this) {
            case POOL -> "pool";
            case CLIENT_DRAIN -> "client-drain";
            case CLIENT_POLL -> "client-poll";
        };
    }

    /** Whether {@code kind} can be used in this way. */
    boolean suits(QueueKind kind) {
        return switch (this) {
            case POOL -> kind.manyConsumers();
            case CLIENT_DRAIN -> kind.drains();
            case CLIENT_POLL -> true;
        };
    }

    /** The pattern of that label. */
    static QueuePattern of(String label) {
        for (QueuePattern pattern : values()) {
            if (pattern.label().equals(label)) {
                return pattern;
            }
        }
        throw new IllegalArgumentException("a pattern is pool, client-drain or client-poll, not \"" + label + "\"");
    }

    /** Opens {@code kind} for the pattern, the threads and the rest of {@code condition}. */
    static OpenedArm open(QueueKind kind, Condition condition) {
        QueuePattern pattern = of(condition.text(PARAMETER, POOL.label()));
        if (!pattern.suits(kind)) {
            throw new IllegalArgumentException(kind.name() + " cannot be used as " + pattern.label());
        }
        return pattern == POOL
                ? new TokenRound(kind.maker().make(), condition.threads())
                : new RequestRound(kind.maker().make(), pattern == CLIENT_DRAIN, condition.threads());
    }
}
