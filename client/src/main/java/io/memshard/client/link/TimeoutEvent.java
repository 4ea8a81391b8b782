// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.CommandContext;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

@Name("io.memshard.Timeout")
@Label("Memcached Timeout")
@Description("A command that had no reply within its request timeout")
@Category({"Memshard"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
final class TimeoutEvent extends Event {

    @Label("Verb")
    private @Nullable String verb;

    @Label("Key")
    private @Nullable String key;

    @Label("Server")
    private @Nullable String server;

    @Label("Connection")
    @Description("Position of the connection among the connections to its server, from 0")
    private int connection;

    @Label("Socket")
    @Description("Name of the second socket of the connection; null for the first or only one")
    private @Nullable String socket;

    @Label("Phase")
    private @Nullable String phase;

    @Label("Request Timeout")
    @Timespan(Timespan.NANOSECONDS)
    private long timeout;

    @Label("Position")
    @Description("Position among the commands in flight, from 1 for the oldest; 0 if there was no connection")
    private int position;

    @Label("In Flight")
    private int inFlight;

    @Label("Silence")
    @Description("Time since bytes last arrived from the server")
    @Timespan(Timespan.NANOSECONDS)
    private long silence;

    @Label("Reader Blocked")
    @Description("Time for which the event loop or the reading thread was blocked; 0 for none")
    @Timespan(Timespan.NANOSECONDS)
    private long readerHeldUp;

    @Label("Process Stalled")
    @Description("Time for which the process stood still or had no CPU; 0 for none")
    @Timespan(Timespan.NANOSECONDS)
    private long processHeldUp;

    static void record(CommandContext context, long timeoutNanos, @Nullable LinkSnapshot link) {
        TimeoutEvent event = new TimeoutEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.verb = context.verb();
        event.key = context.hidesKey() ? null : context.key();
        event.server = context.server();
        event.connection = context.connectionIndex();
        event.socket = context.socket();
        event.phase = context.phase().toString();
        event.timeout = timeoutNanos;
        if (link != null) {
            event.position = link.position();
            event.inFlight = link.inFlight();
            event.silence = link.silenceNanos();
            event.readerHeldUp = link.readerHeldUpNanos();
            event.processHeldUp = link.timerHeldUpNanos();
        }
        event.commit();
    }
}
