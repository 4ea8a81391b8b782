// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.RunFacts;

/** What a run was, as a Markdown list. Threading: stateless. */
final class RunLines {

    private RunLines() {}

    static String of(RunFacts facts, String claims, String data) {
        StringBuilder text = new StringBuilder();
        String before = facts.get("claims");
        text.append("- claims `").append(claims).append('`');
        text.append(before.equals(claims) ? ", the same as when the run began" : ", not those of the run: " + before);
        text.append("\n- data `").append(data).append("`\n");
        return text.append(ofRun(facts)).toString();
    }

    /** The same without the claims. */
    static String ofRun(RunFacts facts) {
        StringBuilder text = new StringBuilder();
        line(text, facts.get("started") + ", commit " + facts.get("commit") + ", a " + facts.get("size") + " run");
        line(text, facts.get("cpus") + " CPUs, " + facts.get("cpu_model") + "; " + facts.get("kernel"));
        line(text, facts.get("jdk") + "; forks with " + facts.get("fork_flags"));
        line(text, "server: " + facts.get("server"));
        for (String profile : facts.get("profiles").split(" ", -1)) {
            line(text, "profile " + profile + ": " + facts.get("placement_" + profile));
        }
        if (!facts.get("busy").isEmpty()) {
            line(text, "NOISY: the machine was busy when the run began: " + facts.get("busy"));
        }
        line(text, "again: `" + facts.get("command") + "`");
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append("- ").append(line).append('\n');
    }
}
