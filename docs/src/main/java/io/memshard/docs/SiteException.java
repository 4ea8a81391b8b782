// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import java.util.List;

/** Exception for pages that do not form a site. The message has one line per reason. */
final class SiteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SiteException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
