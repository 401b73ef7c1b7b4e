#!/usr/bin/env python3
"""Checks a draw, or the split of red packets, from its published files alone.

    python3 verify_draw.py <folder or address> ...
        --rules <hash>   the hash of the rules as the page of the sale shows it
        --known <file>   heads, steps and receipts that you kept, one a line
        --packet <n>     compute the amount of that red packet: the number behind the last "-p" of its id

Prints one line of JSON for each, and ends with status 1 if one has a fault. docs/reference/draw.md and packets.md specify the
files and the names of faults; this program was written from them, and shares no code with the shop. It needs Python 3.9 and its
standard library. The signature of the beacon is checked if py_ecc can be imported (`pip install py_ecc`).
"""

import argparse
import base64
import functools
import hashlib
import hmac
import itertools
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request

TILE = 4096
RECORD = 64
MOST_WHOLE = 2**53 - 1
LONGEST_LINE = 1_000_000
REASONS = ("unclaimed", "left", "unpaid", "cancelled", "refunded")

QUICKNET = {
    "hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "publicKey": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510"
    "d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    "period": 3,
    "genesis": 1692803367,
    "scheme": "bls-unchained-g1-rfc9380",
    "isLocal": False,
}


class Stop(Exception):
    """A fault after which checking cannot go on."""


def sha256(data):
    return hashlib.sha256(data).digest()


# Values in JSON


def read_json(data):
    """The value in bytes of JSON; raises ValueError."""

    def refuse(text):
        raise ValueError(text)

    def number(text):
        value = float(text)
        return int(value) if value.is_integer() else value

    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=refuse, parse_float=number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def has_members(value, names, optional=()):
    return isinstance(value, dict) and set(names) <= set(value) <= set(names) | set(optional)


def is_whole(value, low=0, high=MOST_WHOLE):
    return type(value) is int and low <= value <= high


def is_text(value, pattern):
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_hash(value):
    return is_text(value, "[0-9a-f]{64}")


def is_hex(value):
    return is_text(value, "(?:[0-9a-f]{2}){1,256}")


def is_name(value, least, most):
    return is_text(value, "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?") and least <= len(value) <= most


def is_list(value, least, most, is_item):
    return isinstance(value, list) and least <= len(value) <= most and all(is_item(item) for item in value)


def is_beacon_chain(value):
    return (
        has_members(value, ("hash", "publicKey", "period", "genesis", "scheme", "isLocal"))
        and is_hash(value["hash"])
        and is_hex(value["publicKey"])
        and is_whole(value["period"], 1, 3600)
        and is_whole(value["genesis"])
        and is_text(value["scheme"], "[A-Za-z0-9-]{1,64}")
        and isinstance(value["isLocal"], bool)
    )


def is_variant(value):
    return (
        has_members(value, ("units",), ("id",))
        and is_whole(value["units"], 0, 10_000_000)
        and ("id" not in value or is_name(value["id"], 1, 16))
    )


def is_earlier(value):
    return (
        has_members(value, ("sale", "rules", "head", "step"))
        and is_name(value["sale"], 3, 40)
        and all(is_hash(value[name]) for name in ("rules", "head", "step"))
    )


def is_key(value):
    return (
        has_members(value, ("kty", "crv", "x", "y", "kid"))
        and (value["kty"], value["crv"]) == ("EC", "P-256")
        and all(is_text(value[name], "[A-Za-z0-9_-]{43}") for name in ("x", "y"))
        and is_text(value["kid"], "[A-Za-z0-9_-]{1,64}")
    )


def is_prize(value):
    return has_members(value, ("amount", "currency")) and is_whole(value["amount"]) and is_text(value["currency"], "[A-Z]{3}")


RULES = {
    "version": lambda value: is_whole(value, 1, 1),
    "sale": lambda value: is_name(value, 3, 40),
    "opensAt": is_whole,
    "closesAt": is_whole,
    "commitSeconds": lambda value: is_whole(value, 30, 86_400),
    "round": is_whole,
    "beacon": is_beacon_chain,
    "lateBeacon": lambda value: value == "wait",
    "variants": lambda value: is_list(value, 1, 24, is_variant),
    "claimWindowSeconds": lambda value: is_whole(value, 1, 31_536_000),
    "mostInGroup": lambda value: is_whole(value, 1, 6),
    "mostTries": lambda value: is_whole(value, 1, 6),
    "earlier": lambda value: is_list(value, 0, 16, is_earlier),
    "ties": lambda value: value == "lowest-id",
    "groups": lambda value: value == "skip",
    "keys": lambda value: is_list(value, 1, 4, is_key),
}
OPTIONAL_RULES = {
    "prizeValue": is_prize,
    "odds": lambda value: isinstance(value, str),
    "ranks": lambda value: value == "joined",
}

