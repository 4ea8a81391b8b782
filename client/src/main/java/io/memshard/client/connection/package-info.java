/**
 * One connection to one server: commands in, replies out, and what happens when the socket dies.
 *
 * <p>{@link io.memshard.client.connection.Connection} is the seam. Behind it, {@code
 * ReconnectingConnection} holds at most one {@code Link}, an established socket with its commands in
 * flight; links are opened by a {@code LinkOpener} and die once.
 *
 * <p>Layer: above {@code protocol}, below {@code io.memshard.client}. Start reading at {@code Connection}, then
 * {@code ReconnectingConnection}, then {@code EventLoopLink}.
 */
@NullMarked
package io.memshard.client.connection;

import org.jspecify.annotations.NullMarked;
