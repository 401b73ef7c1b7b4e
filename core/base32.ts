/** Bytes as letters, five bits each from the front (RFC 4648 §6), in whichever alphabet of 32 suits the reader. */

/** The first `length` letters of `bytes`. Throws RangeError when they hold fewer. */
export function base32(bytes: Uint8Array, length: number, alphabet: string): string {
  if (bytes.length * 8 < length * 5)
    throw new RangeError(`${bytes.length} bytes are too few for ${length} letters`)
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
