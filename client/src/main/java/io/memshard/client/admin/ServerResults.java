// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerAddress;
import java.util.Map;

/**
 * Answers and failures of servers that were queried together. Every server is in exactly one of the two maps.
 *
 * <p>Threading: immutable.
 *
 * @param answers the answers by server, in the client's order of servers
 * @param failures the servers without an answer, each with its failure
 */
public record ServerResults<T>(Map<ServerAddress, T> answers, Map<ServerAddress, MemcachedException> failures) {

    /** Returns the answers; throws the first failure if any server failed. */
    public Map<ServerAddress, T> answersOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return answers;
    }

    /**
     * Returns the answer of the only server, or throws its failure.
     *
     * @throws IllegalStateException unless exactly one server was queried
     */
    public T single() {
        int servers = answers.size() + failures.size();
        if (servers != 1) {
            throw new IllegalStateException(
                    "single() requires one server, but " + servers + " servers were queried: use answersOrThrow()");
        }
        return answersOrThrow().values().iterator().next();
    }
}
