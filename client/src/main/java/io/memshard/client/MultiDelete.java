package io.memshard.client;

import io.memshard.client.protocol.MetaWriteMany;
import io.memshard.client.protocol.MetaWriteMany.Write;
import io.memshard.client.protocol.StoreStatus;
import java.util.Collection;

/** Deletes many items. */
final class MultiDelete extends MultiWrite<MultiDeleteResult> {

    /** Deletes the items under the distinct ones of these keys, all of which are checked here. */
    MultiDelete(Collection<String> keys) {
        MultiGet.distinct(keys).forEach(key -> add(new Write(key, null)));
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
    public MetaWriteMany command(Part part) {
        return MetaWriteMany.deletes(part.writes());
    }

    @Override
    public MultiDeleteResult result() {
        return new MultiDeleteResult(keysWith(StoreStatus.DONE), keysWith(StoreStatus.NOT_FOUND), failures());
    }
}
