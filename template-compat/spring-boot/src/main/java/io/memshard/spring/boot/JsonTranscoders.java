// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.transcoder.Transcoder;

/** Factory of JSON transcoders with the mapper of the application. Threading: thread-safe. */
@FunctionalInterface
public interface JsonTranscoders {

    /** Returns a transcoder for values of a class. */
    <V> Transcoder<V> of(Class<V> type);
}
