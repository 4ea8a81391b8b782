// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a property, or a combination of properties, does not allow a client to be created. If a property requires
 * a library that is missing, the cause is an {@link IllegalStateException}, and the message names the library.
 */
public final class MemcachedPropertyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String property;

    /**
     * Creates an exception for a property.
     *
     * @param reason the fault and its correction; text that begins with "is " follows the property without a colon
     */
    public MemcachedPropertyException(String property, String reason, @Nullable Throwable cause) {
        super(property + (reason.startsWith("is ") ? " " : ": ") + reason, cause);
        this.property = property;
    }

    /** Returns the property, such as {@code memcached.servers}, or the prefix if several properties are involved. */
    public String property() {
        return property;
    }
}