HEAD = {
    "sale": lambda value: is_name(value, 3, 40),
    "number": is_whole,
    "previous": is_hash,
    "rules": is_hash,
    "at": is_whole,
    "count": lambda value: is_whole(value, 0, 16_777_216),
    "root": is_hash,
    "round": is_whole,
}
RECEIPT = {"sale": HEAD["sale"], "at": is_whole, "id": is_hash, "leaf": is_hash}


def is_event(value):
    if has_members(value, ("entry", "reason")):
        return is_whole(value["entry"]) and value["reason"] in REASONS
    return has_members(value, ("variant", "units")) and is_whole(value["variant"], 1, 24) and is_whole(value["units"], 1, 10_000_000)


STEP = {
    "sale": HEAD["sale"],
    "number": is_whole,
    "previous": is_hash,
    "at": is_whole,
    "events": lambda value: is_list(value, 0, LONGEST_LINE, is_event),
    "offers": is_whole,
    "offersHash": is_hash,
    "threshold": is_hash,
}


def fits(value, table, optional=None):
    optional = optional or {}
    if not has_members(value, table, optional):
        return False
    return all((table.get(name) or optional[name])(item) for name, item in value.items())


# Signatures: ES256 (FIPS 186-4 on the curve P-256)

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def double(point):
    x, y, z = point
    if z == 0 or y == 0:
        return (0, 1, 0)
    square = y * y % P
    middle = 4 * x * square % P
    slope = 3 * (x - z * z) * (x + z * z) % P
    next_x = (slope * slope - 2 * middle) % P
    return (next_x, (slope * (middle - next_x) - 8 * square * square) % P, 2 * y * z % P)


def add_affine(point, affine):
    x, y, z = point
    if z == 0:
        return (affine[0], affine[1], 1)
    square = z * z % P
    run = (affine[0] * square - x) % P
    rise = (affine[1] * square * z - y) % P
    if run == 0:
        return double(point) if rise == 0 else (0, 1, 0)
    run_square = run * run % P
    run_cube = run_square * run % P
    middle = x * run_square % P
    next_x = (rise * rise - run_cube - 2 * middle) % P
    return (next_x, (rise * (middle - next_x) - y * run_cube) % P, z * run % P)


def affine_of(point):
    x, y, z = point
    inverse = pow(z, -1, P)
    return (x * inverse * inverse % P, y * inverse * inverse * inverse % P)


@functools.lru_cache(8)
def multiples(point):
    """The multiples 1 to 15 of the point, then of 16 times the point, and so on: a draw has many lines and one key."""
    rows = []
    for _ in range(64):
        row, last = [point], (point[0], point[1], 1)
        for _ in range(15):
            last = add_affine(last, point)
            row.append(affine_of(last))
        point = row.pop()
        rows.append(row)
    return rows


def add_multiple(to, number, point):
    for row in multiples(point):
        if number & 15:
            to = add_affine(to, row[(number & 15) - 1])
        number >>= 4
    return to


def es256_verifies(key, message, signature):
    """Whether `signature` (64 bytes) is one of `message` by `key`, a point of the curve or not."""
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    x, y = key
    on_curve = x < P and y < P and (y * y - x * x * x + 3 * x - B) % P == 0
    if not on_curve or not 0 < r < N or not 0 < s < N:
        return False
    inverse = pow(s, -1, N)
    first, second = int.from_bytes(sha256(message), "big") * inverse % N, r * inverse % N
    point = add_multiple(add_multiple((0, 1, 0), first, G), second, key)
    return point[2] != 0 and affine_of(point)[0] % N == r


def from_base64url(text):
    """The bytes of unpadded base64url; raises ValueError."""
    if not re.fullmatch(b"[A-Za-z0-9_-]*", text):
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))


def key_points(rules):
    points = {}
    for key in rules["keys"]:
        point = tuple(int.from_bytes(base64.urlsafe_b64decode(key[name] + "="), "big") for name in ("x", "y"))
        points.setdefault(key["kid"], point)
    return points


