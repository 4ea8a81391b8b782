// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same requests to the embedded server and to the memcached of this machine; the replies must be the same, byte for
 * byte. Each script runs in one connection on two empty servers. Random scripts have fixed seeds.
 */
@NeedsProgram(Program.MEMCACHED)
@Timeout(120)
class ParityIT {

    private static final Pattern SECOND = Pattern.compile("STAT time (\\d+)");
    private static final Pattern VERSION = Pattern.compile("VERSION [^\r]*");

    private static final int SEEDS = 20;
    private static final int COMMANDS = 300;
    private static final int SHOWN = 8;

    /** Remaining time and last access, which depend on the second in which the command comes. */
    private static final Pattern TIMES = Pattern.compile("(?<= [tl])\\d+");

    /**
     * Options without the thread that moves items: while that thread holds an item, memcached does not change a number
     * in place.
     */
    private static final String[] NO_MOVER = {"-o", "no_lru_maintainer"};

    private static MemcachedProcess real;

    @BeforeAll
    static void startReal() {
        real = MemcachedProcess.start(NO_MOVER);
    }

    @AfterAll
    static void stopReal() {
        real.close();
    }

    @ParameterizedTest
    @MethodSource({"metaScripts", "textScripts"})
    void repliesAreTheSameByteForByte(String script) throws IOException {
        withinASecond(embedded -> {
            String expected = withoutVersion(RawClient.ask(real, script));
            String actual = withoutVersion(RawClient.ask(embedded, script));
            return () -> assertThat(actual).isEqualTo(expected);
        });
    }

    private interface Script {

        /** Plays the script on both servers, and returns the check of the replies. */
        Runnable play(EmbeddedMemcached embedded) throws IOException;
    }

    /** Plays a script again if a second of the real server has ended meanwhile, on which its replies may depend. */
    private static void withinASecond(Script script) throws IOException {
        Runnable check = null;
        while (check == null) {
            real.restart(); // empty, and cas uniques start at 1 again
            String before = second();
            try (EmbeddedMemcached embedded = EmbeddedMemcached.builder()
                    .clock(InstantSource.fixed(Instant.now()))
                    .start()) {
                Runnable played = script.play(embedded);
                check = second().equals(before) ? played : null;
            }
        }
        check.run();
    }

