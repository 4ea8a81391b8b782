// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same bytes to the embedded server and to the memcached of this machine; the replies must be the same, byte for
 * byte. Each script runs in one connection on two empty servers. Random scripts have fixed seeds.
 */
@NeedsProgram(Program.MEMCACHED)
@Timeout(120)
class ParityIT {

    private static final Pattern SECOND = Pattern.compile("STAT time (\\d+)");
    private static final String LOGIN = "set a 0 0 12\r\nalice secret\r\n";
    private static final Pattern VERSION = Pattern.compile("VERSION [^\r]*");

    private static final int SEEDS = 20;
    private static final int COMMANDS = 300;
    private static final int SHOWN = 8;

    /** Command whose reply no other command of a script has. */
    private static final String BARRIER = "mg barrier-of-the-test k\r\n";

    private static final String BARRIER_REPLY = "EN kbarrier-of-the-test\r\n";

    /** More than the longest data block that a malformed length waits for. */
    private static final String PADDING = "mn\r\n".repeat(60);

    /** Remaining time and last access, which depend on the second in which the command comes. */
    private static final Pattern TIMES = Pattern.compile("(?<= [tl])\\d+");

    /**
     * Options without the thread that moves items: while that thread holds an item, memcached does not change a number
     * in place.
     */
    private static final String[] NO_MOVER = {"-o", "no_lru_maintainer"};

    private static MemcachedProcess real;
    private static MemcachedProcess realWithUsers;

    @BeforeAll
    static void startReal(@TempDir Path directory) throws IOException {
        real = MemcachedProcess.start(NO_MOVER);
        Path users = Files.writeString(directory.resolve("users"), "alice:secret\nbob:p:w\u00f6\n");
        realWithUsers = MemcachedProcess.startAuthenticated(users, NO_MOVER);
    }

    @AfterAll
    static void stopReal() {
        if (real != null) {
            real.close();
        }
        if (realWithUsers != null) {
            realWithUsers.close();
        }
    }

    @ParameterizedTest
    @MethodSource({"metaScripts", "textScripts"})
    void repliesAreTheSameByteForByte(String script) throws IOException {
        compare(script, real, EmbeddedMemcached.builder());
    }

