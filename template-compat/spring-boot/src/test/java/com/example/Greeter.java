// SPDX-License-Identifier: Apache-2.0
package com.example;

import io.memshard.Memshard;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;

/** Bean that calls memcached when it is created. */
public final class Greeter {

    public Greeter(Memshard memshard) {
        memshard.client(Transcoder.utf8()).set("greeting", "hello", Duration.ofMinutes(1));
    }
}
