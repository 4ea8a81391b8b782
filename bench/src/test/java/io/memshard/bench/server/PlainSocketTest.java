// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.result.BenchException;
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
}
