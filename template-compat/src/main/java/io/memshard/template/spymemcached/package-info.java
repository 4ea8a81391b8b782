/**
 * spymemcached 2.12 as an engine of the template; the only package that needs it.
 *
 * <p>Above {@code engine}. Start reading at {@link
 * io.memshard.template.spymemcached.SpymemcachedConnections}.
 */
@NullMarked
package io.memshard.template.spymemcached;

import org.jspecify.annotations.NullMarked;
