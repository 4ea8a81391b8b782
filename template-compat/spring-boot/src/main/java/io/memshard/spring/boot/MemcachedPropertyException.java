// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import org.jspecify.annotations.Nullable;

/** A property, or several that do not go together, with which no client can be made. */
public final class MemcachedPropertyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String property;
    private final String reason;

    MemcachedPropertyException(String property, String reason, @Nullable Throwable cause) {
        super(property + ": " + reason, cause);
        this.property = property;
        this.reason = reason;
    }

    /** The property, such as {@code memcached.servers}, or the prefix if it is about several. */
    public String property() {
        return property;
    }

    /** What is wrong, and what to write instead. */
    public String reason() {
        return reason;
    }
}
