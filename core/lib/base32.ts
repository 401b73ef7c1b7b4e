/** Base32 (RFC 4648 §6) in a given alphabet of 32 characters: five bits each, from the front. */

/**
 * The first `length` characters for `bytes`.
 * @throws RangeError when they hold fewer bits
 */
export function base32(bytes: Uint8Array, length: number, alphabet: string): string {
  if (bytes.length * 8 < length * 5) throw new RangeError(`${bytes.length} bytes are too few for ${length} characters`)
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5 && text.length < length) {
      bits -= 5
      text += alphabet.charAt((buffer >> bits) & 31)
    }
  }
  return text
}
