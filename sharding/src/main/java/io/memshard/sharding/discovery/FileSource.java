// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

record FileSource(Path file) implements ServerSource {

    static final int MAX_BYTES = 1024 * 1024;

    private static final String BYTE_ORDER_MARK = "\ufeff";

    private static final String EXAMPLE = ": write one server per line, as in cache-3=10.0.0.3:11211*2@eu-1";

    FileSource {
        Objects.requireNonNull(file, "file is null");
    }

    @Override
    public List<Server> servers(Duration timeout) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("the file does not exist: create the file, or set another path");
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException("the path is not a regular file, but a directory, a pipe or a device: set the path of"
                    + " a text file");
        }
        return parse(read());
    }

    private String read() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IOException("the file has more than " + MAX_BYTES + " bytes" + EXAMPLE);
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        } catch (CharacterCodingException e) {
            throw new IOException("the file is not UTF-8: save it as UTF-8", e);
        }
    }

    private List<Server> parse(String text) throws IOException {
        List<Server> servers = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String entry = line.replaceFirst("(^|\\s)#.*", "").strip();
            if (!entry.isEmpty()) {
                servers.add(parse(entry, number));
            }
        }
        if (servers.isEmpty()) {
            throw new IOException("the file has no servers" + EXAMPLE);
        }
        return servers;
    }

    private Server parse(String entry, int number) throws IOException {
        try {
            Server server = Server.parse(entry);
            ListedAddress.of(server.address().host(), server.address().port());
            return server;
        } catch (IllegalArgumentException e) {
            throw new IOException("line " + number + ": " + e.getMessage() + EXAMPLE, e);
        }
    }

    @Override
    public Duration period() {
        return Duration.ofSeconds(5);
    }

    @Override
    public String toString() {
        return "file " + file;
    }
}
