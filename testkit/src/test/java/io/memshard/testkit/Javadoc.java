// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Prose of a javadoc comment. */
final class Javadoc {

    private static final Pattern LINE_START = Pattern.compile("(?m)^\\s*\\* ?");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)<pre>.*?</pre>");

    /** Block tag with its subject, such as {@code @param name}. */
    private static final Pattern BLOCK_TAG = Pattern.compile("(?m)^@(param|throws) \\S+|^@\\w+");

    /** Code and literals, which count as one word regardless of their content. */
    private static final Pattern CODE = Pattern.compile("\\{@(code|literal|value)\\b[^{}]*(\\{[^{}]*}[^{}]*)*}");

    /** Link, which counts as one word unless it has a label. */
    private static final Pattern LINK = Pattern.compile("\\{@link(?:plain)?\\s+[^\\s}(]+(?:\\([^)]*\\))?(\\s+[^}]*)?}");

    /** Elements that end a sentence without a full stop: paragraphs, items of lists, cells of tables. */
    private static final Pattern BLOCK =
            Pattern.compile("</?(p|ul|ol|li|dl|dt|dd|table|tr|td|th|caption|h[1-6]|blockquote)\\b[^>]*>");

    private static final Pattern OTHER_ELEMENT = Pattern.compile("</?[a-z]+[^>]*>");

    /** End of a sentence: a full stop, also before a bracket. The next sentence may begin with a lower-case name. */
    private static final Pattern SENTENCE_END =
            Pattern.compile("\\x00|(?<=[.!?][)\"]?)(?<!\\b(?:e\\.g|i\\.e|etc)\\.) ");

    private static final Pattern FIRST_WORD = Pattern.compile("\\p{L}+");

    private Javadoc() {}

    /** Returns the first word of a comment, such as {@code Returns}; empty if a tag or a reference comes first. */
    static String firstWord(String comment) {
        Matcher word =
                FIRST_WORD.matcher(LINE_START.matcher(comment).replaceAll("").strip());
        return word.lookingAt() ? word.group() : "";
    }

    /** Returns the sentences of a comment without its delimiters; single spaces separate the words. */
    static List<String> sentences(String comment) {
        String text = LINE_START.matcher(comment).replaceAll("");
        text = EXAMPLE.matcher(text).replaceAll("\0");
        text = CODE.matcher(text).replaceAll("code");
        text = LINK.matcher(text)
                .replaceAll(link -> link.group(1) == null ? "link" : Matcher.quoteReplacement(link.group(1)));
        text = BLOCK_TAG.matcher(text).replaceAll("\0");
        text = BLOCK.matcher(text).replaceAll("\0");
        text = OTHER_ELEMENT.matcher(text).replaceAll("");
        text = text.replaceAll("\\s+", " ");
        return Stream.of(SENTENCE_END.split(text))
                .map(String::strip)
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }
}