def read_line(line, kind, table, keys):
    """The payload of a signed line, and whether its signature fits; None for a line that is not as specified."""
    try:
        parts = line.split(b".")
        if len(line) > LONGEST_LINE or len(parts) != 3:
            return None
        header, payload = (read_json(from_base64url(part)) for part in parts[:2])
        signature = from_base64url(parts[2])
    except ValueError:
        return None
    if not has_members(header, ("alg", "kid", "typ")) or not isinstance(header["kid"], str):
        return None
    if (header["alg"], header["typ"]) != ("ES256", kind) or header["kid"] not in keys:
        return None
    if len(signature) != 64 or not fits(payload, table):
        return None
    return payload, es256_verifies(keys[header["kid"]], parts[0] + b"." + parts[1], signature)


def read_lines(lines, kind, table, keys):
    """Each line with its payload, and whether its signature fits; None if a line is not as specified."""
    found = [read_line(line, kind, table, keys) for line in lines]
    return None if None in found else [(line, *one) for line, one in zip(lines, found)]


def lines_of(data):
    """The lines, each of which a line feed ends; what is behind the last line feed is one that is not as specified."""
    lines = data.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines[:-1] + [b"\n"]


# The tree of RFC 6962


def node_hash(left, right):
    return sha256(b"\x01" + left + right)


def root_of(hashes):
    """The root over hashes of leaves, or of trees of the same size that is a power of two."""
    if not hashes:
        return sha256(b"")
    while len(hashes) > 1:
        pairs = [node_hash(hashes[i], hashes[i + 1]) for i in range(0, len(hashes) - 1, 2)]
        hashes = pairs + hashes[len(pairs) * 2 :]
    return hashes[0]


# The signature of the beacon: BLS12-381, signatures on G1 (RFC 9380)


def local_chain_hash(chain):
    times = chain["period"].to_bytes(4, "big") + chain["genesis"].to_bytes(8, "big")
    return sha256(times + bytes.fromhex(chain["publicKey"]) + b"local").hex()


def is_known_chain(chain):
    if chain["isLocal"]:
        known = chain["scheme"] == QUICKNET["scheme"] and len(chain["publicKey"]) == 192 and chain["genesis"] > 0
        return known and chain["hash"] == local_chain_hash(chain)
    return chain == QUICKNET


