// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SASL against {@code memcached -S}, whose users {@code saslpasswd2} of Debian's sasl2-bin has made. */
@NeedsProgram({Program.MEMCACHED, Program.SASLPASSWD2})
@Timeout(60)
class SaslIT {

    private static Process memcached;
    private static int port;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        Path database = directory.resolve("users");
        makeUser(Program.SASLPASSWD2.need(), database);
        Path configuration = Files.writeString(
                directory.resolve("memcached.conf"),
                "mech_list: plain\npwcheck_method: auxprop\nauxprop_plugin: sasldb\nsasldb_path: " + database + "\n");
        for (Path readable : List.of(directory, database, configuration)) {
            Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        Path ports = directory.resolve("ports");
        List<String> command = new ArrayList<>(
                List.of(Program.MEMCACHED.need().toString(), "-S", "-l", "127.0.0.1", "-p", "-1", "-U", "0"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "nobody"));
        }
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("SASL_CONF_PATH", directory.toString());
        builder.environment().put("MEMCACHED_PORT_FILENAME", ports.toString());
        memcached = builder.start();
        eventually("memcached -S listens", () -> Files.exists(ports));
        port = Integer.parseInt(Files.readString(ports).replaceFirst("(?s)TCP INET: (\\d+).*", "$1"));
    }

    private static void makeUser(Path saslpasswd, Path database) throws Exception {
        Process process = new ProcessBuilder(
                        saslpasswd.toString(), "-p", "-c", "-f", database.toString(), "-u", "realm", "alice")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().write("secret".getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().close();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (memcached != null) {
            memcached.destroyForcibly().waitFor();
        }
    }

    private static MemcachedConnectionFactory connect(String password) {
        return MemcachedConnectionFactory.builder()
                .engine(Engine.SPYMEMCACHED)
                .binaryProtocol(true)
                .servers("127.0.0.1:" + port)
                .requestTimeout(Duration.ofSeconds(30))
                .credentials("alice@realm", password)
                .build();
    }

    @Test
    void commandsOfAnAuthenticatedUserAreExecuted() {
        try (MemcachedConnectionFactory factory = connect("secret")) {
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            template.set("sasl", "value", Duration.ofMinutes(1));
            assertThat(template.get("sasl")).isEqualTo("value");
        }
    }

    @Test
    void wrongPasswordOpensNothing() {
        assertThatExceptionOfType(MemcachedException.class)
                .isThrownBy(() -> connect("wrong"))
                .withMessageContaining("perhaps not these credentials")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("wrong"));
    }
}
