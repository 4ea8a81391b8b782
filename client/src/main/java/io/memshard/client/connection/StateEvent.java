// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.listener.ConnectionState;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

@Name("io.memshard.ConnectionState")
@Label("Memcached Connection State")
@Description("A connection changed its state")
@Category({"Memshard"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
final class StateEvent extends Event {

    @Label("Server")
    private @Nullable String server;

    @Label("Connection")
    @Description("Position of the connection among the connections to its server, from 0")
    private int connection;

    @Label("Socket")
    @Description("Name of the second socket of the connection; null for the first or only one")
    private @Nullable String socket;

    @Label("From")
    private @Nullable String from;

    @Label("To")
    private @Nullable String to;

    @Label("Cause")
    @Description("Failure that caused the change; null if none did")
    private @Nullable String cause;

    static void record(LinkContext context, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        StateEvent event = new StateEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.server = context.server().toString();
        event.connection = context.index();
        event.socket = context.socket();
        event.from = from.name();
        event.to = to.name();
        event.cause = cause == null ? null : LinkFailure.describe(cause);
        event.commit();
    }
}
