// SPDX-License-Identifier: Apache-2.0
/** Futures, threads, waits and the log of Memshard. */
@NullMarked
package io.memshard.client.concurrent;

import org.jspecify.annotations.NullMarked;
