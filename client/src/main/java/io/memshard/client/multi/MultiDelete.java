package io.memshard.client.multi;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.StoreStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** Deletes many items. */
@SuppressWarnings("exports") // For our own modules, which see what it is made of.
public final class MultiDelete extends MultiWrite<MultiDeleteResult> {

    /** Deletes the items under the distinct keys; all keys are checked here. */
    private MultiDelete(Collection<String> keys) {
        MultiGet.distinct(keys).forEach(key -> add(new Write(key, null)));
    }

    /** Deletes the items under the distinct keys, on the calling thread. */
    public static MultiDeleteResult run(Collection<String> keys, CommandSender sender, long timeoutNanos) {
        return BlockingMulti.run(new MultiDelete(keys), sender, timeoutNanos);
    }

    /** As {@link #run}, for a caller that does not wait. */
    public static CompletableFuture<MultiDeleteResult> start(
            Collection<String> keys, CommandSender sender, Duration timeout) {
        return AsyncMulti.start(new MultiDelete(keys), sender, timeout);
    }

    @Override
    boolean isQuiet() {
        return false;
    }

    @Override
    boolean isExpected(StoreStatus status) {
        return status == StoreStatus.DONE || status == StoreStatus.NOT_FOUND;
    }

    @Override
    Command<MetaMultiWrite.Outcomes> command(Part part) {
        return MetaMultiWrite.deletes(part.writes());
    }

    @Override
    MultiDeleteResult result() {
        return new MultiDeleteResult(keysWith(StoreStatus.DONE), keysWith(StoreStatus.NOT_FOUND), failures());
    }
}
