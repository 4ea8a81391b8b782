// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.operation.Clients;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaRelease;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.embedded.Sessions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A memcached without a socket: commands are encoded, executed by the embedded memcached, and their replies decoded, on
 * the thread that sends. Faults and steps of other callers are put before or after chosen commands.
 */
public final class FakeFleet implements CommandSender {

    /** What may happen to a command. */
    enum Fault {
        /** It is not sent. */
        REFUSED,
        /** It is executed, and its reply is lost. */
        REPLY_LOST,
        /** It is not executed, and its time is over at once. */
        HANGS,
        /** It is executed and answered by {@link FakeFleet#release}, however long that takes. */
        LATE,
        /** Its time is over at once, and {@link FakeFleet#release} executes it. */
        TOO_LATE
    }

    /** For commands whose text starts so, a number of times. */
    private record Rule(String start, int[] times, @Nullable Fault fault, Runnable before, Runnable after) {}

    public static final Duration HOUR = Duration.ofHours(1);

    /** The time of all servers, which stands still. */
    static final Clock CLOCK = Clock.fixed(Instant.now(), ZoneOffset.UTC);

    private final String name;
    private final boolean classic;
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new Sessions(CLOCK, 64 * 1024 * 1024, 1024 * 1024, Map.of()).newSession());
    private final List<String> log = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();
    private final List<Runnable> heldBack = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private volatile boolean isDown;
    private int opaque;

    public FakeFleet(String name) {
        this(name, false);
    }

    public FakeFleet(String name, boolean classic) {
        this.name = name;
        this.classic = classic;
    }

    /** A blocking client of texts, whose calls have an hour. */
    public static MemcachedClient<String> over(CommandSender sender) {
        return Clients.blocking(sender, Transcoder.utf8(), 1 << 20, HOUR);
    }

    /** An asynchronous client of texts, whose calls have an hour. */
    public static AsyncMemcachedClient<String> asyncOver(CommandSender sender) {
        return Clients.blocking(sender, Transcoder.utf8(), 1 << 20, HOUR).async();
    }

    /** The remaining time to live of an item that is there; empty for one that never expires. */
    public static Optional<Duration> ttl(MemcachedClient<String> client, String key) {
        return Objects.requireNonNull(client.meta().get(GetRequest.of(key).returning(ItemField.TTL)))
                .ttl();
    }

    /** Each command from now on is refused, or no longer. */
    public FakeFleet down(boolean down) {
        isDown = down;
        return this;
    }

    /** The next command that starts so is not sent. */
    public FakeFleet refuse(String start) {
        return rule(start, 1, Fault.REFUSED, () -> {}, () -> {});
    }

    /** The next command that starts so is executed without a reply. */
    public FakeFleet loseReply(String start) {
        return rule(start, 1, Fault.REPLY_LOST, () -> {}, () -> {});
    }

    /** The next command of this operation is answered by these bytes, and not executed. */
    public FakeFleet answer(String operation, String reply) {
        answers.put(operation, reply);
        return this;
    }

    /** Each command that starts so hangs, for a time that takes no time. */
    public FakeFleet hang(String start) {
        return rule(start, Integer.MAX_VALUE, Fault.HANGS, () -> {}, () -> {});
    }

    /** The times for which commands that hang were waited for. */
    public synchronized List<Duration> waits() {
        return List.copyOf(waits);
    }

    /** Each command that starts so is executed by {@link #release}. */
    public FakeFleet holdBack(String start) {
        return rule(start, Integer.MAX_VALUE, Fault.LATE, () -> {}, () -> {});
    }

    /** Each command that starts so times out, and is executed by {@link #release}. */
    public FakeFleet delay(String start) {
        return rule(start, Integer.MAX_VALUE, Fault.TOO_LATE, () -> {}, () -> {});
    }

    /**
     * Executes and answers what was held back or delayed, on this thread, and does so with nothing any more. While the
     * fleet is down, the commands time out instead.
     */
    public void release() {
        List<Runnable> late;
        synchronized (this) {
            rules.removeIf(rule -> rule.fault == Fault.LATE || rule.fault == Fault.TOO_LATE);
            late = List.copyOf(heldBack);
            heldBack.clear();
        }
        late.forEach(Runnable::run);
    }

    /** Something happens before the next command that starts so is executed. */
    public FakeFleet before(String start, Runnable step) {
        return rule(start, 1, null, step, () -> {});
    }

    /** Something happens after the next command that starts so was executed. */
    public FakeFleet after(String start, Runnable step) {
        return rule(start, 1, null, () -> {}, step);
    }

    private synchronized FakeFleet rule(
            String start, int times, @Nullable Fault fault, Runnable before, Runnable after) {
        rules.add(new Rule(start, new int[] {times}, fault, before, after));
        return this;
    }

    /** No more faults. */
    public synchronized FakeFleet heal() {
        rules.clear();
        isDown = false;
        return this;
    }

    /** The first lines of the commands that were sent, without opaques, since this was called last. */
    public synchronized List<String> sent() {
        List<String> lines = List.copyOf(log);
        log.clear();
        return lines;
    }

    /** The commands of {@link #sent} that start so. */
    public List<String> sent(String start) {
        return sent().stream()
                .filter((Predicate<String>) line -> line.startsWith(start))
                .toList();
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        CompletableFuture<T> result = new CompletableFuture<>();
        boolean timesOut;
        try {
            timesOut = execute(command, result);
        } catch (MemcachedException e) {
            timesOut = false;
            result.completeExceptionally(e);
        }
        boolean isLost = timesOut;
        return new Reply<>() {
            @Override
            public T await(long timeoutNanos) {
                try {
                    return Futures.result(toFuture(Duration.ofNanos(timeoutNanos)));
                } catch (CompletionException e) {
                    throw new AssertionError(e.getCause());
                }
            }

            @Override
            public CompletableFuture<T> toFuture(Duration timeout) {
                if (isLost) {
                    synchronized (FakeFleet.this) {
                        waits.add(timeout);
                    }
                    result.completeExceptionally(timeout(command));
                }
                return result.copy();
            }
        };
    }

    private MemcachedTimeoutException timeout(Command<?> command) {
        return new MemcachedTimeoutException(
                "no reply in time", context(command.verb(), command.key(), Phase.AWAITING_REPLY), null);
    }

    /** Executes a command, unless it hangs or is held back. Returns whether it times out. */
    private <T> boolean execute(Command<T> command, CompletableFuture<T> result) {
        List<Rule> taken = take(line(command));
        Fault fault = taken.stream()
                .map(Rule::fault)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (isDown || fault == Fault.REFUSED) {
            throw new MemcachedConnectionException(
                    "refused", context(command.verb(), command.key(), Phase.QUEUED), null);
        }
        if (fault == Fault.HANGS) {
            return true;
        }
        if (fault == Fault.LATE || fault == Fault.TOO_LATE) {
            synchronized (this) {
                heldBack.add(() -> answerLate(command, result));
            }
            return fault == Fault.TOO_LATE;
        }
        taken.forEach(rule -> rule.before.run());
        Command<T> answered = executed(command);
        taken.forEach(rule -> rule.after.run());
        if (fault == Fault.REPLY_LOST) {
            throw timeout(command);
        }
        complete(answered, result);
        return false;
    }

    private <T> void answerLate(Command<T> command, CompletableFuture<T> result) {
        if (isDown) {
            result.completeExceptionally(timeout(command));
        } else {
            complete(executed(command), result);
        }
    }

    /** Executes a command in the form that this fleet knows. */
    private <T> Command<T> executed(Command<T> command) {
        Command<T> form = form(command);
        run(form);
        for (MetaRelease release : form.releases()) {
            run(release).releases().forEach(this::run);
        }
        return form;
    }

    private <T> void complete(Command<T> executed, CompletableFuture<T> result) {
        ErrorReply error = executed.errorReply();
        if (error != null) {
            throw error.toException(context(executed.verb(), executed.key(), Phase.REPLIED));
        }
        result.complete(executed.result());
    }

    private synchronized List<Rule> take(String line) {
        log.add(line);
        List<Rule> taken = rules.stream()
                .filter(rule -> rule.times[0] > 0 && line.startsWith(rule.start))
                .toList();
        taken.forEach(rule -> rule.times[0]--);
        return taken;
    }

    private <T> Command<T> form(Command<T> command) {
        if (!classic) {
            return command;
        }
        try {
            return command.classicForm();
        } catch (NoClassicFormException e) {
            throw new MemcachedUnsupportedException(
                    e.getMessage(), context(command.verb(), command.key(), Phase.QUEUED), null);
        }
    }

    /** The first line of a request, without its opaque. */
    private String line(Command<?> command) {
        RequestBuffer out = new RequestBuffer();
        Command<?> form;
        try {
            form = form(command);
        } catch (MemcachedUnsupportedException e) {
            form = command;
        }
        if (form != command || command.keyCount() > 1 || command.key() == null) {
            return command.keyCount() > 1
                    ? command.operation() + ' ' + command.keyCount()
                    : command.verb() + ' ' + command.key();
        }
        Objects.requireNonNull(command.again()).encode(out, 0);
        String text = new String(out.drain(), ISO_8859_1);
        return text.substring(0, text.indexOf('\r')).replaceAll(" O0\\b", "");
    }

    private synchronized <C extends Command<?>> C run(C command) {
        RequestBuffer out = new RequestBuffer();
        command.encode(out, ++opaque);
        String answer = answers.remove(command.operation());
        if (answer == null) {
            channel.writeInbound(Unpooled.wrappedBuffer(out.drain()));
        } else {
            String reply = answer.replace("#0", String.valueOf(1 << 24 | opaque))
                    .replace("#1", String.valueOf(2 << 24 | opaque))
                    .replace("#", String.valueOf(opaque));
            channel.writeOutbound(Unpooled.copiedBuffer(reply, ISO_8859_1));
        }
        ReplyBuffer in = new ReplyBuffer(1024 * 1024, false);
        try {
            boolean isComplete = false;
            for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
                in.append(bytes.nioBuffer());
                isComplete = command.decode(in, opaque);
                bytes.release();
            }
            if (!isComplete) {
                throw new AssertionError("no whole reply to " + command.verb());
            }
        } catch (MalformedReplyException e) {
            throw new AssertionError(e);
        }
        return command;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS));
    }

    @Override
    public String toString() {
        return name;
    }
}
