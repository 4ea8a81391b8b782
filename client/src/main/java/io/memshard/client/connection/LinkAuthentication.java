// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.options.Credentials;
import io.memshard.client.protocol.Authentication;
import io.memshard.client.protocol.wire.ErrorReply;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Authentication of a new link. No other command is sent until the server has answered, because memcached 1.6.18 would
 * lose the reply to that command. Protocol: protocol.txt, section "Authentication".
 */
final class LinkAuthentication {

    private static final String DEMAND = "CLIENT_ERROR unauthenticated";

    private LinkAuthentication() {}

    static void authenticate(Link link, LinkContext context, long deadlineNanos) throws IOException {
        Supplier<Credentials> supplier = context.options().credentials();
        if (supplier == null) {
            return;
        }
        Credentials credentials = current(supplier);
        Exchange<@Nullable Void> exchange =
                new Exchange<>(new Authentication(credentials.user(), credentials.password()), context);
        try {
            link.call(exchange, deadlineNanos);
        } catch (MemcachedException e) {
            ServerFullException.throwIfCauseOf(e);
            ErrorReply error = exchange.command.errorReply();
            String why = LinkFailure.describe(e);
            if (error == null || error.isServersFault()) {
                throw new IOException("the server did not complete the authentication: " + why, e);
            }
            throw new AuthenticationRefusedException(
                    "the server refused the credentials of user \"" + credentials.user() + "\": " + why, e);
        }
    }

    private static Credentials current(Supplier<Credentials> supplier) throws IOException {
        try {
            return Objects.requireNonNull(supplier.get());
        } catch (Throwable e) {
            // The application's message might contain the password.
            throw new IOException(
                    "the supplier of credentials threw " + e.getClass().getName());
        }
    }

    static @Nullable AuthenticationRefusedException demand(RuntimeException refusal) {
        String message = refusal.getMessage();
        return refusal instanceof MemcachedServerException && message != null && message.contains(DEMAND)
                ? new AuthenticationRefusedException("the server demands authentication: set credentials", refusal)
                : null;
    }
}
