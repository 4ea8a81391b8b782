// SPDX-License-Identifier: Apache-2.0
/** Shop application that uses Memshard's Spring Boot starter. Start reading at {@code Catalogue}. */
@NullMarked
package io.memshard.sample.catalogue;

import org.jspecify.annotations.NullMarked;
