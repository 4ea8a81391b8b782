// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finder of an application's code on a thread of a client: a stage of a future, a transcoder or a listener. */
final class ApplicationCode {

    private static final List<String> OTHERS =
            List.of("java.", "javax.", "jdk.", "sun.", "io.memshard.", "io.netty.", "io.micrometer.");

    private ApplicationCode() {}

    /** Returns the name of the outermost application class on a thread's stack; null if the stack has none. */
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
