// SPDX-License-Identifier: Apache-2.0
/**
 * Classes for futures, threads, logging and waiting, which other packages and modules of this project use.
 *
 * <p>Layer: above {@code options} and {@code exception}, below all other packages.
 */
@NullMarked
package io.memshard.client.concurrent;

import org.jspecify.annotations.NullMarked;