    private static String second() throws IOException {
        return SECOND.matcher(RawClient.ask(real, "stats\r\n"))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    private static String withoutVersion(String replies) {
        return VERSION.matcher(replies).replaceAll("VERSION");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    /**
     * Each command is answered before the next is sent. So no reply under way holds an item, which would keep memcached
     * from changing a number in place.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void randomCommandsOneByOneGetTheSameReplies(long seed) throws IOException {
        withinASecond(embedded -> firstDifference(seed, embedded));
    }

    private static Runnable firstDifference(long seed, EmbeddedMemcached embedded) throws IOException {
        RandomCommand commands = new RandomCommand(new Random(seed));
        List<String> history = new ArrayList<>();
        try (RawClient toReal = new RawClient(real.address());
                RawClient toEmbedded = new RawClient(embedded.address())) {
            for (int i = 0; i < COMMANDS; i++) {
                String command = commands.next();
                history.add(command);
                String expected = toReal.ask(command);
                String actual = toEmbedded.ask(command);
                if (!isSameButForASecond(actual, expected)) {
                    return () -> assertThat(actual)
                            .as("seed %d, the last of %s", seed, tail(history))
                            .isEqualTo(expected);
                }
            }
        }
        return () -> {};
    }

    private static List<String> tail(List<String> history) {
        return history.subList(Math.max(0, history.size() - SHOWN), history.size());
    }

    private static boolean isSameButForASecond(String actual, String expected) {
        if (actual.equals(expected)) {
            return true;
        }
        List<Long> actualTimes = times(actual);
        List<Long> expectedTimes = times(expected);
        boolean sameText = TIMES.matcher(actual)
                .replaceAll("")
                .equals(TIMES.matcher(expected).replaceAll(""));
        return sameText
                && IntStream.range(0, actualTimes.size())
                        .allMatch(i -> Math.abs(actualTimes.get(i) - expectedTimes.get(i)) <= 1);
    }

    private static List<Long> times(String replies) {
        return TIMES.matcher(replies)
                .results()
                .map(time -> Long.valueOf(time.group()))
                .toList();
    }

    private static String large(int length) {
        return "x".repeat(length);
    }

    static Stream<String> metaScripts() {
        return Stream.of(
                        "ms a 3;abc;mg a v;mg a s v t f c k O123 q;mn",
                        "mg;md;ma;mz;mzz;m;meta;MG a",
                        "ms a 3;abc;mg a;mg miss;mg miss k O1 v;mg miss q v;mg a v q k;mg a q;mg a k q;mn",
                        "ms a 1;x;mg a !;mg a Z;mg a v v;mg a F1 C1 MS J1 D1 v;mg a k v f c s t h l O1 q u P L",
                        "ms a 3 k v f c s t h l O1 q u T0 P;abc;ma a k v f c s t h l O1 q u N0 T0 P L",
                        "me a;ms a 3;abc;me a;mg a;me a;ms F 3 T30 F7;abc;me F;me missing;mg F;me F",
                        "ms a 0;;mg a v s;get a;ms a 3 MZ;abc;ms a 3 M;abc;mn;ms a 3;abcd;mn",
                        "ms a 3 Mp;abc;ms a 3 Me;abc;ms a 3 Ma;abc;ms a 3 Mr;abc;ms a 3 Ms;abc;ma a Mi;ma a Md;mn",
                        "ms a 3 c;abc;ms a 3 C12345;abc;ms nope 3 C1;abc;ms a 3 C1 c;xyz;ms a 3 C1 c k;abc;mg a v c",
                        "ms a 3 ME;abc;ms a 3 ME k;abc;ms a 3 MA k;xyz;ms a 3 MP;PRE;mg a v;ms new 3 MA;abc;mg new v t",
                        "ms a 3;abc;ms a 3 MR C1;abc;ms a 3 ME C1;abc;ms a 3 MA C1;abc;ms zz 3 MA C1;abc;ms zz 3 ME C1;abc",
                        "ms a 3;abc;ms a 3 MS C1;abc;ms a 3 C0;abc;ms zz9 3 MR C1;abc;ms zz9 3 MR;abc;ms a 3 MR T30;abc;mg a t",
                        "ms a 3;abc;ms a 3 f F5 t s h l v I;abc;mg a f v;ms a 3 k O9 T100;abc;mg a t f",
                        "ms a 3 q;abc;ms a 3 q ME k;abc;ms a 3 q C99 O1;abc;ms nokey 3 q C99 O1;abc;ms a 3 q MR;abc;mn",
                        "ms a 3 F4294967295;abc;mg a f;ms a 2 T-1;ab;mg a;ms a 2 T2592001;ab;mg a;ms a 2 I;ab;mg a v",
                        "ms a 5 F3 T50;abcde;ms a 1 MA F9 T10;f;mg a v f t;ms a 1 MP F9 T10;0;mg a v f t c",
                        "ms Zm9v 3 b c k O1;abc;mg Zm9v b k v;mg Zm9v b k;mg foo v;md Zm9v b k O2;me Zm9v b;mg !!! b",
                        "ms a 3;abc;mg a h l t;mg a v h l t;mg a h l t T30;mg a t;mn",
                        "mg viv N30 v t c h s f;mg viv N30 v t c;mg viv v q;mg viv2 N30 q;mg viv2 N30 k;mg viv h;mg viv h",
                        "mg v N30 q k O1 v;mg v v q;ms v 3 T60;abc;mg v v t;mg v N30 v t",
                        "mg v N30 c;ms v 3 C1;abc;mg v v c;mg w N30 T90 t;mg w t;mg x N30 R60 t;mg x R60",
                        "mg l R6 N30 v f c;mg l R6 N30 v f c;mg l v;md l C1 O1;mg l R6 N30 v c;ms l 3 T60 C2 O1;abc;mg l R6 N30 v c",
                        "ms l 3 T60;abc;mg l R90 N30 v c;mg l R90 N30 v c;ms l 1 T60 C1;x;mg l R90 T99 N5 v c t;mg l R90 v",
                        "ms l 3 T60;abc;md l C1 I;mg l R6 N30 v c;md l C2 I;mg l v c;mg l v c;md l C9 I;md l C3;mg l N30 v;md l C4 I;mg l v",
                        "ms rc 3 T20;abc;mg rc R30 v t;mg rc R30 v t;mg rc R10 v;ms rc 3 T20;xyz;mg rc R30 t;mg rc R10",
                        "ms st 3 c;abc;md st I T30 C999;md st I T30;mg st v c t;mg st v c t;ms st 3 I C1;xyz;mg st v c t;mg st v",
                        "ms st 3;xyz;ms st 3 I C99999;xyz;ms st 3 C7;xyz;md st C7;md st C7 q;md st I q;mn;md st T30;mg st v t;md st q",
                        "ms a 1;x;md a I;mg a k N30;ms a 1 MA;y;mg a v;md a I;ms a 1 ME;z;ms a 1 MR;z;mg a v;md a I;mg a u;mg a",
                        "md a;ms a 1;x;md a;md a q;ms a 1;x;md a q k O1;mn;md zz T3 I q k O1;mn",
                        "ms a 1;x;md a v t f k O1 c;ms a 1;x;md a C0;md a C5;md a C2",
                        "ma n;ma n N0;ma n;ma n v;ma n N0 J5 v t c k O1;ma n D10 v MI;ma n MD D1 v;ma n M- D100 v;ma n MX v",
                        "ma q N0 J13 v;ma q v;ma q q;ma q q v;ma q q t;ma z q;ma z q N0;ma z q N0 v;mn;ma q MI C0;ma q MI C1",
                        "ms s 3;abc;ma s;ma s q;ms e 0;;ma e;ms w 30;" + large(30) + ";ma w;ma w C9",
                        "ma n N0 J5 C1;ma n C7 v;ma n T40 t;ma n t T50;ma n f s h l k O1;ma m N10 J18446744073709551615 v t;ma m v;ma m MD D5 v",
                        "ma a t N30 T20;mg a t;ma b N30 t;ma c T20 N30 t;ma d T20 t N30;mg d t;ma e N30 q;mg e t",
                        "mg a t N30 T20;mg a t;mg b N30 t;mg c T20 N30 t;mg d T20 t N30;mg d t;mg e N30 R50 t;mg f R50 N30 t",
                        "ms t 1;x;mg t T30 t;mg t T60 R90;mg t R90 v;mg t u v h;mg t u h;ms u 1;x;mg u u h;mg u h;mg u h",
                        "mg x N50;mg x h;me x;mg y N50 h v f c s;mg y h;mg z N50 u;mg z h;mg z h;mg w N50 q k;me w",
                        "mg " + "k".repeat(250) + " k;mg " + "k".repeat(251) + ";md " + "k".repeat(251),
                        "ms " + "k".repeat(250) + " 3 k;abc;mg " + "k".repeat(250) + " v k",
                        "ms a 1;x;ms a 1048576 k O1;" + large(1048576) + ";mg a;ms a 1 ME;y;ms a 1048576 ME q;"
                                + large(1048576) + ";mg a v",
                        "ms a 1048516;" + large(1048516) + ";mg a s;ms a 1048517;" + large(1048517) + ";mg a s",
                        "ms a 1000000;" + large(1000000) + ";ms a 100000 MA;" + large(100000) + ";mg a s")
                .map(ParityIT::lines);
    }

    static Stream<String> textScripts() {
        return Stream.of(
                        "get;gets;get a;set a 0 0 3;abc;get a a;gets a b a;GET a;get a ;get  a;foo;;",
                        "set a 0 0 3 noreply;abc;set a 0 0;set a 0 0 3 x y;set a 0 0 -1;get a;version;quit x;version",
                        "set a 0 x 3;abc;set a x 0 3;abc;set a 0 0 x;set a 4294967295 0 1;a;get a;set a 0 1.5 3;get a",
                        "add a 0 0 1;x;add b 0 0 1;x;add b 0 0 1;y;replace nok 0 0 1;x;replace b 5 0 1;y;get a b",
                        "set b 5 60 1;y;append b 9 100 1;z;prepend b 0 0 1;p;get b;mg b t;append nok 0 0 1;z;append b 0 0 1 noreply;q;get b",
                        "set c 0 0 1;x;gets c;cas c 0 0 1 1;y;cas c 0 0 1 1;z;cas nok 0 0 1 1;x;cas c 0 0 1;cas c 0 0 1 x;get c",
                        "set c 0 0 1;x;cas c 3 0 1 1 noreply;a;get c;cas c 0 0 1 2 zz;q;get c",
                        "set a 0 0 1;a;delete a;delete a;delete a 0;delete a noreply;set a 0 0 1;a;delete a 0;set a 0 0 1;a;delete a noreply;get a",
                        "touch a 0;set a 0 0 1;a;touch a 10;mg a t;touch a x;touch a;touch a 5 noreply;mg a t;touch a -1;get a",
                        "set a 7 0 1;a;gat 10 a b;mg a t;gats 10 a;gat 10;gat x a;gat;gats;gat 0 a;mg a t;gats -1 a;get a",
                        "set a 0 -1 1;a;get a;set a 0 2592000 1;a;mg a t;set a 0 2592001 1;a;get a",
                        "set a 0 4000000000 1;a;get a;set a 0 2000000000 1;a;get a;set a 0 99999999999999999999 1",
                        "set a 0 0 1;a;flush_all 100;get a;flush_all x;flush_all 0 noreply;get a;flush_all;flush_all noreply;mn",
                        "verbosity;verbosity 1;verbosity 1 noreply;stats foo;stats reset;slabs;lru;lru_crawler;config",
                        "set n 0 0 2;10;incr n 1;incr n 18446744073709551615;decr n 5;decr n 100;incr n 18446744073709551615;incr n 1",
                        "set n 0 0 2;10;incr n -1;incr n x;incr n;incr miss 1;incr miss x;incr n 1 noreply;incr n 1 norep;get n",
                        "set n 0 0 2;10;decr miss 1;incr n 18446744073709551616;decr n 1 noreply;gets n",
                        "set n 3 60 3;100;decr n 1;get n;ma n MD D95 v;get n;incr n 5;get n;incr n 999;gets n;mg n t f",
                        "set s 0 0 3;10 ;incr s 1;set s 0 0 3;1a0;incr s 1;set s 0 0 20;18446744073709551616;incr s 1;get s",
                        "set n 0 0 23;00000000000000000000001;incr n 1;get n;decr n 2;set n 0 0 23;00000000000000000000009;ma n v;mg n v",
                        "set k 5 100 1;9;incr k 1;md k I T50;incr k 1;mg k v t;incr k 100;mg k v t f",
                        "md q I;set q 0 0 2;99;md q I;incr q 1;mg q v;set q 0 0 2;99;mg q N30;get q;gets q",
                        "incr k;touch n 0 noreply;set s 0 0 3;abc;incr s 1 noreply;set k 0 0 -5 noreply;mn",
                        "get " + "k".repeat(251),
                        "get " + "k".repeat(250) + ";set " + "k".repeat(251) + " 0 0 3;abc;delete " + "k".repeat(251),
                        "set a 0 0 1;a;get" + " a".repeat(100) + ";gets" + " a b".repeat(60),
                        "set a 0 0 3;abcd;get a;set a 0 0 3 noreply;abcd;mn",
                        "set a 0 0 1;a;set a 0 0 1048576;" + large(1048576) + ";get a",
                        "set a 0 0 1;a;add a 0 0 1048576;" + large(1048576) + ";get a;cas a 0 0 1048576 1;"
                                + large(1048576) + ";get a",
                        "set a 0 0 1000000;" + large(1000000) + ";append a 0 0 100000;" + large(100000) + ";mg a s",
                        "get " + "k ".repeat(5000),
                        "set a 0 0 0;;get a;append a 0 0 2;xy;get a;quit")
                .map(ParityIT::lines);
    }

    private static String lines(String script) {
        return script.replace(";", "\r\n") + "\r\n";
    }
}
