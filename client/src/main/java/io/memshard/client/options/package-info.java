/**
 * What a user sets: where a server is, how it is reached, within which limits, and what a failure leads to.
 *
 * <p>Layer: below everything but the exceptions; values only, no sockets and no threads. Start reading at
 * {@link io.memshard.client.options.ConnectionOptions}.
 */
@NullMarked
package io.memshard.client.options;

import org.jspecify.annotations.NullMarked;
