// SPDX-License-Identifier: Apache-2.0
/**
 * Classes that other packages and modules of this project use for futures, threads, logging and waiting.
 *
 * <p>Layer: above {@code options} and {@code exception}, below all other packages.
 */
@NullMarked
package io.memshard.client.concurrent;

import org.jspecify.annotations.NullMarked;
