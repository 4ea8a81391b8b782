// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.CommandEnd;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** Event of a command. See docs/observability.md for names and units. */
@Name("io.memshard.Command")
@Label("Memcached Command")
@Description("A command, from its call until its caller has the result")
@Category({"Memshard"})
@StackTrace(false)
@Threshold("10 ms")
@SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
final class CommandEvent extends Event {

    @Label("Operation")
    @Description("Operation of the API that sent the command")
    private @Nullable String operation;

    @Label("Verb")
    private @Nullable String verb;

    @Label("Key")
    private @Nullable String key;

    @Label("Keys")
    @Description("Number of keys in the command")
    private int keys;

    @Label("Hits")
    @Description("Number of keys that had a value; -1 if no value was requested")
    private int hits;

    @Label("Server")
    private @Nullable String server;

    @Label("Connection")
    @Description("Position of the connection among the connections to its server, from 0")
    private int connection;

    @Label("Socket")
    @Description("Name of the second socket of the connection; null for the first or only one")
    private @Nullable String socket;

    @Label("Failure")
    @Description("The exception's class and message; null if there was a result")
    private @Nullable String failure;

    /** Returns whether a recording includes this event. Compiled code does not allocate this instance. */
    static boolean isRecorded() {
        return new CommandEvent().isEnabled();
    }

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
