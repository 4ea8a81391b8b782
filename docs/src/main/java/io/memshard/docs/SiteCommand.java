// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import java.io.IOException;
import java.nio.file.Path;

/** Command that writes the site: {@code SiteCommand REPOSITORY FOLDER}. */
public final class SiteCommand {

    private SiteCommand() {}

    /**
     * Writes the site. Throws a {@link SiteException}, and writes nothing, if a link is dead or a page is in no
     * section.
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]).toAbsolutePath().normalize();
        int pages = Site.of(Path.of(arguments[0])).writeTo(folder);
        System.out.println(pages + " pages in " + folder.resolve("index.html"));
    }
}
