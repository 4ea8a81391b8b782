// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Load of an iteration, as an event in the recording itself. Its start and end bound the waits that count, and its
 * fields describe the load. So a recording can be read without any other file.
 *
 * <p>Threading: confined to the thread that measures, or to threads between which JMH orders the begin and the end.
 */
@Name(LoadEvent.NAME)
@Label("Load Window")
@Category("Memshard")
@Description("The time in which the callers of a lock profile were under way")
@StackTrace(false)
public final class LoadEvent extends Event {

    static final String NAME = "io.memshard.bench.Load";

    @Label("Contender")
    String contender = "";

    @Label("Connections")
    int connections;

    @Label("Caller Threads")
    int threads;

    @Label("Operations")
    long operations;

    @Label("Failed Operations")
    long errors;

    /**
     * Returns the event of a load that begins now.
     *
     * @param contender name of the system under load
     * @param connections number of its sockets; 0 if it has none
     * @param threads number of callers
     */
    public static LoadEvent begun(String contender, int connections, int threads) {
        LoadEvent event = new LoadEvent();
        event.contender = contender;
        event.connections = connections;
        event.threads = threads;
        event.begin();
        return event;
    }

    /** Ends the load now and writes the event. {@code calls} of it returned the right result, {@code failures} not. */
    public void end(long calls, long failures) {
        operations = calls;
        errors = failures;
        commit();
    }
}
