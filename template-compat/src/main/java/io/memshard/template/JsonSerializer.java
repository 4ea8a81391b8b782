package io.memshard.template;

import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** The only class that needs Jackson. See {@link MemcachedSerializer#json}. */
final class JsonSerializer<T> implements MemcachedSerializer<T> {

    private final ObjectWriter writer;
    private final ObjectReader reader;

    JsonSerializer(Class<T> type) {
        JsonMapper mapper = JsonMapper.shared();
        this.writer = mapper.writerFor(type);
        this.reader = mapper.readerFor(type);
    }

    @Override
    public byte[] serialize(T value) {
        return writer.writeValueAsBytes(value);
    }

    @Override
    public T deserialize(byte[] data) {
        return reader.readValue(data);
    }
}