def beacon_verifies(public_key, round_number, signature):
    """Whether the signature is one of the round; None if no library for pairings can be imported."""
    try:
        from py_ecc.bls.g2_primitives import subgroup_check
        from py_ecc.bls.hash_to_curve import hash_to_G1
        from py_ecc.bls.point_compression import decompress_G1, decompress_G2
        from py_ecc.optimized_bls12_381 import G2, is_inf, neg, pairing
    except ImportError:
        return None
    try:
        key = decompress_G2((int.from_bytes(public_key[:48], "big"), int.from_bytes(public_key[48:], "big")))
        point = decompress_G1(int.from_bytes(signature, "big"))
    except ValueError:
        return False
    if is_inf(key) or is_inf(point) or not subgroup_check(key) or not subgroup_check(point):
        return False
    message = sha256(round_number.to_bytes(8, "big"))
    hashed = hash_to_G1(message, b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_", hashlib.sha256)
    return pairing(G2, point) == pairing(key, hashed)


# Files


def folder_files(folder):
    def read(name):
        try:
            with open(os.path.join(folder, name), "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    return read


def web_files(address):
    def read(name):
        try:
            with urllib.request.urlopen(f"{address.rstrip('/')}/{name}", timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code in (403, 404):
                return None
            raise

    return read


def files_at(place):
    return web_files(place) if re.match("https?://", place) else folder_files(place)


class Check:
    """What was found of a draw or a split. `read` gives the bytes of a file, or None if it is missing."""

    def __init__(self, read):
        self.read = read
        self.faults = []
        self.state = None
        self.signature_checked = None

    def fault(self, name):
        if name not in self.faults:
            self.faults.append(name)

    def stop(self, name):
        self.fault(name)
        raise Stop

    def read_object(self, name, is_fine, unreadable):
        """The bytes of a small file, and the object in them."""
        data = self.read(name)
        try:
            value = read_json(data) if data is not None and len(data) <= 65_536 else None
        except ValueError:
            value = None
        if not is_fine(value):
            self.stop(unreadable)
        return data, value

    def check_round(self):
        """The randomness of the round; checks the round of the rules."""
        data = self.read("beacon.json")
        try:
            beacon = read_json(data)
        except ValueError:
            beacon = None
        if not fits(beacon, {"round": is_whole, "randomness": is_hash, "signature": is_hex}):
            self.stop("beacon-unreadable")
        signature, chain = bytes.fromhex(beacon["signature"]), self.rules["beacon"]
        if beacon["round"] != self.rules["round"]:
            self.fault("beacon-round")
        if sha256(signature).hex() != beacon["randomness"]:
            self.fault("beacon-randomness")
        verifies = False
        if is_known_chain(chain) and len(signature) == 48 and self.rules["round"] >= 1:
            verifies = beacon_verifies(bytes.fromhex(chain["publicKey"]), self.rules["round"], signature)
        self.signature_checked = verifies is not None
        if verifies is False:
            self.fault("beacon-signature")
        return bytes.fromhex(beacon["randomness"])

    def result(self):
        checked = {None: None, True: "checked", False: "not checked"}[self.signature_checked]
        return {"state": self.state, "faults": self.faults, "beaconSignature": checked}


# The draw


class Entry:
    def __init__(self, number, record):
        self.number = number
        self.id, self.group, self.tries = record[:32], record[32:48], record[48]
        self.choices = [choice for choice in record[49:] if choice]


class Draw(Check):
    def __init__(self, read, place):
        super().__init__(read)
        self.place = place
        self.heads = []
        self.closing = None
        self.is_unfinished = False
        self.records = []
        self.entries = {}
        self.winners = []
        self.holders = {}
        self.offered = set()
        self.threshold = None
        self.seed = None

    def check(self, seen):
        try:
            self.check_rules(seen.get("rules"))
            self.check_heads(seen.get("heads", []))
            has_bad_record = self.check_list()
            self.check_receipts(seen.get("receipts", []))
            if has_bad_record:
                raise Stop
            self.find_entries()
            if not seen.get("is_earlier"):
                self.check_groups()
                self.check_tries(seen)
            if self.closing is None:
                if self.read("beacon.json") is not None:
                    self.fault("head-missing")
                chain = self.rules["beacon"]
                due = 1000 * (chain["genesis"] + (self.rules["round"] - 1) * chain["period"])
                self.state = "void" if "now" in seen and seen["now"] >= due else "open"
                return
            self.check_beacon()
            self.check_allocation(seen)
        except Stop:
            pass

    def check_rules(self, expected):
        def is_fine(value):
            if not fits(value, RULES, OPTIONAL_RULES) or value["closesAt"] <= value["opensAt"]:
                return False
            return "ranks" not in value or (value["mostInGroup"], value["mostTries"]) == (1, 1)

        data, rules = self.read_object("draw.json", is_fine, "rules-unreadable")
        self.rules = rules
        self.by_joining = "ranks" in rules
        self.rules_hash = sha256(data)
        self.keys = key_points(rules)
        if expected is not None and self.rules_hash.hex() != expected:
            self.fault("rules-changed")
        chain = rules["beacon"]
        period, genesis = 1000 * chain["period"], 1000 * chain["genesis"]
        reveal = rules["closesAt"] + 1000 * rules["commitSeconds"]
        self.latest_head = genesis + (rules["round"] - 11) * period
        if rules["round"] != (reveal - genesis) // period + 1 or self.latest_head <= rules["closesAt"]:
            self.fault("rules-round")

    def check_heads(self, seen):
        data = self.read("heads.txt")
        if not data:
            self.stop("head-missing")
        former = {"at": -1, "count": 0}
        previous, lines = self.rules_hash, lines_of(data)
        found = read_lines(lines, "draw-head+jwt", HEAD, self.keys)
        if found is None:
            self.stop("head-unreadable")
        for number, (line, head, has_signature) in enumerate(found):
            if not has_signature:
                self.fault("head-signature")
            ours = (self.rules["sale"], self.rules_hash.hex(), self.rules["round"])
            if (head["sale"], head["rules"], head["round"]) != ours:
                self.fault("head-other-draw")
            if head["number"] != number or head["previous"] != previous.hex():
                self.fault("head-chain")
            if head["count"] < former["count"] or head["at"] <= former["at"] or former["at"] >= self.rules["closesAt"]:
                self.stop("head-order")
            previous, former = sha256(line), head
            self.heads.append(head)
        if former["at"] >= self.rules["closesAt"]:
            self.closing = former
            self.closing_hash = previous
            if former["at"] > self.latest_head:
                self.fault("head-late")
        if not set(seen) <= set(lines):
            self.fault("head-replaced")

    def check_list(self):
        """Whether a record is not as specified."""
        count = self.heads[-1]["count"]
        leaves, tile_roots = [], []
        for tile in range((count + TILE - 1) // TILE):
            data = self.read(f"tiles/{tile}.bin")
            expected = RECORD * min(TILE, count - tile * TILE)
            if data and self.closing is None and expected < len(data) <= RECORD * TILE and len(data) % RECORD == 0:
                self.is_unfinished = True
                data = data[:expected]
            if data is None or len(data) != expected:
                self.check_roots(leaves, tile_roots)
                self.stop("tile-missing")
            records = [data[at : at + RECORD] for at in range(0, len(data), RECORD)]
            hashes = [sha256(b"\x00" + record) for record in records]
            self.records += records
            leaves.append(hashes)
            tile_roots.append(root_of(hashes))
        self.check_roots(leaves, tile_roots)
        self.leaves = [leaf for hashes in leaves for leaf in hashes]
        is_bad = not all(self.is_record(record) for record in self.records)
        if is_bad:
            self.fault("record-unreadable")
        start = 0
        for head in self.heads:
            batch = self.records[start : head["count"]]
            if any(one[:32] > other[:32] for one, other in zip(batch, batch[1:])):
                self.fault("record-order")
            start = head["count"]
        published, expected, full = self.read("tiles/roots.bin") or b"", b"".join(tile_roots), count // TILE * 32
        if published != expected:
            is_longer = len(published) >= len(expected) and len(published) % 32 == 0
            if self.closing is None and is_longer and published[:full] == expected[:full]:
                self.is_unfinished = True
            else:
                self.fault("tile-roots-wrong")
        return is_bad

    def check_roots(self, leaves, tile_roots):
        """Compares the roots of the heads whose tiles were read."""
        for head in self.heads:
            full, rest = divmod(head["count"], TILE)
            if head["count"] > len(self.records):
                continue
            hashes = tile_roots[:full] + ([root_of(leaves[full][:rest])] if rest else [])
            if root_of(hashes).hex() != head["root"]:
                self.fault("root-wrong")

    def is_record(self, record):
        tries, choices = record[48], record[49:].rstrip(b"\0")
        if tries == 0:
            return not any(record[32:])
        is_fine = tries <= self.rules["mostTries"] and (self.rules["mostInGroup"] > 1 or not any(record[32:48]))
        known = all(1 <= choice <= len(self.rules["variants"]) for choice in choices)
        return is_fine and known and 0 < len(choices) == len(set(choices))

    def check_receipts(self, receipts):
        if self.closing is None or not receipts:
            return
        known = {}
        for number, (record, leaf) in enumerate(zip(self.records, self.leaves)):
            known.setdefault((record[:32].hex(), leaf.hex()), number)
        for line in receipts:
            found = read_line(line, "draw-receipt+jwt", RECEIPT, self.keys)
            if found is None:
                self.fault("receipt-unreadable")
                continue
            receipt, has_signature = found
            if receipt["sale"] != self.rules["sale"]:
                self.fault("receipt-other-draw")
            elif not has_signature:
                self.fault("receipt-signature")
            elif (receipt["id"], receipt["leaf"]) not in known:
                self.fault("receipt-excluded")
            elif self.by_joining:
                listed = [head["count"] for head in self.heads if head["at"] >= receipt["at"] + 60_000]
                if listed and known[receipt["id"], receipt["leaf"]] >= listed[0]:
                    self.fault("receipt-late")

    def find_entries(self):
        last = {record[:32]: number for number, record in enumerate(self.records)}
        standing = (Entry(number, self.records[number]) for number in last.values())
        self.entries = {entry.number: entry for entry in standing if entry.tries}
        self.parties = {}
        for entry in sorted(self.entries.values(), key=lambda one: one.id):
            name = entry.group if any(entry.group) else entry.id
            self.parties.setdefault(name, []).append(entry)

    def find_batches(self):
        """The number of the batch in which each entrant joined, by the id."""
        joined, start = {}, 0
        for number, head in enumerate(self.heads):
            for record in self.records[start : head["count"]]:
                if record[48] == 0:
                    joined.pop(record[:32], None)
                else:
                    joined.setdefault(record[:32], number)
            start = head["count"]
        return joined

    def check_groups(self):
        most = self.rules["mostInGroup"]
        if any(len(party) > most for name, party in self.parties.items() if len(name) == 16):
            self.fault("group-too-large")

    def check_tries(self, seen):
        losses = {}
        for one in self.rules["earlier"]:
            place = sibling(self.place, one["sale"])
            draw = Draw(files_at(place), place)
            known = {"rules": one["rules"], "step": one["step"], "score_bytes": seen.get("score_bytes", 32)}
            draw.check({**known, "is_earlier": True})
            is_same = not draw.faults and draw.state == "drawn" and draw.closing_hash.hex() == one["head"]
            if not is_same or not draw.has_step:
                self.stop("earlier-wrong")
            for entry in draw.entries.values():
                losses[entry.id] = 0 if entry.number in draw.offered else losses.get(entry.id, 0) + 1
        most = self.rules["mostTries"]
        if any(record[48] not in (0, min(most, 1 + losses.get(record[:32], 0))) for record in self.records):
            self.fault("tries-wrong")

    def check_beacon(self):
        self.state = "closed"
        if self.read("beacon.json") is None:
            raise Stop
        self.state = "drawn"
        root, randomness = bytes.fromhex(self.closing["root"]), self.check_round()
        self.seed = sha256(b"sluice-draw-1" + self.rules_hash + root + randomness)

    def rank(self, score_bytes):
        ranked = []
        joined = self.find_batches() if self.by_joining else {}
        for name, party in self.parties.items():
            tries = min(entry.tries for entry in party)
            score = min(hmac.digest(self.seed, name + bytes([j]), "sha256")[:score_bytes] for j in range(tries))
            score = score.ljust(32, b"\0")
            if self.by_joining:
                score = joined[name].to_bytes(4, "big") + score[:28]
            ranked.append((score, party[0].id, party))
        ranked.sort(key=lambda one: one[:2])
        return ranked

    def check_allocation(self, seen):
        self.ranked = self.rank(seen.get("score_bytes", 32))
        self.free = [0] + [variant["units"] for variant in self.rules["variants"]]
        self.waiting = list(range(len(self.ranked)))
        self.last_rank = -1
        self.has_step = False
        data = self.read("allocation.txt")
        lines = lines_of(data) if data else []
        if "step" in seen:
            hashes = [sha256(line).hex() for line in lines]
            self.has_step = seen["step"] in hashes
            lines = lines[: hashes.index(seen["step"]) + 1] if self.has_step else []
        self.winners = self.offer_waiting()
        self.threshold = self.threshold_now()
        previous, former_at = self.closing_hash, self.closing["at"]
        at_of_offer, offers = {}, self.winners
        found = read_lines(lines, "draw-step+jwt", STEP, self.keys)
        if found is None:
            self.stop("step-unreadable")
        if not set(seen.get("steps", [])) <= set(lines):
            self.fault("step-replaced")
        for number, (line, step, has_signature) in enumerate(found):
            if not has_signature:
                self.fault("step-signature")
            if step["sale"] != self.rules["sale"]:
                self.fault("step-other-draw")
            if step["number"] != number or step["previous"] != previous.hex():
                self.fault("step-chain")
            if step["at"] <= former_at or (number == 0 and step["events"]):
                self.fault("step-order")
            at_of_offer.update({entry: step["at"] for entry, _ in offers})
            for event in step["events"]:
                if self.apply(event, step["at"], at_of_offer):
                    new = self.offer_waiting()
                    at_of_offer.update({entry: step["at"] for entry, _ in new})
                    offers = offers + new
                else:
                    self.fault("step-event")
            self.threshold = self.threshold_now()
            packed = b"".join(entry.to_bytes(4, "big") + bytes([variant]) for entry, variant in offers)
            if (step["offers"], step["offersHash"]) != (len(offers), sha256(packed).hex()):
                self.fault("offers-wrong")
            if step["threshold"] != self.threshold:
                self.fault("threshold-wrong")
            previous, former_at, offers = sha256(line), step["at"], []

    def apply(self, event, at, at_of_offer):
        """Frees the units of an event; whether it is possible."""
        if "variant" in event:
            if not 1 <= event["variant"] < len(self.free):
                return False
            self.free[event["variant"]] += event["units"]
            return True
        variant = self.holders.pop(event["entry"], None)
        if variant is None:
            return False
        if event["reason"] == "unclaimed" and at < at_of_offer[event["entry"]] + 1000 * self.rules["claimWindowSeconds"]:
            self.fault("step-early")
        self.free[variant] += 1
        return True

    def offer_waiting(self):
        """Offers each waiting party once, by rank. A second time finds nothing: units only become fewer meanwhile."""
        offers, kept = [], []
        for position, rank in enumerate(self.waiting):
            if not any(self.free):
                kept += self.waiting[position:]
                break
            new = self.offer(self.ranked[rank][2])
            if new is None:
                kept.append(rank)
                continue
            offers += new
            self.last_rank = max(self.last_rank, rank)
        self.waiting = kept
        for entry, variant in offers:
            self.holders[entry] = variant
            self.offered.add(entry)
        return offers

    def offer(self, party):
        taken = []
        for entry in party:
            variant = next((choice for choice in entry.choices if self.free[choice]), None)
            if variant is None:
                for _, other in taken:
                    self.free[other] += 1
                return None
            self.free[variant] -= 1
            taken.append((entry.number, variant))
        return taken

    def threshold_now(self):
        return self.ranked[self.last_rank][0].hex() if self.last_rank >= 0 else "0" * 64

    def result(self):
        return {
            **super().result(),
            "unfinished": self.is_unfinished,
            "records": len(self.records),
            "entries": len(self.entries),
            "seed": self.seed.hex() if self.seed else None,
            "threshold": self.threshold,
            "winners": [list(winner) for winner in self.winners],
            "holders": sorted(list(holder) for holder in self.holders.items()),
        }


def sibling(place, sale):
    is_web = re.match("https?://", place)
    place = place.rstrip("/") if is_web else os.path.abspath(place)
    folder, name = place.rsplit("/", 1) if is_web else os.path.split(place)
    if name != "draw":
        return f"{folder}/{sale}"
    parent = folder.rsplit("/", 1)[0] if is_web else os.path.dirname(folder)
    return f"{parent}/{sale}/draw"


# The split of red packets


def is_wave(value):
    is_fine = has_members(value, ("count", "totalAmount")) and is_whole(value["count"], 0, 1_000_000)
    return is_fine and is_whole(value["totalAmount"], 0, 10**12) and value["count"] <= value["totalAmount"]


def are_waves(value):
    return is_list(value, 1, 100, is_wave) and sum(wave["count"] for wave in value) <= 1_000_000


RAIN = {
    "version": lambda value: is_whole(value, 1, 1),
    "sale": lambda value: is_name(value, 3, 40),
    "currency": lambda value: is_text(value, "[A-Z]{3}"),
    "waves": are_waves,
    "seedHash": is_hash,
    "splitAt": is_whole,
    "round": is_whole,
    "beacon": is_beacon_chain,
    "lateBeacon": lambda value: value == "seed-alone",
}
REVEAL = {"seed": is_hash, "round": lambda value: value is None or is_whole(value)}


def words_of(key, wave):
    for block in itertools.count():
        data = sha256(key + wave.to_bytes(4, "big") + block.to_bytes(4, "big"))
        for at in range(0, 32, 4):
            yield int.from_bytes(data[at : at + 4], "big")


def draw_below(words, end):
    """A number from 0 up to, not including, `end`."""
    while True:
        if end <= 2**32:
            value, values = next(words), 2**32
        else:
            value, values = (next(words) >> 11) * 2**32 + next(words), 2**53
        if value < values - values % end:
            return value % end


def split(wave, words):
    amounts, left = [], wave["totalAmount"]
    for packets in range(wave["count"], 1, -1):
        amounts.append(1 + draw_below(words, 2 * left // packets - 1))
        left -= amounts[-1]
    amounts += [left] if wave["count"] else []
    for packet in range(len(amounts) - 1, 0, -1):
        other = draw_below(words, packet + 1)
        amounts[packet], amounts[other] = amounts[other], amounts[packet]
    return amounts


class Rain(Check):
    def __init__(self, read):
        super().__init__(read)
        self.amounts = None
        self.is_mixed = None
        self.packet = {}

    def check(self, seen):
        try:
            self.check_rules(seen)
            if self.read("reveal.json") is None:
                self.state = "announced"
                return
            key = self.find_key()
            self.state = "revealed"
            self.amounts = [
                amount for number, wave in enumerate(self.rules["waves"]) for amount in split(wave, words_of(key, number))
            ]
            if "packet" in seen:
                self.check_packet(seen["packet"], seen.get("given"))
        except Stop:
            pass

    def check_rules(self, seen):
        data, self.rules = self.read_object("rain.json", lambda value: fits(value, RAIN), "rain-unreadable")
        if seen.get("rules", sha256(data).hex()) != sha256(data).hex():
            self.fault("rain-changed")
        if seen.get("sale", self.rules["sale"]) != self.rules["sale"]:
            self.fault("rain-other-sale")
        chain = self.rules["beacon"]
        period, genesis = 1000 * chain["period"], 1000 * chain["genesis"]
        if self.rules["round"] != max(0, (self.rules["splitAt"] - genesis) // period + 1):
            self.fault("rain-round")

    def find_key(self):
        self.state = "announced"
        _, reveal = self.read_object("reveal.json", lambda value: fits(value, REVEAL), "reveal-unreadable")
        seed, randomness = bytes.fromhex(reveal["seed"]), b""
        if sha256(seed).hex() != self.rules["seedHash"]:
            self.fault("seed-wrong")
        self.is_mixed = reveal["round"] is not None
        if self.is_mixed:
            if reveal["round"] != self.rules["round"]:
                self.fault("beacon-round")
            if self.read("beacon.json") is None:
                self.stop("beacon-missing")
            randomness = self.check_round()
        return sha256(b"sluice-rain-1" + seed + randomness)

    def check_packet(self, packet, given):
        """`given` are the amount and the currency that the packet had for its shopper, where they are known."""
        if not 0 <= packet < len(self.amounts):
            self.stop("packet-unknown")
        amount, currency = self.amounts[packet], self.rules["currency"]
        self.packet = {"packet": packet, "amount": amount, "currency": currency}
        if given not in (None, [amount, currency]):
            self.fault("amount-wrong")

    def result(self):
        packed = b"".join(amount.to_bytes(8, "big") for amount in self.amounts or [])
        return {
            **super().result(),
            "isMixed": self.is_mixed,
            "packets": None if self.amounts is None else len(self.amounts),
            "amounts": None if self.amounts is None else sha256(packed).hex(),
            **self.packet,
        }


def verify(place, seen):
    """What the files at `place`, a folder or an address, say of their draw or their red packets."""
    read = files_at(place)
    check = Draw(read, place) if read("rain.json") is None else Rain(read)
    check.check(seen)
    return check.result()


def known_in(path):
    """Lines by their kind, which their header names."""
    known = {"heads": [], "steps": [], "receipts": []}
    with open(path, "rb") as file:
        for line in file.read().split():
            try:
                kind = re.search(b'"draw-(head|step)\\+jwt"', from_base64url(line.split(b".")[0]))
            except ValueError:
                kind = None
            known[f"{kind[1].decode()}s" if kind else "receipts"].append(line)
    return known


def main():
    parser = argparse.ArgumentParser(description="Checks a draw, or the split of red packets, from its published files.")
    parser.add_argument("places", nargs="+", metavar="folder or address")
    parser.add_argument("--rules", help="the hash of the rules as the page of the sale shows it")
    parser.add_argument("--known", help="a file with heads, steps and receipts that you kept, one a line")
    parser.add_argument("--packet", type=int, help="compute the amount of that red packet")
    options = parser.parse_args()
    seen = known_in(options.known) if options.known else {}
    seen["now"] = int(1000 * time.time())
    if options.rules:
        seen["rules"] = options.rules
    if options.packet is not None:
        seen["packet"] = options.packet
    has_fault = False
    for place in options.places:
        result = verify(place, seen)
        has_fault = has_fault or bool(result["faults"])
        print(json.dumps(result))
        if result["beaconSignature"] == "not checked":
            print(f"BEACON SIGNATURE NOT CHECKED of {place}: install py_ecc to check it", file=sys.stderr)
    sys.exit(1 if has_fault else 0)


if __name__ == "__main__":
    main()
