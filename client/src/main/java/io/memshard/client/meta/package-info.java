// SPDX-License-Identifier: Apache-2.0
/**
 * The whole meta protocol: requests with their flags, and what the server replies.
 *
 * <p>Layer: above {@code connection} and {@code transcoder}, below {@code io.memshard.client}. Start reading at
 * {@link io.memshard.client.meta.MetaClient}.
 */
@NullMarked
package io.memshard.client.meta;

import org.jspecify.annotations.NullMarked;
