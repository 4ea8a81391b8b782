// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

/**
 * The common part of the meta requests: a key, and flags that each method adds to.
 *
 * <p>Threading: immutable; a method that changes a request returns a new one.
 *
 * @param <R> the request itself
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

    /** The same request with other flags. */
    abstract R with(RequestFlags changed);

    final ItemKey key() {
        return key;
    }

    final RequestFlags flags() {
        return flags;
    }

    /** The flags, checked against each other. */
    RequestFlags checkFlags() {
        return flags;
    }

    /** The request line, without the length of a value. */
    @Override
    public final String toString() {
        return verb + ' ' + key + flags;
    }
}
