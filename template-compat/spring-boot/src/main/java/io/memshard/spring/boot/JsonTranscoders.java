// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.util.function.Function;

/**
 * JSON transcoders with a mapper of their own.
 *
 * <p>Threading: thread-safe.
 *
 * @param ofType maps a type to the transcoder for its values
 * @param typeNamed maps a name, such as {@code java.util.List<com.example.Book>}, to its type; throws {@link
 *     IllegalArgumentException} if no such type exists
 */
record JsonTranscoders(Function<Type, Transcoder<Object>> ofType, Function<String, Type> typeNamed) {}
