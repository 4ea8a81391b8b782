// SPDX-License-Identifier: Apache-2.0
/**
 * Options and loaders of {@code getOrLoad}, which lets only one caller load a missing value, even across processes.
 *
 * <p>Layer: part of the API. {@code io.memshard.client} uses this package, and {@code operation} implements the loads.
 * Start reading at {@link io.memshard.client.load.LoadOptions}.
 */
@NullMarked
package io.memshard.client.load;

import org.jspecify.annotations.NullMarked;
