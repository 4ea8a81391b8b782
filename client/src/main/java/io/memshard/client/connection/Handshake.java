package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.options.Protocol;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ErrorReply;
import io.memshard.client.protocol.MetaNoop;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens links for a connection. It uses a link only after the server has answered on it, because a socket is not a
 * server.
 *
 * <h2>Which protocol</h2>
 *
 * <p>The question is {@code mn}. {@code MN} means meta. {@code ERROR} means that there is no such command, as with
 * memcached before 1.5.19. mcrouter answers {@code CLIENT_ERROR} and hangs up. twemproxy hangs up without an answer. A
 * network or a server that is going away does so too. So a hang-up counts as a refusal only if it comes again and
 * again, on sockets on which {@code get} was answered the moment before. {@code version} would not tell them apart,
 * because twemproxy passes on the answer of a server behind it.
 *
 * <pre>
 * greeting, on a socket of its own            answer to the last question   next
 * META           mn                           MN                            meta is spoken
 *                                             ERROR, CLIENT_ERROR           CLASSIC, remembered for ten minutes
 *                                             hang-up                       META_IN_DOUBT
 * META_IN_DOUBT  get, and mn when answered    MN                            meta is spoken
 *                                             ERROR, CLIENT_ERROR           CLASSIC, remembered for ten minutes
 *                                             hang-up                       META_IN_DOUBT; the third time, CLASSIC
 * CLASSIC        get                          END, SERVER_ERROR             classic is spoken
 * </pre>
 *
 * <p>Silence fails the attempt, and so does anything that is not in the table. Nothing is concluded from either: a
 * server that was slow once would be spoken to in classic text for ever. {@code SERVER_ERROR} to {@code mn} is such an
 * answer, because the server knows the command. To {@code get} it is as good as {@code END}: a proxy says by it that a
 * server behind it is away.
 *
 * <p>A refusal is remembered, so that a reconnect takes one socket. It is forgotten when an attempt fails, as may
 * happen when a server is replaced. So a server that speaks meta from now on is found out by the next reconnect.
 * Hang-ups are not remembered: each reconnect asks anew.
 *
 * <p>Threading: confined to the connection's attempt under way. There is one at a time.
 */
final class Handshake {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** How long to wait at most until the socket of a useless link is closed. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How many hang-ups on {@code mn} in a row, the one that raised the doubt included, are a refusal. */
    private static final int HANG_UPS_OF_A_REFUSAL = 4;

    private final LinkContext context;
    private final LinkOpener opener;
    private final Link.Listener listener;
    private final LongSupplier nanoTime;

    /** Whether the server has refused {@code mn}, and when. */
    private boolean hasRefused;

    private long refusedNanos;

