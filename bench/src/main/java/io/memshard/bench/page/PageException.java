// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.page;

/** A page whose markers cannot be followed; the message is one sentence for the author of the page. */
public final class PageException extends RuntimeException {

    PageException(String message) {
        super(message);
    }

    PageException(String message, Throwable cause) {
        super(message, cause);
    }
}
