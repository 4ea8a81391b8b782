// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.diagnostics;

/** Thrown at start if the version of Spring Boot is not supported. */
final class UnsupportedBootException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    UnsupportedBootException(String message) {
        super(message);
    }
}
