// SPDX-License-Identifier: Apache-2.0
/**
 * Helpers for futures, threads and waits, for the other packages of the client and the other modules of this project.
 *
 * <p>Layer: below everything but {@code options} and {@code exception}.
 */
@NullMarked
package io.memshard.client.concurrent;

import org.jspecify.annotations.NullMarked;
