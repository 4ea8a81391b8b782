// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.result.BenchException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainSocketTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":11211", "host:", "host:x", "host:0x", "host:70000", "host:-1"})
    void aMalformedAddressIsRefused(String name) {
        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> PlainSocket.parse(name))
                .withMessageContaining("not an address of the form host:port");
    }

    @Test
    void aKeyspaceKnowsItsValuesToTheLastByte() {
        Keyspace keys = new Keyspace(3, 100);

        assertThat(new String(keys.value(2), StandardCharsets.US_ASCII))
                .hasSize(100)
                .startsWith(keys.key(2) + ":");
        assertThat(keys.isValueOf(2, keys.value(2).clone())).isTrue();
        assertThat(keys.isValueOf(2, keys.value(1))).isFalse();
        assertThat(keys.isValueOf(2, null)).isFalse();
        byte[] damaged = keys.value(2).clone();
        damaged[99]++;
        assertThat(keys.isValueOf(2, damaged)).isFalse();
    }
}
