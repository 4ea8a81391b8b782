// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The load window of a profile, as an event in the recording itself: its start and end bound the waits
 * that count, and its fields say what ran. So a recording can be read again without any other file.
 *
 * <p>Threading: confined to the thread that measures.
 */
@Name(LoadEvent.NAME)
@Label("Load Window")
@Category("Memshard")
@Description("The time in which the callers of a lock profile were under way")
@StackTrace(false)
final class LoadEvent extends Event {

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
}
