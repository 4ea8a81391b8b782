// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** A property asks for a library that is not on the class path. */
public final class MissingLibraryException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String property;

    /**
     * A property that needs a library.
     *
     * @param cause says which library to add
     */
    public MissingLibraryException(String property, IllegalStateException cause) {
        super(property + ": " + cause.getMessage(), cause);
        this.property = property;
    }

    /** The property that needs the library. */
    public String property() {
        return property;
    }
}
