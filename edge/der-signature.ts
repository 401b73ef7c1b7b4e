/**
 * ES256 signatures in the form that `crypto.verify` reads fastest. Converting one here costs a
 * microsecond. Naming its own form to `crypto.verify` costs thirty: its key is then one of several
 * options, and Node throws and catches two errors before it looks there.
 */

/** The bytes of each of the two numbers (RFC 7518, 3.4). */
const size = 32
/** Both numbers with a sign byte, their tags and lengths, and those of the whole. */
const maxLength = 2 + 2 * (2 + 1 + size)

/** The signature of 64 bytes in DER, as an ECDSA-Sig-Value (RFC 3279, 2.2.3). */
export function derSignature(signature: Buffer): Buffer {
  const der = Buffer.alloc(maxLength)
  let end = 2
  for (const from of [0, size]) {
    const to = from + size
    let first = from
    while (first < to - 1 && signature[first] === 0) first += 1
    // A first bit of 1 would be a minus sign.
    const sign = (signature[first] ?? 0) >= 0x80 ? 1 : 0
    der[end] = 0x02
    der[end + 1] = sign + to - first
    end += 2 + sign
    end += signature.copy(der, end, first, to)
  }
  der[0] = 0x30
  der[1] = end - 2
  return der.subarray(0, end)
}
