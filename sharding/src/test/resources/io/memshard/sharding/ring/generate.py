#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks other clients where they put keys, and writes that beside this file. README.md says what is needed."""

import ctypes
import hashlib
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
COUNTS = [1, 2, 3, 5, 8, 13, 21, 34, 50]


def keys(count):
    made = []
    for i in range(count):
        key = hashlib.md5(str(i).encode()).hexdigest()[: 1 + i % 32] + ":" + str(i)
        if i % 20 == 7:
            key += "äß漢字😀"
        if i % 500 == 11:
            key = key.ljust(241 + i // 500 % 10, "x")
        made.append(key)
    return made


def servers(count, weighted=False, ipv6=True):
    """(host, port, weight) of each."""
    made = []
    for i in range(count):
        kind = i % 4
        if kind == 3 and not ipv6:
            kind = 1
        host, port = [
            (f"10.0.{i}.7", 11211),
            (f"cache-{i}.example", 11211),
            (f"Cache_{i}", 20000 + i),
            (f"fd00:0:0:1::{i:x}", 20000 + i),
        ][kind]
        made.append((host, port, 1 + i * 7 % 5 if weighted else 1))
    return made


def text(server):
    host, port, weight = server
    return (f"[{host}]" if ":" in host else host) + f":{port}" + (f"*{weight}" if weight != 1 else "")


class Golden:
    def __init__(self, name):
        self.file = open(HERE / f"{name}.txt", "w", encoding="utf-8")

    def add(self, case, server_texts, choices):
        digest = hashlib.sha256(",".join(map(str, choices)).encode()).hexdigest()
        first = ",".join(map(str, choices[:40]))
        self.file.write(f"{case}|{' '.join(server_texts)}|{len(choices)}|{digest}|{first}\n")
        self.file.flush()


def libmemcached():
    lib = ctypes.CDLL("libmemcached.so.11")
    lib.memcached_create.restype = ctypes.c_void_p
    lib.memcached_create.argtypes = [ctypes.c_void_p]
    lib.memcached_free.argtypes = [ctypes.c_void_p]
    lib.memcached_server_add_with_weight.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint16, ctypes.c_uint32]
    lib.memcached_behavior_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64]
    lib.memcached_generate_hash.restype = ctypes.c_uint32
    lib.memcached_generate_hash.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    behavior_hash, behavior_ketama, behavior_distribution, behavior_weighted = 2, 3, 9, 16
    distributions = {"modula": 0, "consistent": 1, "ketama": 2, "spy": 4, "weighted": 5}
    hashes = {
        "default": 0, "md5": 1, "crc": 2, "fnv1_64": 3, "fnv1a_64": 4, "fnv1_32": 5, "fnv1a_32": 6,
        "murmur": 8, "jenkins": 9, "murmur3": 10,
    }
    aligned = [ctypes.create_string_buffer(key.encode()) for key in keys(100_000)]
    golden = Golden("libmemcached")

    def ask(case, fleet, behaviors, some):
        client = lib.memcached_create(None)
        for behavior, value in behaviors:
            assert lib.memcached_behavior_set(client, behavior, value) == 0, case
        for host, port, weight in fleet:
            assert lib.memcached_server_add_with_weight(client, host.encode(), port, weight) == 0
        golden.add(
            case,
            [text(server) for server in fleet],
            [lib.memcached_generate_hash(client, key, len(key) - 1) for key in some],
        )
        lib.memcached_free(client)

    for name, number in hashes.items():
        for count in (1, 3, 8, 50):
            for distribution in ("modula", "consistent", "ketama"):
                ask(
                    f"{distribution} {name}",
                    servers(count),
                    [(behavior_hash, number), (behavior_distribution, distributions[distribution])],
                    aligned[:10_000],
                )
    for count in range(1, 51):
        some = aligned if count == 8 else aligned[:10_000]
        ask("modula", servers(count), [], some)
        ask("consistent default", servers(count), [(behavior_ketama, 1)], some)
        ask("weighted", servers(count), [(behavior_weighted, 1)], some)
        ask("weighted", servers(count, True), [(behavior_weighted, 1)], some)
        ask("spy", servers(count, True), [(behavior_weighted, 1), (behavior_distribution, distributions["spy"])], some)
    # Servers with all their points in common.
    ask("weighted", servers(3) + servers(2), [(behavior_weighted, 1)], aligned[:10_000])


