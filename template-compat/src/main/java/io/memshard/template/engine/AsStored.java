package io.memshard.template.engine;

import io.memshard.client.EncodedValue;
import io.memshard.client.Transcoder;

/** Values as the server keeps them, for whoever encodes and decodes elsewhere. */
public enum AsStored implements Transcoder<EncodedValue> {
    /** The only one. */
    INSTANCE;

    @Override
    public EncodedValue encode(EncodedValue value) {
        return value;
    }

    @Override
    public EncodedValue decode(byte[] data, int flags) {
        return new EncodedValue(data, flags);
    }
}
