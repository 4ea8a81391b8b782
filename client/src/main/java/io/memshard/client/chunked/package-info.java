// SPDX-License-Identifier: Apache-2.0
/**
 * Values above the server's item size limit, split into several items: {@link
 * io.memshard.client.chunked.ChunkedClient}.
 *
 * <p>Layer: above the client interfaces, which do not use this package. Start reading at {@code ChunkedClient}.
 */
@NullMarked
package io.memshard.client.chunked;

import org.jspecify.annotations.NullMarked;
