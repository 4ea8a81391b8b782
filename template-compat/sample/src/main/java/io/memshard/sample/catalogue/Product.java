// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

public record Product(int id, String name, int cents, String description) {}
