// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the strings of a configuration: servers and credentials. A string is read, or refused as an illegal argument.
 *
 * <p>An input is UTF-8: a server or a user, and after a line end a password.
 */
class ServerStringFuzzTest {

    @FuzzTest(maxDuration = "5m")
    @DictionaryEntries({
        "localhost",
        ":11211",
        "[::1]",
        "]:",
        "unix:/",
        "unix:11211",
        ":65536",
        ":0",
        ":+1",
        "%eth0",
        ","
    })
    void stringsAreReadOrRefused(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        read(text, ServerAddress::parse).ifPresent(server -> {
            assertThat(server.host()).isNotBlank();
            assertThat(server.port() == 0).isEqualTo(server.isUnixSocket());
            assertThat(server.port()).isBetween(0, 65_535);
            // What is written in messages and logs is the server that was read, on one line.
            assertThat(ServerAddress.parse(server.toString())).isEqualTo(server);
            assertThat(server.toString().chars()).noneMatch(Character::isISOControl);
        });
        List<String> parts = Arrays.asList(text.split("\n", 2));
        String password = parts.get(parts.size() - 1);
        read(text, user -> new Credentials(parts.get(0), password)).ifPresent(credentials -> {
            assertThat(credentials.user() + credentials.password()).doesNotContain(" ", "\r", "\n", "\0");
            assertThat(credentials.toString()).isEqualTo("Credentials[user=" + parts.get(0) + ", password hidden]");
        });
    }

    private static <T> Optional<T> read(String text, Function<String, T> reader) {
        try {
            return Optional.of(reader.apply(text));
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageMatching("(?s).+");
            return Optional.empty();
        }
    }
}
