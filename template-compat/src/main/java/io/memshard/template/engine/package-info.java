/**
 * What an engine is to the template: {@link io.memshard.template.engine.EngineConnections}, opened
 * with {@link io.memshard.template.engine.EngineSettings}.
 *
 * <p>Lowest layer of this module: the engines and the pool import it, and it imports none of them.
 * For this module only; applications start at {@code MemcachedConnectionFactory}.
 */
@NullMarked
package io.memshard.template.engine;

import org.jspecify.annotations.NullMarked;