    /**
     * A handshake that has met no server yet.
     *
     * @param listener told when a link fails
     * @param nanoTime the time in {@link System#nanoTime()}
     */
    Handshake(LinkContext context, LinkOpener opener, Link.Listener listener, LongSupplier nanoTime) {
        this.context = context;
        this.opener = opener;
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    /**
     * Connects to the first of the server's addresses that answers; forgets what it has found out if none does.
     *
     * @param deadlineNanos by when, in {@link System#nanoTime()}
     * @throws IOException what tells most of why there is no link; no socket is left then
     * @throws InterruptedException if the thread was interrupted; no socket is left then
     */
    Link open(long deadlineNanos) throws IOException, InterruptedException {
        IOException failure = null;
        for (SocketAddress address : context.server().resolve()) {
            try {
                return open(address, deadlineNanos);
            } catch (IOException e) {
                failure = failure == null ? e : worse(failure, e);
            }
        }
        forget();
        throw failure == null ? new UnknownHostException(context.server().host()) : failure;
    }

    /** The one that tells more: a server that will not have us says more than an address that does not answer. */
    private static IOException worse(IOException earlier, IOException later) {
        boolean earlierTells = earlier instanceof SSLException || earlier instanceof AuthenticationRefusedException;
        IOException told = earlierTells ? earlier : later;
        told.addSuppressed(earlierTells ? later : earlier);
        return told;
    }

    /**
     * Connects, blocking, and waits for the server's answer.
     *
     * @param deadlineNanos by when, in {@link System#nanoTime()}
     * @throws IOException if there is no answer within the time; no socket is left then
     * @throws InterruptedException if the thread was interrupted; no socket is left then
     */
    Link open(SocketAddress address, long deadlineNanos) throws IOException, InterruptedException {
        return switch (context.protocol()) {
            case META -> greeted(Greeting.META, address, deadlineNanos);
            case CLASSIC -> greeted(Greeting.CLASSIC, address, deadlineNanos);
            case AUTO ->
                remembersRefusal()
                        ? greeted(Greeting.CLASSIC, address, deadlineNanos)
                        : detected(address, deadlineNanos);
        };
    }

    private boolean remembersRefusal() {
        return hasRefused && nanoTime.getAsLong() - refusedNanos < REMEMBERED_NANOS;
    }

    /** Forgets what it has found out. */
    void forget() {
        hasRefused = false;
    }

    private Link detected(SocketAddress address, long deadlineNanos) throws IOException, InterruptedException {
        Greeting greeting = Greeting.META;
        NoAnswerException denial;
        int hangUps = 0;
        do {
            try {
                return greeted(greeting, address, deadlineNanos);
            } catch (NoAnswerException e) {
                denial = e;
            }
            if (!denial.deniesMeta()) {
                throw denial;
            }
            greeting = Greeting.META_IN_DOUBT;
            hangUps++;
        } while (denial.isHangUp && hangUps < HANG_UPS_OF_A_REFUSAL);
        return classicAfter(denial, address, deadlineNanos);
    }

    private Link classicAfter(NoAnswerException denial, SocketAddress address, long deadlineNanos)
            throws IOException, InterruptedException {
        Link link;
        try {
            link = greeted(Greeting.CLASSIC, address, deadlineNanos);
        } catch (IOException e) {
            e.addSuppressed(denial);
            throw e;
        }
        LOG.info("{}: classic text is spoken: {}", context, denial.getMessage());
        hasRefused = !denial.isHangUp;
        refusedNanos = nanoTime.getAsLong();
        return link;
    }

    /** Opens a link and waits for the answers to a greeting. */
    private Link greeted(Greeting greeting, SocketAddress address, long deadlineNanos)
            throws IOException, InterruptedException {
        LinkContext speaking = context.speaking(greeting.protocol);
        Link link = opener.open(address, speaking, deadlineNanos - System.nanoTime(), listener);
        try {
            LinkAuthentication.authenticate(link, context, deadlineNanos);
            for (Question question : greeting.questions) {
                ask(link, question, deadlineNanos);
            }
            return link;
        } catch (Throwable e) {
            link.close();
            link.awaitClosed(System.nanoTime() + CLOSE_NANOS);
            throw e;
        }
    }

    private void ask(Link link, Question question, long deadlineNanos) throws IOException {
        Exchange<@Nullable Void> exchange = new Exchange<>(question.command(), context);
        exchange.registerCaller();
        link.send(exchange);
        try {
            exchange.awaitAsRegistered(deadlineNanos - System.nanoTime());
        } catch (RuntimeException e) {
            AuthenticationRefusedException demand = LinkAuthentication.demand(e);
            if (demand != null) {
                throw demand;
            }
            ErrorReply error = exchange.command.errorReply();
            // A proxy that cannot reach its server is there all the same.
            if (question == Question.MN || error == null || !error.isServersFault()) {
                throw new NoAnswerException(question, error, e);
            }
        }
    }

    /**
     * What is asked on a link before it is used.
     *
     * @param questions each to be asked when the one before is answered
     */
    private record Greeting(Protocol protocol, List<Question> questions) {

        static final Greeting META = new Greeting(Protocol.META, List.of(Question.MN));
        static final Greeting META_IN_DOUBT = new Greeting(Protocol.META, List.of(Question.GET, Question.MN));
        static final Greeting CLASSIC = new Greeting(Protocol.CLASSIC, List.of(Question.GET));
    }

    private enum Question {
        MN,
        GET;

        /** In a form that links of either protocol send as it is. */
        Command<@Nullable Void> command() {
            MetaNoop noop = new MetaNoop();
            return this == MN ? noop : noop.classicForm();
        }
    }

    /** There was a connection, and no answer on it that makes it usable. */
    private static final class NoAnswerException extends IOException {

        private static final long serialVersionUID = 1L;

        private final Question asked;

        /** The server closed the connection; if not, it did not answer, or not as it should. */
        private final boolean isHangUp;

        /** The server does not know the command. */
        private final boolean isRefusal;

        NoAnswerException(Question asked, @Nullable ErrorReply error, RuntimeException cause) {
            super(message(asked, error) + ": " + cause.getMessage(), cause);
            this.asked = asked;
            isHangUp = cause instanceof MemcachedConnectionException;
            isRefusal = error != null && !error.isServersFault();
        }

        /** Whether it is what servers without the meta protocol do; others may hang up too. */
        boolean deniesMeta() {
            return asked == Question.MN && (isHangUp || isRefusal);
        }

        private static String message(Question asked, @Nullable ErrorReply error) {
            if (error == null) {
                return "connected, but the server did not answer";
            }
            if (error.isServersFault()) {
                return "connected, but the server failed at its first command";
            }
            return asked == Question.MN
                    ? "the server has no meta protocol (memcached 1.6 or later has it;"
                            + " for others there is protocol CLASSIC)"
                    : "the server has no get";
        }
    }
}
