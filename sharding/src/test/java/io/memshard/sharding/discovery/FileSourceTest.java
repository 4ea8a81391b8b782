// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileSourceTest {

    private static final Duration ANY = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    private Path file;
    private ServerSource source;

    @BeforeEach
    void makeSource() {
        file = directory.resolve("servers.txt");
        source = ServerSource.file(file);
    }

    private List<Server> servers() throws IOException, InterruptedException {
        return source.servers(ANY);
    }

    private void assertRefused(String... messages) {
        assertThatExceptionOfType(IOException.class).isThrownBy(this::servers).withMessageContainingAll(messages);
    }

    @Test
    void eachLineIsAServerUnlessItIsEmptyOrAComment() throws Exception {
        Files.writeString(file, """
            # our caches
            cache-1:11211

              cache-2=10.0.0.2:11211*2@eu-1   # the large one
            [fd00::1]:11212
            """);

        assertThat(servers())
                .containsExactly(
                        Server.parse("cache-1:11211"),
                        Server.parse("cache-2=10.0.0.2:11211*2@eu-1"),
                        Server.parse("[fd00::1]:11212"));
        assertThat(source).hasToString("file " + file);
        assertThat(source.period()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aLinkThatLeadsElsewhereIsAChange() throws Exception {
        for (String content : List.of("a", "b")) {
            Files.writeString(directory.resolve(content), content);
        }
        Files.createSymbolicLink(file, directory.resolve("a"));
        assertThat(servers()).containsExactly(Server.parse("a"));
        Files.delete(file);
        Files.createSymbolicLink(file, directory.resolve("b"));
        assertThat(servers()).containsExactly(Server.parse("b"));
    }

    @ParameterizedTest
    @CsvSource({
        "'a\nb:\n', line 2, port",
        "'a\n\n#\nb:11211*0\n', line 4, weight",
        "'http://a', line 1, is not a server",
        "'a, b', line 1, is not a server",
        "'a\nunix:/run/docker.sock\n', line 2, 'illegal address \"/run/docker.sock\" with port 0; a host must be'",
        "'a*b:1', line 1, weight",
        "'x=a=b', line 1, illegal address",
        "'*:11211', line 1, weight",
        "'', has no servers, one server per line",
        "'# a', has no servers, as in cache-3=10.0.0.3:11211*2@eu-1",
    })
    void aMalformedServerIsRefusedWithItsLineAndAnExample(String content, String where, String what) throws Exception {
        Files.writeString(file, content);
        assertRefused(where, what);
    }

    @Test
    void aMissingBinaryOrTooLongFileIsRefused() throws Exception {
        assertRefused("the file does not exist");
        Files.createDirectory(file);
        assertThatExceptionOfType(IOException.class).isThrownBy(this::servers);
        Files.delete(file);
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 'a'});
        assertRefused("not UTF-8");
        Files.write(file, new byte[FileSource.MAX_BYTES + 1]);
        assertRefused("more than 1048576 bytes");
    }

    @Test
    void aByteOrderMarkIsLeftOut() throws Exception {
        Files.writeString(file, "\ufeffa\nb\n");
        assertThat(servers()).containsExactly(Server.parse("a"), Server.parse("b"));
    }

    @Test
    @Timeout(60)
    void onlyARegularFileIsOpened() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertRefused("the path is not a regular file");
        source = ServerSource.file(Path.of("/dev/zero"));
        assertRefused("the path is not a regular file");
    }
}
