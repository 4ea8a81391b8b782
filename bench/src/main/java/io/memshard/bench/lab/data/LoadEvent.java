// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Event in a recording. Only waits that begin during this event are counted. */
@Name(LoadEvent.NAME)
@Label("Load Window")
@Category("Memshard")
@Description("The time in which the callers of a lock profile ran")
@StackTrace(false)
public final class LoadEvent extends Event {

    public static final String CALLER = "caller-";
    static final String NAME = "io.memshard.bench.Load";

    @Label("Operations")
    public long operations;
}
