// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.io.Serializable;
import java.util.List;

/** A value that only Java serialization takes. */
record Order(String customer, List<Integer> amounts) implements Serializable {

    /** The classes that it is made of. */
    static final String[] CLASSES = {Order.class.getName(), "java.util.ArrayList", "java.lang.Integer"};
}
