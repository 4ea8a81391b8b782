// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import java.util.List;

/** The pages do not make a site. The message has a line for each reason. */
final class SiteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SiteException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
