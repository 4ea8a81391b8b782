// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.transcoder.EncodedValue;
import net.spy.memcached.CachedData;
import net.spy.memcached.transcoders.Transcoder;

/** Transcoder that leaves decoding to Memshard, so that spymemcached never starts its decoder threads. */
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

    @Override
    public int getMaxSize() {
        return Integer.MAX_VALUE;
    }
}
