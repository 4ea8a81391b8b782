// SPDX-License-Identifier: Apache-2.0
/**
 * Futures, threads and waits of the client, for its other packages and our own modules.
 *
 * <p>Layer: below everything but {@code options} and {@code exception}.
 */
@NullMarked
package io.memshard.client.concurrent;

import org.jspecify.annotations.NullMarked;
