// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.Protocol;
import io.memshard.client.protocol.Authentication;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opener of links. Threading: confined to the thread of the current attempt to connect.
 *
 * <p>{@code docs/versions.md} has the rules by which the protocol is detected. Without a clear answer, an attempt to
 * connect fails, because a fallback would keep classic text for a server that was slow only once.
 */
final class Handshake {

    private static final String NO_META = "the server does not support the meta protocol (memcached 1.6.10 or later"
            + " does; for other servers, set protocol CLASSIC)";

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String AUTHENTICATION_DEMAND = "CLIENT_ERROR unauthenticated";
    private static final int HANG_UPS_OF_A_REFUSAL = 4;

    private final LinkContext context;
    private final LinkOpener opener;
    private final Link.Listener listener;
    private final PerServer server;

    /** True if detection chose classic text for the last link, and no attempt has failed since. */
    private boolean hasRefused;

    Handshake(LinkContext context, LinkOpener opener, Link.Listener listener, PerServer server) {
        this.context = context;
        this.opener = opener;
        this.listener = listener;
        this.server = server;
    }

    Link open(long deadlineNanos) throws IOException, InterruptedException {
        Link opened = null;
        try {
            List<SocketAddress> resolved = server.environment.resolver().resolve(context.server());
            opened = server.addresses.open(resolved, this::open, deadlineNanos);
            if (Addresses.maySplit(resolved)) {
                server.log.severalAddresses(resolved);
            }
            hasRefused = context.protocol() == Protocol.AUTO && opened.speaksClassic();
            return opened;
        } catch (Throwable e) {
            hasRefused = false;
            if (opened != null) {
                opened.close(); // After an Error, no other code knows of the link.
            }
            throw e;
        }
    }

    private Link open(SocketAddress address, long deadlineNanos) throws IOException, InterruptedException {
        Protocol protocol = hasRefused ? Protocol.CLASSIC : context.protocol();
        return switch (protocol) {
            case META -> greeted(address, deadlineNanos, protocol, new MetaNoop());
            case CLASSIC -> greeted(address, deadlineNanos, protocol, new MetaNoop().classicForm());
            case AUTO -> detected(address, deadlineNanos);
        };
    }

    private Link detected(SocketAddress address, long deadlineNanos) throws IOException, InterruptedException {
        Command<?>[] questions = {new MetaNoop.Probe()};
        for (int denials = 1; ; denials++) {
            try {
                return greeted(address, deadlineNanos, Protocol.META, questions);
            } catch (NoAnswerException e) {
                if (!e.deniesMeta) {
                    throw e;
                }
                if (!e.isHangUp || denials == HANG_UPS_OF_A_REFUSAL) {
                    return classicAfter(e, address, deadlineNanos);
                }
                questions = new Command<?>[] {new MetaNoop().classicForm(), new MetaNoop.Probe()};
            }
        }
    }

    private Link classicAfter(NoAnswerException denial, SocketAddress address, long deadlineNanos)
            throws IOException, InterruptedException {
        try {
            Link opened = greeted(address, deadlineNanos, Protocol.CLASSIC, new MetaNoop().classicForm());
            server.log.classicSpoken(context, LinkFailure.describe(denial));
            return opened;
        } catch (IOException e) {
            e.addSuppressed(denial);
            throw e;
        }
    }

    private Link greeted(SocketAddress address, long deadlineNanos, Protocol protocol, Command<?>... questions)
            throws IOException, InterruptedException {
        server.sockets.take(System.nanoTime());
        Link link = opener.open(address, context.speaking(protocol), deadlineNanos - System.nanoTime(), listener);
        try {
            authenticate(link, context, deadlineNanos);
            for (Command<?> question : questions) {
                String denial = ask(link, question, deadlineNanos);
                if (denial != null) {
                    link.speakClassic();
                    server.log.classicSpoken(context, NO_META + ": " + denial);
                }
            }
            return link;
        } catch (Throwable e) {
            close(link);
            throw e;
        }
    }

    static void close(Link link) {
        link.close();
        link.awaitClosed(System.nanoTime() + CLOSE_NANOS);
    }

    /** Waits for the answer, because memcached 1.6.18 does not reply to commands that are sent earlier. */
    static void authenticate(Link link, LinkContext context, long deadlineNanos) throws IOException {
        Supplier<Credentials> supplier = context.options().credentials;
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

    /** Returns why the server lacks the meta protocol; null if the reply does not say so. */
    private @Nullable String ask(Link link, Command<?> question, long deadlineNanos) throws IOException {
        try {
            return link.call(new Exchange<>(question, context), deadlineNanos) instanceof String denial ? denial : null;
        } catch (RuntimeException e) {
            ServerFullException.throwIfCauseOf(e);
            ErrorReply error = question.errorReply();
            String why = LinkFailure.describe(e);
            if (error != null && error.text().contains(AUTHENTICATION_DEMAND)) {
                throw new AuthenticationRefusedException("the server demands authentication: set credentials", e);
            }
            boolean isProbe = question instanceof MetaNoop.Probe;
            boolean isCutOff = e instanceof MemcachedConnectionException;
            if (error == null && isCutOff && question instanceof MetaNoop.Probe probe && probe.readError() != null) {
                error = probe.readError();
                why = "mg was answered " + error.text();
            }
            boolean isAboutMeta = isProbe || question instanceof MetaNoop;
            boolean isFault = error != null && error.isServersFault();
            if (isFault && !isAboutMeta) {
                return null; // An error of the server behind a proxy is an answer too.
            }
            String message;
            if (e.getCause() instanceof MalformedReplyException malformed) {
                String answer = malformed.answer();
                message = "it is not memcached"
                        + (answer == null ? ": " + malformed.getMessage() : ", it answered " + answer);
            } else if (error == null) {
                boolean isPlain = context.options().tls == null;
                message = "it did not answer: " + why + (isPlain ? "; if it speaks TLS on this port, set tls" : "");
            } else if (isFault) {
                message = "it failed at the first command: " + why;
            } else {
                message = (isAboutMeta ? NO_META : "the server does not support get") + ": " + why;
            }
            boolean isHangUp = error == null && isCutOff;
            throw new NoAnswerException(message, e, isHangUp, isProbe && (isHangUp || (error != null && !isFault)));
        }
    }

    Throwable failure(Throwable cause, boolean timedOut) {
        if (cause instanceof AuthenticationRefusedException) {
            return cause;
        }
        String within = timedOut ? " within " + context.options().connectTimeout.toMillis() + " ms" : "";
        String why = context.server() + within + ": " + LinkFailure.describe(cause);
        boolean wasConnected = cause instanceof ServerFullException
                || cause instanceof NoAnswerException
                || cause.getCause() instanceof NoAnswerException;
        return new IOException((wasConnected ? "cannot use " : "cannot connect to ") + why, cause);
    }

    static final class AuthenticationRefusedException extends IOException {

        private static final long serialVersionUID = 1L;

        AuthenticationRefusedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private static final class NoAnswerException extends IOException {

        private static final long serialVersionUID = 1L;

        private final boolean isHangUp;
        private final boolean deniesMeta;

        NoAnswerException(String message, RuntimeException cause, boolean isHangUp, boolean deniesMeta) {
            super(message, cause);
            this.isHangUp = isHangUp;
            this.deniesMeta = deniesMeta;
        }
    }
}
