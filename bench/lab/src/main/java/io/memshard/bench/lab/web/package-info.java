// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code opencms}: pages over HTTP that query a database, with one monitor around the pool or none, and
 * old and new pools.
 *
 * <p>Layer: the same as that of the other experiments. Start reading at {@link io.memshard.bench.lab.web.OpenCms}.
 */
@NullMarked
package io.memshard.bench.lab.web;

import org.jspecify.annotations.NullMarked;
