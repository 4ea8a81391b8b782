// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Key of a soak test. A key has one writer at a time and remembers the value written last.
 *
 * <p>The name changes after a failed write, because that write may still reach the server later.
 *
 * <p>Threading: the lock is thread-safe; only the thread that holds it calls the other methods.
 */
class SoakKey extends ReentrantLock {

    private static final long serialVersionUID = 1;

    private final int number;
    private int generation;
    private @Nullable String last;

    /** Creates a key that was not written yet. */
    SoakKey(int number) {
        this.number = number;
    }

    /** Returns {@code count} keys, numbered from 0. */
    static List<SoakKey> of(int count) {
        return IntStream.range(0, count).mapToObj(SoakKey::new).toList();
    }

    /** Returns the name under which the value is stored. */
    final String text() {
        return "key" + number + '-' + generation;
    }

    /** Returns the only value that a read may find; null for none. */
    final @Nullable String last() {
        return last;
    }

    /** Remembers an acknowledged write; null for a delete. */
    final void wrote(@Nullable String value) {
        last = value;
    }

    /** Changes to a new name, under which nothing was written yet. */
    final void giveUp() {
        generation++;
        last = null;
    }
}
