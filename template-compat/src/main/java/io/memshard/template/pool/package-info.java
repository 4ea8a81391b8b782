/**
 * The pool of mode pooled; the only package that needs Commons Pool 2.
 *
 * <p>Above {@code engine}, and the same for every engine. Start reading at {@link
 * io.memshard.template.pool.ConnectionPool}.
 */
@NullMarked
package io.memshard.template.pool;

import org.jspecify.annotations.NullMarked;
