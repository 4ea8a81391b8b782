package io.memshard.template.memshard;

import io.memshard.sharding.ConnectionChooser;
import org.jspecify.annotations.Nullable;

/**
 * Chooses each index once, in order, and keeps the candidates it was shown.
 *
 * <p>Threading: confined to the thread that opens the connections.
 */
final class Walk implements ConnectionChooser {

    private int next;
    private @Nullable Candidates seen;

    @Override
    public int choose(Candidates candidates) {
        seen = candidates;
        return next++;
    }

    /** Whether there is an index not chosen yet; asked after the first choice. */
    boolean hasNext() {
        return next < candidates().size();
    }

    Candidates candidates() {
        if (seen == null) {
            throw new IllegalStateException("nothing was chosen yet");
        }
        return seen;
    }
}
