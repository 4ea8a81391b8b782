// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Event that describes the load of a lock profile within the recording, which can therefore be read without any other
 * file. Only waits that begin between its start and its end count.
 *
 * <p>Threading: confined to the thread that measures.
 */
@Name(LoadEvent.NAME)
@Label("Load Window")
@Category("Memshard")
@Description("The time in which the callers of a lock profile ran")
@StackTrace(false)
public final class LoadEvent extends Event {

    /** Prefix of the names of the calling threads. */
    public static final String CALLER = "caller-";

    static final String NAME = "io.memshard.bench.Load";

    @Label("Contender")
    String contender = "";

    @Label("Caller Threads")
    int threads;

    @Label("Operations")
    long operations;

    @Label("Failed Operations")
    long errors;

    /** Returns the event of a load on {@code contender} by {@code threads} callers that begins now. */
    public static LoadEvent begun(String contender, int threads) {
        LoadEvent event = new LoadEvent();
        event.contender = contender;
        event.threads = threads;
        event.begin();
        return event;
    }

    /**
     * Writes the event, which ends now unless {@link #end()} ended it before. Of the load's operations, {@code calls}
     * returned the right result, and {@code failures} did not.
     */
    public void end(long calls, long failures) {
        operations = calls;
        errors = failures;
        commit();
    }
}
