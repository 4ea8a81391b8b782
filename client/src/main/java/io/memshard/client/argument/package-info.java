// SPDX-License-Identifier: Apache-2.0
/**
 * Arguments of callers as the server stores them: values as bytes, times to live as exptimes, checked deltas.
 *
 * <p>Layer: part of the engine, above the transcoders and below the API that takes the arguments. No sockets and no
 * threads. Start reading at {@link io.memshard.client.argument.ValueCoder}.
 */
@NullMarked
package io.memshard.client.argument;

import org.jspecify.annotations.NullMarked;
