// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.transcoder.Transcoder;

/** Makes transcoders of JSON with the mapper of the application. Threading: thread-safe. */
@FunctionalInterface
public interface JsonTranscoders {

    /** A transcoder of values of a class. */
    <V> Transcoder<V> of(Class<V> type);
}
