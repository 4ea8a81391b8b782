// SPDX-License-Identifier: Apache-2.0
/**
 * Futures and threads of the client, for its other packages and our own modules.
 *
 * <p>Layer: below everything but {@code exception}.
 */
@NullMarked
package io.memshard.client.concurrent;

import org.jspecify.annotations.NullMarked;
