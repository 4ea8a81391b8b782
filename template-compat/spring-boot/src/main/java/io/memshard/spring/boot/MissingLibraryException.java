// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Thrown when a property requires a library that is not on the class path. */
public final class MissingLibraryException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String property;

    /**
     * Creates an exception for a property that requires a library.
     *
     * @param cause names the library to add
     */
    public MissingLibraryException(String property, IllegalStateException cause) {
        super(property + ": " + cause.getMessage(), cause);
        this.property = property;
    }

    /** Returns the property that requires the library. */
    public String property() {
        return property;
    }
}
