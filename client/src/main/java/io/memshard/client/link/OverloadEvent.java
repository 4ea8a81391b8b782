package io.memshard.client.link;

import io.memshard.client.exception.CommandContext;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A command refused by a full connection. */
@Name("io.memshard.Overload")
@Label("Memcached Overload")
@Description("A command that was refused since its connection had reached its limit of commands in flight")
@Category({"Memshard"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
final class OverloadEvent extends Event {

    @Label("Verb")
    private @Nullable String verb;

    @Label("Server")
    private @Nullable String server;

    @Label("Connection")
    @Description("Position of the connection in its array")
    private int connection;

    @Label("In-Flight Limit")
    private int maxInFlight;

    /** Records a refusal, if a recording wants it. */
    static void record(CommandContext context, int maxInFlight) {
        OverloadEvent event = new OverloadEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.verb = context.verb();
        event.server = context.server();
        event.connection = context.connectionIndex();
        event.maxInFlight = maxInFlight;
        event.commit();
    }
}
