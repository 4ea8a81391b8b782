// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finder of the application's code that runs on a thread of a client. */
final class ApplicationCode {

    private static final List<String> OTHERS =
            List.of("java.", "javax.", "jdk.", "sun.", "io.memshard.", "io.netty.", "io.micrometer.");

    private ApplicationCode() {}

    /** Returns the outermost application class on the thread's stack; null if there is none. */
    static @Nullable String on(@Nullable Thread thread) {
        StackTraceElement[] frames = thread == null ? new StackTraceElement[0] : thread.getStackTrace();
        for (int i = frames.length - 1; i >= 0; i--) {
            String name = frames[i].getClassName();
            if (OTHERS.stream().noneMatch(name::startsWith)) {
                return name;
            }
        }
        return null;
    }
}