def pymemcache():
    from pymemcache.client.hash import HashClient

    golden = Golden("pymemcache")
    for count in COUNTS:
        fleet = servers(count)
        client = HashClient([(host, port) for host, port, _ in fleet], allow_unicode_keys=True)
        indexes = {id(client.clients[f"{host}:{port}"]): i for i, (host, port, _) in enumerate(fleet)}
        some = keys(100_000 if count == 3 else 4_000)
        golden.add("rendezvous", [text(s) for s in fleet], [indexes[id(client._get_client(key))] for key in some])


def dalli():
    script = """
      require 'dalli'
      class Dalli::Protocol::Binary
        def alive?
          true
        end
      end
      $stdin.each_line do |line|
        fleet, count = line.chomp.split('|')
        names = fleet.split(' ')
        ring = Dalli::Ring.new(names.map { |s| Dalli::Protocol::Binary.new(s) }, {})
        index = ring.servers.each_with_index.to_h { |s, i| [s.object_id, i] }
        keys = File.readlines(ARGV[0], chomp: true).first(count.to_i)
        puts keys.map { |k| index[ring.server_for_key(k).object_id] }.join(',')
        $stdout.flush
      end
    """
    golden = Golden("dalli")
    with key_file() as file, subprocess.Popen(
        ["ruby", "-e", script, file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as ruby:
        for count in range(1, 51):
            for weighted in (False, True):
                fleet = servers(count, weighted)
                names = [text((host, port, 1)) + f":{weight}" for host, port, weight in fleet]
                some = 100_000 if count == 8 else 10_000
                golden.add("dalli", [text(s) for s in fleet], ask_line(ruby, names, some))


def gomemcache():
    program = """package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/bradfitz/gomemcache/memcache"
)

func main() {
	text, _ := os.ReadFile(os.Args[1])
	keys := strings.Split(strings.TrimSuffix(string(text), "\\n"), "\\n")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "|")
		count, _ := strconv.Atoi(parts[1])
		var list memcache.ServerList
		names := strings.Split(parts[0], " ")
		if err := list.SetServers(names...); err != nil {
			panic(err)
		}
		indexes := map[string]string{}
		for i, name := range names {
			indexes[name] = strconv.Itoa(i)
		}
		var chosen []string
		for _, key := range keys[:count] {
			server, err := list.PickServer(key)
			if err != nil {
				panic(err)
			}
			chosen = append(chosen, indexes[server.String()])
		}
		fmt.Println(strings.Join(chosen, ","))
	}
}
"""
    golden = Golden("gomemcache")
    with tempfile.TemporaryDirectory() as folder, key_file() as file:
        pathlib.Path(folder, "main.go").write_text(program)
        pathlib.Path(folder, "go.mod").write_text("module choices\n\ngo 1.20\n")
        environment = {**os.environ, "GOFLAGS": "-mod=mod"}
        subprocess.run(["go", "get", "github.com/bradfitz/gomemcache/memcache"], cwd=folder, env=environment, check=True)
        with subprocess.Popen(
            ["go", "run", ".", file.name],
            cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as go:
            for count in range(1, 51):
                # It resolves names, so these are addresses.
                names = [f"10.0.0.{i}:{20000 + i}" for i in range(count)]
                golden.add("gomemcache", names, ask_line(go, names, 100_000 if count == 8 else 10_000))


def key_file():
    file = tempfile.NamedTemporaryFile("w", encoding="utf-8")
    file.write("".join(key + "\n" for key in keys(100_000)))
    file.flush()
    return file


def ask_line(process, names, count):
    process.stdin.write(" ".join(names) + f"|{count}\n")
    process.stdin.flush()
    return process.stdout.readline().strip().split(",")


class CountingServer:
    """Answers each get with a miss, and notes the key."""

    def __init__(self, seen, index):
        self.seen, self.index = seen, index
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection, connection.makefile("rb") as lines:
            for line in lines:
                self.seen[line.split()[1].decode()] = self.index
                connection.sendall(b"END\r\n")


def twemproxy():
    golden = Golden("twemproxy")
    seen = {}
    backends = [CountingServer(seen, i) for i in range(50)]

    def ask(case, fleet, settings, some):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with socket.create_server(("127.0.0.1", 0)) as free:
            statistics = free.getsockname()[1]
        # A name is hashed as it is, and so stands for the address that twemproxy would make it of.
        lines = [
            f"   - 127.0.0.1:{backends[i].port}:{weight} {host if port_ == 11211 else f'{host}:{port_}'}"
            for i, (host, port_, weight) in enumerate(fleet)
        ]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as conf:
            conf.write(f"proxy:\n  listen: 127.0.0.1:{port}\n  auto_eject_hosts: false\n  timeout: 10000\n")
            conf.write("".join(f"  {setting}\n" for setting in settings))
            conf.write("  servers:\n" + "\n".join(lines) + "\n")
            conf.flush()
            process = subprocess.Popen(
                ["nutcracker", "-c", conf.name, "-a", "127.0.0.1", "-s", str(statistics)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            try:
                connection = connect(port)
                seen.clear()
                with connection, connection.makefile("rb") as answers:
                    for start in range(0, len(some), 500):
                        chunk = some[start : start + 500]
                        connection.sendall(b"".join(f"get {key}\r\n".encode() for key in chunk))
                        for _ in chunk:
                            answer = answers.readline()
                            assert answer == b"END\r\n", answer
            finally:
                process.kill()
                process.wait()
        golden.add(case, [text(server) for server in fleet], [seen[key] for key in some])

    def connect(port):
        for _ in range(100):
            try:
                return socket.create_connection(("127.0.0.1", port))
            except OSError:
                time.sleep(0.05)
        raise AssertionError("nutcracker does not listen")

    hashes = (
        "one_at_a_time md5 crc16 crc32 crc32a fnv1_64 fnv1a_64 fnv1_32 fnv1a_32 hsieh murmur jenkins".split()
    )
    for name in hashes:
        for count in (3, 13):
            ask(f"modula {name}", servers(count, True), [f"hash: {name}", "distribution: modula"], keys(2_000))
    for count in COUNTS:
        ask("ketama", servers(count), ["distribution: ketama"], keys(4_000))
        ask("ketama", servers(count, True), ["distribution: ketama"], keys(4_000))
    ask("ketama", servers(8, True), ["distribution: ketama"], keys(100_000))
    tagged = [f"a{{{key}" + ("}" if i % 3 else "") + f"b{i % 7}" for i, key in enumerate(keys(2_000))]
    tagged = [key if i % 5 else key.replace(key[2:-3], "") for i, key in enumerate(tagged) if len(key) < 240]
    ask("tagged", servers(8), ["distribution: ketama", 'hash_tag: "{}"'], list(dict.fromkeys(tagged)))


def xxhash():
    import xxhash as original

    def jump(number, buckets):
        bucket, following = -1, 0
        while following < buckets:
            bucket = following
            number = (number * 2862933555777941757 + 1) % 2**64
            following = int((bucket + 1) * (float(1 << 31) / float((number >> 33) + 1)))
        return bucket

    golden = Golden("xxhash")
    for seed_text in ("", "memshard"):
        seed = original.xxh3_64_intdigest(seed_text.encode()) if seed_text else 0
        numbers = [original.xxh3_64_intdigest(key.encode(), seed) for key in keys(100_000)]
        golden.add(f"hash {seed_text}".strip(), [], [f"{number:016x}" for number in numbers])
        for count in range(1, 51):
            fleet = [text(server) for server in servers(count)]
            some = numbers if count == 8 else numbers[:10_000]
            golden.add(f"jump {seed_text}".strip(), fleet, [jump(number, count) for number in some])


if __name__ == "__main__":
    for each in sys.argv[1:] or ["libmemcached", "pymemcache", "dalli", "gomemcache", "twemproxy", "xxhash"]:
        print(each)
        globals()[each]()
