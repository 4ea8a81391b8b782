// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

/**
 * Common part of the meta requests: a key, and flags that each method adds to.
 *
 * <p>Threading: immutable; each method returns a new request.
 *
 * @param <R> the type of the request itself
 */
abstract sealed class MetaRequest<R> permits GetRequest, SetRequest, DeleteRequest, ArithmeticRequest {

    private final String verb;
    private final ItemKey key;
    private final RequestFlags flags;

    MetaRequest(String verb, ItemKey key, RequestFlags flags) {
        this.verb = verb;
        this.key = key;
        this.flags = flags;
    }

    /** Returns the same request with other flags. */
    abstract R with(RequestFlags changed);

    final ItemKey key() {
        return key;
    }

    final RequestFlags flags() {
        return flags;
    }

    /** Returns the flags after checking that they do not contradict each other. */
    RequestFlags checkFlags() {
        return flags;
    }

    /** Returns the request line, without the length of a value. */
    @Override
    public final String toString() {
        return verb + ' ' + key + flags;
    }
}
