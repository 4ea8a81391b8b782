package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.Refusal;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens links for a connection, and sees to it that the server answers on each before it is used: a socket is not a
 * server.
 *
 * <h2>Which protocol</h2>
 *
 * <p>{@code mn} is the question: {@code MN} means meta. An error means that there is no such command, as with memcached
 * before 1.5.19; mcrouter sends one too and hangs up, twemproxy hangs up at once. The question then is {@code get}, on
 * another link, and any answer to it means classic, also that a proxy cannot reach its server. A server that hung
 * up may have been about to go away, and is asked {@code mn} a second time once it has answered {@code get}. Silence
 * and anything else fail the attempt: a server that was slow once would be spoken classic with ever after.
 *
 * <p>That is two or three sockets for a classic server, so it is remembered for ten minutes, unless an attempt fails
 * before, as it may when a server is replaced. So one that speaks meta from now on is found out by the first reconnect
 * after either.
 *
 * <p>Threading: confined to the attempt of the connection under way, of which there is one at a time.
 */
final class Handshake {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final LinkIdentity identity;
    private final LinkOpener opener;
    private final Link.Listener listener;
    private final LongSupplier nanoTime;

    /** Whether classic was found to be spoken, and when. */
    private boolean foundClassic;

    private long foundClassicNanos;

    /**
     * A handshake that has met no server yet.
     *
     * @param listener told when a link dies
     * @param nanoTime the time in {@link System#nanoTime()}
     */
    Handshake(LinkIdentity identity, LinkOpener opener, Link.Listener listener, LongSupplier nanoTime) {
        this.identity = identity;
        this.opener = opener;
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    /**
     * Connects, blocking, and waits for the server's answer.
     *
     * @param deadlineNanos by when, in {@link System#nanoTime()}
     * @throws IOException if there is no answer within the time; no socket is left then
     * @throws InterruptedException if the thread was interrupted; no socket is left then
     */
    Link open(SocketAddress address, long deadlineNanos) throws IOException, InterruptedException {
        return identity.protocol() == Protocol.AUTO
                ? detected(address, deadlineNanos)
                : answering(identity.protocol(), address, deadlineNanos);
    }

    /** Forgets what it has found out. */
    void forget() {
        foundClassic = false;
    }

    private Link detected(SocketAddress address, long deadlineNanos) throws IOException, InterruptedException {
        if (foundClassic && nanoTime.getAsLong() - foundClassicNanos < REMEMBERED_NANOS) {
            return answering(Protocol.CLASSIC, address, deadlineNanos);
        }
        NoAnswerException first;
        try {
            return answering(Protocol.META, address, deadlineNanos);
        } catch (NoAnswerException e) {
            first = e;
        }
        if (!first.isRefusal && !first.isHangUp) {
            throw first;
        }
        Link classic;
        try {
            classic = answering(Protocol.CLASSIC, address, deadlineNanos);
        } catch (IOException e) {
            e.addSuppressed(first);
            throw e;
        }
        Link meta = first.isHangUp ? metaAfterAll(classic, address, deadlineNanos) : null;
        if (meta != null) {
            return meta;
        }
        if (!foundClassic) {
            LOG.info("{}: classic text is spoken: {}", identity, first.getMessage());
        }
        foundClassic = true;
        foundClassicNanos = nanoTime.getAsLong();
        return classic;
    }

    /** A second try at meta beside a classic link, which is closed if it succeeds; null if not. */
    private @Nullable Link metaAfterAll(Link classic, SocketAddress address, long deadlineNanos)
            throws IOException, InterruptedException {
        boolean stillHungUp = false;
        try {
            return answering(Protocol.META, address, deadlineNanos);
        } catch (NoAnswerException e) {
            stillHungUp = e.isHangUp || e.isRefusal;
            if (!stillHungUp) {
                throw e;
            }
            return null;
        } finally {
            if (!stillHungUp) {
                classic.close();
            }
        }
    }

    /** Opens a link and waits for the answer to its greeting. */
    private Link answering(Protocol protocol, SocketAddress address, long deadlineNanos)
            throws IOException, InterruptedException {
        Link link = opener.open(address, identity.speaking(protocol), deadlineNanos - System.nanoTime(), listener);
        boolean answered = false;
        try {
            LinkAuthentication.authenticate(link, identity, deadlineNanos);
            Exchange<@Nullable Void> greeting = new Exchange<>(new MetaNoop(), identity);
            greeting.registerCaller();
            link.send(greeting);
            try {
                greeting.awaitAsRegistered(deadlineNanos - System.nanoTime());
            } catch (RuntimeException e) {
                AuthenticationRefusedException demand = LinkAuthentication.demand(e);
                if (demand != null) {
                    throw demand;
                }
                NoAnswerException failure = new NoAnswerException(protocol, greeting.command.refusal(), e);
                // A proxy that cannot reach its server is there all the same.
                if (protocol == Protocol.META || !failure.isServersFault) {
                    throw failure;
                }
            }
            answered = true;
            return link;
        } finally {
            if (!answered) {
                link.close();
            }
        }
    }

    /** There was a connection, and no answer on it that makes it usable. */
    private static final class NoAnswerException extends IOException {

        /** The server does not know the command. */
        private final boolean isRefusal;

        /** The server took the command and failed at it. */
        private final boolean isServersFault;

        /** The server closed the connection. */
        private final boolean isHangUp;

        NoAnswerException(Protocol asked, @Nullable Refusal refusal, RuntimeException cause) {
            super(message(asked, refusal) + ": " + cause.getMessage(), cause);
            isServersFault = refusal != null && refusal.isServersFault();
            isRefusal = refusal != null && !isServersFault;
            isHangUp = cause instanceof MemcachedConnectionException;
        }

        private static String message(Protocol asked, @Nullable Refusal refusal) {
            if (refusal == null || refusal.isServersFault()) {
                return "connected, but the server did not answer";
            }
            return asked == Protocol.META
                    ? "the server has no meta protocol (memcached 1.6 or later has; for others there is protocol CLASSIC)"
                    : "the server has no get";
        }
    }
}
