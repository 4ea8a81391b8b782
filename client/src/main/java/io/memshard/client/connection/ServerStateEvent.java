// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.listener.ServerStatus;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

@Name("io.memshard.ServerState")
@Label("Memcached Server State")
@Description("A server became up, unreachable, ejected or probing")
@Category({"Memshard"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
final class ServerStateEvent extends Event {

    @Label("Server")
    private @Nullable String server;

    @Label("From")
    private @Nullable String from;

    @Label("To")
    private @Nullable String to;

    @Label("Reason")
    @Description("Reason for the new state")
    private @Nullable String reason;

    static void record(ServerStatus before, ServerStatus now) {
        ServerStateEvent event = new ServerStateEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.server = now.server().toString();
        event.from = before.state().name();
        event.to = now.state().name();
        event.reason = now.reason();
        event.commit();
    }
}
