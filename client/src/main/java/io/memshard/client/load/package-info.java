/**
 * Get or load: of all callers of all processes, one loads a value that is missing.
 *
 * <p>Layer: above {@code connection} and {@code transcoder}, below {@code io.memshard.client}. Start reading at
 * {@link io.memshard.client.load.LoadOptions}.
 */
@NullMarked
package io.memshard.client.load;

import org.jspecify.annotations.NullMarked;