    /** A remaining time counts from the second in which the server started. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mg n N-1 t;mg n t;me n;ma m N-1 v t;ma m v;ma y N0;ma y T-1 t;ma y;mg z N2592001 t;mg z N2000000000 t",
                "ms a 1;x;mg a t T-1 t;mg a t;ms a 1;x;mg a N-1 R-1 T-2147483648 t;mg b N4294967295 R-1 t;mg b;get a b"
            })
    void timesThatAreOverAreTheSameButForASecond(String script) throws IOException {
        compare(lines(script), real, EmbeddedMemcached.builder(), ParityIT::isSameButForASecond);
    }

    @ParameterizedTest
    @MethodSource("authenticationScripts")
    void repliesAreTheSameByteForByteWhereThereAreUsers(String script) throws IOException {
        compare(
                script,
                realWithUsers,
                EmbeddedMemcached.builder().user("alice", "secret").user("bob", "p:w\u00f6"));
    }

    private static void compare(String script, MemcachedProcess real, EmbeddedMemcached.Builder builder)
            throws IOException {
        compare(script, real, builder, String::equals);
    }

    private static void compare(
            String script, MemcachedProcess real, EmbeddedMemcached.Builder builder, BiPredicate<String, String> same)
            throws IOException {
        withinASecond(real, builder, embedded -> {
            String expected = withoutVersion(RawClient.ask(real, script));
            String actual = withoutVersion(RawClient.ask(embedded, script));
            return () -> assertThat(actual).matches(replies -> same.test(replies, expected), "like " + expected);
        });
    }

    private interface Script {

        /** Plays the script on both servers, and returns the check of the replies. */
        Runnable play(EmbeddedMemcached embedded) throws IOException;
    }

    /** Plays a script again if a second of the real server has ended meanwhile, on which its replies may depend. */
    private static void withinASecond(MemcachedProcess real, EmbeddedMemcached.Builder builder, Script script)
            throws IOException {
        Runnable check = null;
        while (check == null) {
            real.restart(); // empty, and cas uniques start at 1 again
            String before = second(real);
            try (EmbeddedMemcached embedded =
                    builder.clock(InstantSource.fixed(Instant.now())).start()) {
                Runnable played = script.play(embedded);
                check = second(real).equals(before) ? played : null;
            }
        }
        check.run();
    }

    private static String second(MemcachedProcess real) throws IOException {
        String login = real == realWithUsers ? LOGIN : "";
        return SECOND.matcher(RawClient.ask(real, login + "stats\r\n"))
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
     * Malformed ones among them. Each command is answered before the next is sent. So no reply under way holds an item,
     * which would keep memcached from changing a number in place.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void randomCommandsOneByOneGetTheSameReplies(long seed) throws IOException {
        withinASecond(real, EmbeddedMemcached.builder(), embedded -> firstDifference(seed, embedded));
    }

    private static Runnable firstDifference(long seed, EmbeddedMemcached embedded) throws IOException {
        RandomCommand commands = new RandomCommand(new Random(seed));
        List<String> history = new ArrayList<>();
        try (RawClient toReal = new RawClient(real.address());
                RawClient toEmbedded = new RawClient(embedded.address())) {
            for (int i = 0; i < COMMANDS; i++) {
                String command = commands.next();
                history.add(command);
                String expected = ask(toReal, command);
                String actual = ask(toEmbedded, command);
                if (!isSameButForASecond(actual, expected)) {
                    return () -> assertThat(withoutPadding(actual))
                            .as("seed %d, the last of %s", seed, tail(history))
                            .isEqualTo(withoutPadding(expected));
                }
                if (expected.endsWith(RawClient.CLOSED)) {
                    break;
                }
            }
        }
        return () -> {};
    }

    private static List<String> tail(List<String> history) {
        return history.subList(Math.max(0, history.size() - SHOWN), history.size());
    }

    private static String ask(RawClient client, String command) throws IOException {
        client.send(command + PADDING + BARRIER);
        String replies = client.readUpTo(BARRIER_REPLY);
        return withoutVersion(replies);
    }

    private static String withoutPadding(String replies) {
        return replies.replaceAll("(MN\r\n)+", "(MN)\r\n");
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
                        "mg;ms;md;ma;me;mn x;mz;mzz;m;meta;MG a",
                        "ms a 3;abc;mg a;mg miss;mg miss k O1 v;mg miss q v;mg a v q k;mg a q;mg a k q;mn",
                        "ms a 1;x;mg a !;mg a Z;mg a vv;mg a v v;mg a S;mg a C;mg a I F1 C1 MS J1 D1 v;mg a I M J D F",
                        "ms a 1;x;mg a O1234567890123456789012345678901 v;mg a O12345678901234567890123456789012 v;mg a O",
                        "mg a O12345678901234567890123456789012 q;md a O12345678901234567890123456789012",
                        "mg a a b c d e f g h i j k l m n o p q r",
                        "ms a 1;x;mg a k v f c s t h l O1 q u N0 R0 T0 P L",
                        "mg b k v f c s t h l O1 q u N0 R0 T0 P L b F;mg b k v f c s t h l O1 q u N0 R0 T0 P L b F C",
                        "ms a 3 k v f c s t h l O1 q u N0 R0 T0 P;abc;ms a 3 k v f c s t h l O1 q u N0 R0 T0 P L;abc",
                        "md a k v f c s t h l O1 q u N0 R0 T0 P L;md a k v f c s t h l O1 q u N0 R0 T0 P L C1",
                        "ma a k v f c s t h l O1 q u N0 R0 T0 P L;ma a k v f c s t h l O1 q u N0 R0 T0 P L C1",
                        "me a;ms a 3;abc;me a;mg a;me a;ms F 3 T30 F7;abc;me F;me F b;me Rg== b;me F x;me missing;mg F;me F",
                        "ms big 200;" + large(200) + ";me big;ms bigger 5000;" + large(5000) + ";me bigger",
                        "ms a S3;abc;ms a;ms a x;ms a -1;ms a 2147483647;ms a 3x;abc;ms a +3;abc;ms a 0;;mg a v s;get a",
                        "ms a 3 MZ;abc;ms a 3 Z;abc;ms a 3 k k;abc;ms a 3 k MX O1;abc;ms a 3 M;abc;ms a 3 MSS;abc;mn",
                        "ms a 3 Mp;abc;ms a 3 Me;abc;ms a 3 Ma;abc;ms a 3 Mr;abc;ms a 3 Ms;abc;ma a Mi;ma a Md;mn",
                        "ms a 3;abcd;mn;ms a 5;abc;mn;mn;ms a 3 q O1;abcdefgh;mn;mg a v",
                        "ms a 3 c;abc;ms a 3 C12345;abc;ms nope 3 C1;abc;ms a 3 C1 c;xyz;ms a 3 C1 c k;abc;mg a v c",
                        "ms a 3 ME;abc;ms a 3 ME k;abc;ms a 3 MA k;xyz;ms a 3 MP;PRE;mg a v;ms new 3 MA;abc;mg new v t",
                        "ms a 3;abc;ms a 3 MR C1;abc;ms a 3 ME C1;abc;ms a 3 MA C1;abc;ms zz 3 MA C1;abc;ms zz 3 ME C1;abc",
                        "ms a 3;abc;ms a 3 MS C1;abc;ms a 3 C0;abc;ms zz9 3 MR C1;abc;ms zz9 3 MR;abc;ms a 3 MR T30;abc;mg a t",
                        "ms a 3;abc;ms a 3 f F5 t s h l v I;abc;mg a f v;ms a 3 k O9 T100;abc;mg a t f",
                        "ms a 3 q;abc;ms a 3 q ME k;abc;ms a 3 q C99 O1;abc;ms nokey 3 q C99 O1;abc;ms a 3 q MR;abc;mn",
                        "ms a 3 Fx;abc;ms a 3 F4294967296;abc;ms a 3 F-1;abc;ms a 3 F4294967295;abc;mg a f",
                        "ms a 2 T;ab;ms a 2 T-1;ab;mg a;ms a 2 T2592001;ab;mg a;ms a 2 I;ab;mg a v;ms a 2 C1x;ab;mn",
                        "ms a 5 F3 T50;abcde;ms a 1 MA F9 T10;f;mg a v f t;ms a 1 MP F9 T10;0;mg a v f t c",
                        "ms Zm9v 3 b c k O1;abc;mg Zm9v b k v;mg Zm9v b k;mg foo k;mg foo b k;md Zm9v b k O2",
                        "ms Zm9 3 b;abc;mg Zm9v= b;mg !!! b;mg Zm8= b k O1;ms Zm8= 2 b q;ab;mg Zm8= v b;mg fo v k",
                        "ms Zm9v 3 b;abc;md foo k;ms Zm9v 1 b;1;ma foo k;ma Zm9v b k v;me foo;me Zm9v b;get foo;ms foo 1 k;2;mg foo k",
                        "ms a 3;abc;mg a h l t;mg a v h l t;mg a h l t T30;mg a t T-1;mg a t;mn",
                        "mg viv N30 v t c h s f;mg viv N30 v t c;mg viv v q;mg viv2 N30 q;mg viv2 N30 k;mg viv h;mg viv h",
                        "mg v N30 q k O1 v;mg v v q;ms v 3 T60;abc;mg v v t;mg v N30 v t;mg gg N-1 v;mg gg v;mg a N;mg a N1x",
                        "mg v N30 c;ms v 3 C1;abc;mg v v c;mg w N30 T90 t;mg w t;mg x N30 R60 t;mg x R60",
                        "mg l R6 N30 v f c;mg l R6 N30 v f c;mg l v;md l C1 O1;mg l R6 N30 v c;ms l 3 T60 C2 O1;abc;mg l R6 N30 v c",
                        "ms l 3 T60;abc;mg l R90 N30 v c;mg l R90 N30 v c;ms l 1 T60 C1;x;mg l R90 T99 N5 v c t;mg l R90 v",
                        "ms l 3 T60;abc;md l C1 I;mg l R6 N30 v c;md l C2 I;mg l v c;mg l v c;md l C9 I;md l C3;mg l N30 v;md l C4 I;mg l v",
                        "ms rc 3 T20;abc;mg rc R30 v t;mg rc R30 v t;mg rc R10 v;ms rc 3 T20;xyz;mg rc R30 t;mg rc R10",
                        "ms st 3 c;abc;md st I T30 C999;md st I T30;mg st v c t;mg st v c t;ms st 3 I C1;xyz;mg st v c t;mg st v",
                        "ms st 3;xyz;ms st 3 I C99999;xyz;ms st 3 C7;xyz;md st C7;md st C7 q;md st I q;mn;md st T30;mg st v t;md st q",
                        "ms a 1;x;md a I;mg a k N30;ms a 1 MA;y;mg a v;md a I;ms a 1 ME;z;ms a 1 MR;z;mg a v;md a I;mg a u;mg a",
                        "md a;ms a 1;x;md a;md a q;ms a 1;x;md a q k O1;mn;md a Z;md a v v;md zz I;md zz T3 I q k O1;mn",
                        "ms a 1;x;md a v t f k O1 c;ms a 1;x;md a C0;md a C5;md a C2",
                        "ma n;ma n N0;ma n;ma n v;ma n N0 J5 v t c k O1;ma n D10 v MI;ma n MD D1 v;ma n M- D100 v;ma n MX v;ma n Dx",
                        "ma q N0 J13 v;ma q v;ma q q;ma q q v;ma q q t;ma z q;ma z q N0;ma z q N0 v;mn;ma n M+ v;ma q MI C0;ma q MI C1",
                        "ms s 3;abc;ma s;ma s q;ms e 0;;ma e;ms w 30;" + large(30) + ";ma w;ma w C9",
                        "ma n N0 J5 C1;ma n C7 v;ma n T40 t;ma n t T50;ma n f s h l k O1;ma m N10 J18446744073709551615 v t;ma m v;ma m MD D5 v",
                        "ma a t N30 T20;mg a t;ma b N30 t;ma c T20 N30 t;ma d T20 t N30;mg d t;ma e N30 q;mg e t",
                        "mg a t N30 T20;mg a t;mg b N30 t;mg c T20 N30 t;mg d T20 t N30;mg d t;mg e N30 R50 t;mg f R50 N30 t",
                        "ma n N0;ma n N0 Jx;ma n D-1;ma n M;ma n MII;mg n Tx;mg n T;ma n Mincr;ma n J99999999999999999999",
                        "ms t 1;x;mg t T30 t;mg t T60 R90;mg t R90 v;mg t u v h;mg t u h;ms u 1;x;mg u u h;mg u h;mg u h",
                        "mg Zm9v b k N30 v;mg Zm9v b k v;me foo;mg foo k;ma Zm9w b k N0 v;mg Zm9w b k v;me fop;ma Zm9w b k;ma fop k;incr fop 9999;mg fop k;"
                                + "ms Zm9y 1 b;9;mg for k;incr for 1;mg for k;ms Zm9y 1 b;9;ma for;mg for k;ms Zm9y 1 b;8;ma for;mg for k",
                        "ms Zm9x 1 b k;x;append foq 0 0 1;y;mg foq k v;ms Zm9x 1 MA b k;z;mg foq k v;ms foq 1 MP;w;mg foq k v;ms foq 1;x;mg Zm9x b k;ms Zm9x 1 MA b k;z;mg foq k",
                        "ms a 1;x;ms YQ== 1 MP b;y;mg a k v;ms YQ== 1 ME b;y;mg a k;ms YQ== 1 MR b;y;mg a k;ms a 1 MR;y;mg a k;ms Ynk= 1 MA b;x;mg by k",
                        "mg Zg=A b k;ms Zg=A 1 b k;x;mg Zg=A b k v;mg ZgA= b v;me Zg=A b;ms Zm9vZg==Zm9v 1 b k;y;mg Zm9vZg== b v;get foof",
                        "mg *Zm9v b k;mg Zm9v* b k;mg Z*m*9*v* b k;mg Zm9v\u00ff b k;mg _Zm9v_ b k;mg =Zm9 b k;mg ==Zm b k;mg Z=m9 b k;mg **** b",
                        "mg A=== b k;mg ==== b k;mg Zm9v==== b k;mg Zg==x b k;mg Zm9vx b k;mg Zm9vZm9 b k;md Zg=A b k;ma Zg=A b k N0;ma *Zm9v b k",
                        "mg x N50;mg x h;me x;mg y N50 h v f c s;mg y h;mg z N50 u;mg z h;mg z h;mg w N50 q k;me w",
                        "mg x N50 O" + "9".repeat(32) + ";mg x h;ms a 1;x;mg a O" + "9".repeat(32)
                                + ";mg a h;ms b 1;x;mg b s O" + "9".repeat(32) + " l;mg b h;mg b O1 R5;mg b h;mg b T0 O"
                                + "9".repeat(32) + ";mg b t h",
                        "mg  a  v;mg a ; mg a;mg a T99999999999;ms a 1;x;mg a R-1;mg a R0;mg a c1 v2 k3 t4 s5 f6",
                        "mg " + "k".repeat(250) + " k;mg " + "k".repeat(251) + ";md " + "k".repeat(251),
                        "ma " + "k".repeat(251) + ";me " + "k".repeat(251) + ";ms " + "k".repeat(251) + " 3;abc",
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
                        "set a 0 0 3 noreply;abc;set a 0 0 3 norepl;abc;set a 0 0;set a 0 0 3 x y;set a 0 0 -1;get a",
                        "set a 0 x 3;abc;set a x 0 3;abc;set a 0 0 x;set a 4294967296 0 1;a;get a;set a -1 0 1;set a 0 1.5 3;get a",
                        "set a 4294967295 0 1;a;get a;set k +1 +1 +1;a;get k;set k 0 0 1 noreply extra;set k 0 0 2147483647",
                        "add a 0 0 1;x;add b 0 0 1;x;add b 0 0 1;y;replace nok 0 0 1;x;replace b 5 0 1;y;get a b",
                        "set b 5 60 1;y;append b 9 100 1;z;prepend b 0 0 1;p;get b;mg b t;append nok 0 0 1;z;append b 0 0 1 noreply;q;get b",
                        "set c 0 0 1;x;gets c;cas c 0 0 1 1;y;cas c 0 0 1 1;z;cas nok 0 0 1 1;x;cas c 0 0 1;cas c 0 0 1 x;get c",
                        "set c 0 0 1;x;cas c 3 0 1 1 noreply;a;get c;cas c 0 0 1 1 a b;a;cas c 0 0 1 2 zz;q;get c",
                        "set a 0 0 1;a;delete a;delete a;delete a 0;delete a 1;delete a noreply;delete a 0 noreply;delete a 1 noreply",
                        "delete;delete a b c d;delete a b c;delete a b;set a 0 0 1;a;delete a 0;set a 0 0 1;a;delete a noreply;get a",
                        "touch a 0;set a 0 0 1;a;touch a 10;mg a t;touch a x;touch a;touch a 5 noreply;mg a t;touch a 5 zz;touch a -1;get a",
                        "set a 7 0 1;a;gat 10 a b;mg a t;gats 10 a;gat 10;gat x a;gat;gats;gat 0 a;mg a t;gats -1 a;get a",
                        "set a 0 -1 1;a;get a;set a 0 2592000 1;a;mg a t;set a 0 2592001 1;a;get a",
                        "set a 0 4000000000 1;a;get a;set a 0 2000000000 1;a;get a;set a 0 99999999999999999999 1",
                        "set a 0 0 1;a;flush_all 100;get a;flush_all x;flush_all 0 noreply;get a;flush_all;flush_all 1 2 3;flush_all noreply",
                        "set a 0 0 1;a;flush_all -1;flush_all 1 2;flush_all x noreply;mn",
                        "set a 0 0 1;x;flush_all 1;get a;set b 0 0 1;y;get b;mg b;add b 0 0 1;z;get b;flush_all;set c 0 0 1;z;gets c b",
                        "set a 0 0 1;x;flush_all +1;get a;set b 0 0 1;y;flush_all 4294967297 noreply;get b;set c 0 0 1;z;flush_all -1;gets c",
                        "set a 0 0 1;x;set b 0 0 1;y;flush_all;flush_all 100;get a b;flush_all 2592001;gets a;flush_all;get a;flush_all 100;get a b",
                        "set a 0 0 1;x;flush_all;flush_all 2592001;gets a;flush_all 2000000000;get a;flush_all 2;touch a 0;mg a c;set b 0 0 1;y;gets b",
                        "set a 0 0 2;10;flush_all 100;incr a 1;append a 0 0 1;0;flush_all;incr a 1;append a 0 0 1;1;replace a 0 0 1;x;add a 0 0 1;x;gets a",
                        "version;version x;verbosity;verbosity 1;verbosity x;verbosity 1 noreply;verbosity 1 2 3 4;verbosity noreply",
                        "stats detail dump;stats detail foo;stats detail on x;set a:1 0 0 1;x;get a:1 b a:2;gat 0 a:1;"
                                + "delete a:9;delete a:1 5;cas a:1 0 0 1 1;y;set a:1 0 0 x;append a:1 0 0 1;y;"
                                + "touch a:1 0;incr a:1 1;mg a:1 v;ms a:1 1;x;md a:1;stats detail dump;"
                                + "stats detail off;get a:1;stats detail dump x;stats reset;stats detail dump",
                        "stats detail on;set :1 0 0 1;x;get :1;stats detail dump;set a:1 0 0 1048576;" + large(1048576)
                                + ";flush_all;stats reset;set b:1 0 0 1;xyz;stats detail dump",
                        "stats foo;stats reset;stats detail;stats sizes;stats noreply",
                        "slabs;slabs reassign;lru;lru_crawler;config;versio;extstore",
                        "set n 0 0 2;10;incr n 1;incr n 18446744073709551615;decr n 5;decr n 100;incr n 18446744073709551615;incr n 1",
                        "set n 0 0 2;10;incr n -1;incr n x;incr n;incr miss 1;incr miss x;incr n 1 noreply;incr n 1 norep;incr n 1 a b;get n",
                        "set n 0 0 2;10;decr miss 1;incr n 18446744073709551616;incr n +1;incr n 1\tx;decr n 1 noreply;gets n",
                        "set n 3 60 3;100;decr n 1;get n;ma n MD D95 v;get n;incr n 5;get n;incr n 999;gets n;mg n t f",
                        "set s 0 0 3; 10;incr s 1;set s 0 0 3;10 ;incr s 1;set s 0 0 3;-10;incr s 1;set s 0 0 3;1a0;incr s 1",
                        "set s 0 0 21;111111111111111111111;incr s 1;set s 0 0 20;18446744073709551616;incr s 1;get s",
                        "set n 0 0 23;00000000000000000000001;incr n 1;get n;decr n 2;set n 0 0 23;00000000000000000000009;ma n v;mg n v",
                        "set n 0 0 2;1\0;incr n 1;get n;set n 0 0 4;1\0xy;incr n 9;get n;set n 0 0 1;\0;incr n 1;set n 0 0 40;1 "
                                + "x".repeat(38) + ";incr n 99;get n",
                        "set n 0 0 524200;1 " + large(524198) + ";incr n 1;set n 0 0 524240;1 " + large(524238)
                                + ";incr n 1;ma n v",
                        "set a -0 0 1;x;get a;set a -0 -0 -0;;get a;set a -9223372036854775808 0 1;set a -9223372036854775809 0 1;x;get a",
                        "set a -18446744073709551615 0 1;x;get a;set a -18446744073709551616 0 1;set a 0 -9223372036854775809 1;mn",
                        "set n 0 0 2;10;incr n -0;decr n -0;incr n -18446744073709551611;incr n -1;incr n -9223372036854775808;gets n",
                        "set n 0 0 2;10;incr n 1\t-;incr n 18446744073709551615\t-;incr n -9223372036854775809;get n",
                        "set a 0 0 1;x;cas a 0 0 1 -0;y;cas a 0 0 1 -18446744073709551615;z;gets a;verbosity -0;verbosity -9223372036854775809",
                        "ms a 1 F-0;x;mg a f;ms a 1 F-18446744073709551609;x;mg a f;ms a 1 C-0;x;ms a 1 C-18446744073709551614;y;mg a v c",
                        "ma n N0 J-0 v;ma n D-0 v;ma n C-0 v;ma n D-18446744073709551609 v;ma m N0 J-9223372036854775809 v;md n C-1;md n C-0",
                        "get a\0b;set a\0b 0 0 1;set a 0 0 1;x;get a\0b;get a\0b c;mn\0;mn\0x;version\0;\0;\0mn;get\0a;incr a 1\0;touch a 1\0x",
                        "set a 0 0 1\0;x;mg a v\0k;mg a k\0b O1\0x;ms z 1\0 2;q;ms z 1 F5\0;q;mg z f v;mg\0 z;set n 0 0 3;1\0002;get n",
                        "delete noreply;set noreply 0 0 1;x;delete noreply;set noreply 0 0 1;x;delete noreply noreply;get noreply",
                        "touch noreply noreply;incr noreply noreply;touch noreply 0;incr noreply 1;flush_all noreply noreply;mn",
                        "gat x noreply;stats detail noreply;stats foo noreply;version noreply;delete a 0 1 noreply;mn noreply",
                        "get " + "k".repeat(251) + " noreply",
                        "verbosity 1 2;verbosity 1 2 3;verbosity 1 2 noreply;verbosity 1 2 3 noreply;verbosity noreply noreply;mn",
                        "set k 5 100 1;9;incr k 1;md k I T50;incr k 1;mg k v t;incr k 100;mg k v t f",
                        "md q I;set q 0 0 2;99;md q I;incr q 1;mg q v;set q 0 0 2;99;mg q N30;get q;gets q",
                        "incr k;touch n 0 noreply;touch n x noreply;incr k x noreply;set k x 0 1 noreply;a;set k 0 0 x noreply;mn",
                        "cas k 0 0 1 x noreply;verbosity x noreply;set s 0 0 3;abc;incr s 1 noreply;set k 0 0 -5 noreply;mn",
                        // A bad key of a get also takes back replies gathered before it, so it comes first.
                        "get " + "k".repeat(251),
                        "gat 1 " + "k".repeat(251),
                        "get " + "k".repeat(250) + ";set " + "k".repeat(251) + " 0 0 3;abc;delete " + "k".repeat(251),
                        "touch " + "k".repeat(251) + " 1;incr " + "k".repeat(251) + " 1",
                        "set a 0 0 1;a;get" + " a".repeat(100) + ";gets" + " a b".repeat(60) + ";set a 0 0 3"
                                + " x".repeat(30),
                        "set a 0 0 3;abcdefgh;get a;set a 0 0 5;abc;mn;mn;set a 0 0 3 noreply;abcdefgh;mn",
                        "set a 0 0 1;a;set a 0 0 1048576;" + large(1048576) + ";get a",
                        "set a 0 0 1;a;set a 0 0 1048576 noreply;" + large(1048576) + ";get a",
                        "set a 0 0 1;a;add a 0 0 1048576;" + large(1048576) + ";get a;cas a 0 0 1048576 1;"
                                + large(1048576) + ";get a",
                        "set a 0 0 1;a;replace a 0 0 1048576;" + large(1048576) + ";append a 0 0 1048576;"
                                + large(1048576) + ";get a",
                        "set a 0 0 1000000;" + large(1000000) + ";append a 0 0 100000;" + large(100000) + ";mg a s",
                        "get " + "k ".repeat(5000),
                        "set a 0 0 0;;get a;append a 0 0 2;xy;get a;quit",
                        "quit x;version")
                .map(ParityIT::lines);
    }

    @ParameterizedTest
    @MethodSource("endlessAuthentications")
    void endlessAuthenticationIsCutOffUnanswered(String script) throws IOException {
        try (EmbeddedMemcached embedded =
                EmbeddedMemcached.builder().user("alice", "secret").start()) {
            for (MemcachedServer server : List.of(realWithUsers, embedded)) {
                try (RawClient client = new RawClient(server.address())) {
                    client.send(script);
                    assertThat(client.readToEnd()).isEmpty();
                } catch (SocketException e) {
                    assertThat(e).hasMessageContaining("reset");
                }
            }
        }
    }

    static Stream<String> endlessAuthentications() {
        return Stream.of("x".repeat(2049), "set a 0 0 16383\r\nalice " + "s".repeat(16377) + "\r\n");
    }

    /** Each ends with an authentication that succeeds. */
    static Stream<String> authenticationScripts() {
        String alice = "set a 0 0 12;alice secret;";
        return Stream.concat(
                        Stream.of(
                                        "",
                                        "get a;mn;version;quit;",
                                        "set a 0 0 11;alice wrong;",
                                        "set a 0 0 12;ALICE secret;",
                                        "set a 0 0 5;alice;",
                                        "set a 0 0 0;;",
                                        "set a 0 0 12;alice secretXX",
                                        "set a 0 0 10;alice\0secret;",
                                        "set a 0 0 4294967296;;set a 0 0 4294967301;alice;",
                                        "set a 0 0 18446744073709551616;set a 0 0 -1;set a 0 0 x;set a 0 0 12x;set a 0 0;",
                                        "set a 0 0 1998;alice " + "s".repeat(1992) + ";",
                                        "add a 0 0 12;alice secret;",
                                        ";;x;",
                                        "set" + " a".repeat(40) + ";",
                                        "mn;".repeat(19),
                                        "x".repeat(2047) + ";")
                                .flatMap(refused ->
                                        Stream.of(refused + alice + "get a;mn", alice + "mn;get a;" + refused)),
                        Stream.of(
                                alice + alice + "get a;set b 0 0 1;x;get b;mg b v",
                                "set b 0 0 9;bob p:w\u00c3\u00b6;set b 0 0 11;alice wrong;get a b",
                                "set a x y 12;alice secret;mn",
                                "set a 0 0 12 noreply x y z;alice secret;mn",
                                "set a 0 0 12" + " x".repeat(40) + ";alice secret;mn",
                                "set " + "k".repeat(300) + " 0 0 +12;alice secret;mn",
                                "  set  a 0 0  12 ;alice secret;mn",
                                "set a 0 0 12\0 1;alice secret;mn",
                                "set a 0 0 17;alice secret\0more;mn",
                                "set a 0 0 15; alice  secret ;mn",
                                "set a 0 0 17;alice secret more;mn"))
                .map(ParityIT::lines);
    }

    private static String lines(String script) {
        return script.replace(";", "\r\n") + "\r\n";
    }
}
