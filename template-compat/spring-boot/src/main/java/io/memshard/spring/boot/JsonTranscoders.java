// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;

/** Factory of JSON transcoders with the mapper of the application. Threading: thread-safe. */
public interface JsonTranscoders {

    /** Returns a transcoder for values of a type. */
    Transcoder<Object> of(Type type);

    /**
     * Returns the type with a name, such as {@code java.util.List<com.example.Book>}.
     *
     * @throws IllegalArgumentException if there is no such type
     */
    Type typeOf(String name);
}
