/**
 * Values above the server's item size limit, split over several items: {@link
 * io.memshard.client.chunked.ChunkedClient}.
 *
 * <p>Above the client interfaces, which know nothing of it. Start reading at {@code ChunkedClient}.
 */
@NullMarked
package io.memshard.client.chunked;

import org.jspecify.annotations.NullMarked;
