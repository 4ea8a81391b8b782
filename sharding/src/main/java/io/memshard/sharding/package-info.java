/**
 * The array of connections to a server, the choosers over it, and {@link io.memshard.sharding.Memshard}, which builds
 * and owns them.
 *
 * <p>Layer: above the client module, which it reaches through {@code CommandSender} and {@code Connection}; below the
 * template. Start reading at {@code ConnectionArray}.
 */
@NullMarked
package io.memshard.sharding;

import org.jspecify.annotations.NullMarked;
