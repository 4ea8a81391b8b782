// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.fault;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Key of a soak, with one writer at a time and the value written last.
 *
 * <p>The name changes when a write has failed, because that write may come late.
 *
 * <p>Threading: thread-safe as a lock; its holder reads and writes the rest.
 */
public class SoakKey extends ReentrantLock {

    private static final long serialVersionUID = 1;

    private final int number;
    private int generation;
    private @Nullable String last;

    /** Creates a key that was not written yet. */
    public SoakKey(int number) {
        this.number = number;
    }

    /** Returns as many keys, numbered from 0. */
    public static List<SoakKey> of(int count) {
        return IntStream.range(0, count).mapToObj(SoakKey::new).toList();
    }

    /** Returns the name to store the value by. */
    public final String text() {
        return "key" + number + '-' + generation;
    }

    /** Returns the only value that a read may find; null for none. */
    public final @Nullable String last() {
        return last;
    }

    /** Remembers an acknowledged write; null for a delete. */
    public final void wrote(@Nullable String value) {
        last = value;
    }

    /** Goes to another name, which was not written yet. */
    public final void giveUp() {
        generation++;
        last = null;
    }
}
