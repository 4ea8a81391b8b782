// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Load of a lock profile, as an event in the recording itself. Its start and end bound the waits that count, and its
 * fields describe the load. So a recording can be read without any other file.
 *
 * <p>Threading: confined to the thread that measures.
 */
@Name(LoadEvent.NAME)
@Label("Load Window")
@Category("Memshard")
@Description("The time in which the callers of a lock profile were under way")
@StackTrace(false)
public final class LoadEvent extends Event {

    /** Start of the names of the threads that call. */
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
     * Writes the event, which ends now unless {@link #end()} ended it before. {@code calls} of it returned the right
     * result, {@code failures} not.
     */
    public void end(long calls, long failures) {
        operations = calls;
        errors = failures;
        commit();
    }
}
