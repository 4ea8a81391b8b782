// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.transcoder.EncodedValue;
import net.spy.memcached.CachedData;
import net.spy.memcached.transcoders.Transcoder;

/**
 * Transcoder that passes values through spymemcached in stored form. The caller's serializer therefore runs on the
 * calling thread, and spymemcached never starts its decoder threads.
 */
enum AsStoredBytes implements Transcoder<EncodedValue> {
    INSTANCE;

    @Override
    public boolean asyncDecode(CachedData data) {
        return false;
    }

    @Override
    public CachedData encode(EncodedValue value) {
        return new CachedData(value.flags(), value.data(), getMaxSize());
    }

    @Override
    public EncodedValue decode(CachedData stored) {
        return new EncodedValue(stored.getData(), stored.getFlags());
    }

    /** Returns a limit without effect: Memshard checks its own limit first, and any stored value is accepted. */
    @Override
    public int getMaxSize() {
        return Integer.MAX_VALUE;
    }
}
