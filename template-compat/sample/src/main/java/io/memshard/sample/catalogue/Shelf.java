// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import java.util.List;

public record Shelf(int number, List<Product> products) {}
