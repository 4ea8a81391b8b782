// SPDX-License-Identifier: Apache-2.0
/**
 * Functions and types for futures, threads, the log and waits, which other packages and modules of this project use.
 *
 * <p>Layer: below everything but {@code options} and {@code exception}.
 */
@NullMarked
package io.memshard.client.concurrent;

import org.jspecify.annotations.NullMarked;
