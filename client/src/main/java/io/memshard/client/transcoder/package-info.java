/**
 * Transcoders beyond bytes and strings. {@link io.memshard.client.transcoder.CompatibleTranscoder} reads and writes
 * what older clients do. {@link io.memshard.client.transcoder.Compression} goes around any transcoder. {@link
 * io.memshard.client.transcoder.JavaSerialization} is for programs that cannot do without it.
 *
 * <p>Layer: above the client interfaces, which do not use it. Start reading at {@code CompatibleTranscoder}.
 */
@NullMarked
package io.memshard.client.transcoder;

import org.jspecify.annotations.NullMarked;
