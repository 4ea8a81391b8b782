/**
 * This project's own client as an engine of the template.
 *
 * <p>Above {@code engine} and the sharding module. Start reading at {@link
 * io.memshard.template.memshard.MemshardConnections}.
 */
@NullMarked
package io.memshard.template.memshard;

import org.jspecify.annotations.NullMarked;
