// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The comparisons with other clients over 1 to 50 servers and 100,000 keys. */
@Tag("deep")
class AllRingsTest {

    @BeforeAll
    static void compareAll() {
        RingFixture.comparesAll = true;
    }

    @AfterAll
    static void compareSome() {
        RingFixture.comparesAll = false;
    }

    @Nested
    class Golden extends GoldenRingsTest {}

    @Nested
    class Original extends OriginalRingsTest {}
}
