// SPDX-License-Identifier: Apache-2.0
package io.memshard;

/** The settings of a {@link Memshard}, which {@link SettingsBuilder} describes. */
public final class MemshardBuilder extends SettingsBuilder<MemshardBuilder> {

    MemshardBuilder() {}

    /**
     * Connections with these settings.
     *
     * @throws IllegalArgumentException if no server is named, if settings do not fit together, or if TLS files
     *     cannot be read or are of no use
     * @throws IllegalStateException if Netty is missing, older than 4.1.100, or mixed of 4.1 and 4.2
     */
    public Memshard build() {
        return new Memshard(options());
    }
}
