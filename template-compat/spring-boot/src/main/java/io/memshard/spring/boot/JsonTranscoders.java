// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.util.function.Function;

/**
 * JSON transcoders. Caches have a mapper of their own, because that of the application may hide data from web pages.
 *
 * <p>Threading: thread-safe.
 *
 * @param ofType maps a type to the transcoder for its values, with the mapper of the application
 * @param ofCachedType maps a type to the transcoder for its values in caches
 * @param typeNamed maps a name, such as {@code java.util.List<com.example.Book>}, to its type; throws {@link
 *     IllegalArgumentException} if no such type exists
 */
record JsonTranscoders(
        Function<Type, Transcoder<Object>> ofType,
        Function<Type, Transcoder<Object>> ofCachedType,
        Function<String, Type> typeNamed) {}
