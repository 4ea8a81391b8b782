// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.FlightRecorder;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.LinkContext;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ReadCommand;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** Reply that is reported to a listener and the flight recorder when the caller takes the result or the failure. */
final class ObservedReply<T> extends PendingReply<T> {

    private static final ClientLog LOG = ClientLog.of(ConnectionListener.class);

    private final @Nullable ConnectionListener listener;
    private final @Nullable CommandEvent event = FlightRecorder.IS_PRESENT ? new CommandEvent() : null;
    private final String operation;
    private final boolean requestsValues;
    private final long startNanos = System.nanoTime();

    /** Returns whether a recording includes commands. The JIT compiler removes the allocation. */
    static boolean isRecorded() {
        return FlightRecorder.IS_PRESENT && new CommandEvent().isEnabled();
    }

    ObservedReply(Command<T> command, LinkContext context, @Nullable ConnectionListener listener) {
        super(command, context);
        this.listener = listener;
        this.operation = command.operation();
        ReadCommand<T> read = command.asRead();
        this.requestsValues = read != null && read.hits() >= 0;
        if (event != null) {
            event.begin();
        }
    }

    @Override
    public T result() {
        T result;
        try {
            result = super.result();
        } catch (MemcachedException e) {
            ended(e);
            throw e;
        }
        ended(null);
        return result;
    }

    private void ended(@Nullable MemcachedException failure) {
        boolean recorded = false;
        if (event != null) {
            event.end();
            recorded = event.shouldCommit();
        }
        if (!recorded && listener == null) {
            return;
        }
        CommandEnd end = end(failure);
        if (event != null && recorded) {
            event.record(end, context.options().hideKeys);
        }
        if (listener != null) {
            try {
                listener.commandEnded(end);
            } catch (Throwable e) {
                // An Error of an incompatible metrics library must not affect the reply either.
                LOG.warn("{}: the ConnectionListener threw an exception", context, e);
            }
        }
    }

    private CommandEnd end(@Nullable MemcachedException failure) {
        ReadCommand<T> read = command.asRead();
        return new CommandEnd(
                operation,
                command.verb(),
                command.key(),
                command.keyCount(),
                read != null && failure == null ? read.hits() : requestsValues ? 0 : -1,
                context.server(),
                context.index(),
                context.socket(),
                System.nanoTime() - startNanos,
                failure);
    }

    @Name("io.memshard.Command")
    @Label("Memcached Command")
    @Description("A command, from its call until its caller has the result")
    @Category("Memshard")
    @StackTrace(false)
    @Threshold("10 ms")
    @SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
    private static final class CommandEvent extends Event {

        private @Nullable String operation;
        private @Nullable String verb;
        private @Nullable String key;
        private int keys;

        @Description("Number of keys that had a value; -1 if no value was requested")
        private int hits;

        private @Nullable String server;
        private int connection;
        private @Nullable String socket;
        private @Nullable String failure;

        void record(CommandEnd ended, boolean hidesKey) {
            operation = ended.operation();
            verb = ended.verb();
            key = hidesKey ? null : ended.key();
            keys = ended.keys();
            hits = ended.hits();
            server = ended.server().toString();
            connection = ended.connectionIndex();
            socket = ended.socket();
            MemcachedException why = ended.failure();
            failure = why == null ? null : why.getClass().getSimpleName() + ": " + why.getMessage();
            commit();
        }
    }
}
