// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.CommandContext;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

@Name("io.memshard.Overload")
@Label("Memcached Overload")
@Description("A command that was rejected because a limit of commands or bytes in flight was reached")
@Category({"Memshard"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
final class OverloadEvent extends Event {

    @Label("Verb")
    private @Nullable String verb;

    @Label("Server")
    private @Nullable String server;

    @Label("Connection")
    @Description("Position of the connection among the connections to its server, from 0")
    private int connection;

    @Label("Socket")
    @Description("Name of the second socket of the connection; null for the first or only one")
    private @Nullable String socket;

    @Label("In-Flight Limit")
    private int maxInFlight;

    @Label("Limit")
    @Description("The limit that was reached, in words")
    private @Nullable String limit;

    static void record(CommandContext context, int maxInFlight, String limit) {
        OverloadEvent event = new OverloadEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.verb = context.verb();
        event.server = context.server();
        event.connection = context.connectionIndex();
        event.socket = context.socket();
        event.maxInFlight = maxInFlight;
        event.limit = limit;
        event.commit();
    }
}
