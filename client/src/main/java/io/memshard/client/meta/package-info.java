// SPDX-License-Identifier: Apache-2.0
/**
 * The whole meta protocol: requests with their flags, and their results.
 *
 * <p>Layer: part of the API, below {@code io.memshard.client}; implemented in {@code operation}. Start reading at
 * {@link io.memshard.client.meta.MetaClient}.
 */
@NullMarked
package io.memshard.client.meta;

import org.jspecify.annotations.NullMarked;
