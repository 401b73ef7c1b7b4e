/** Decodes files of people: UTF-8, or UTF-16 with a byte order mark, as spreadsheets and PowerShell save it. */

/**
 * Returns the text without its byte order mark; undefined for other bytes. Text with a NUL is rejected: it is valid UTF-8,
 * but probably UTF-16 without a mark.
 */
export function textInBytes(bytes: Uint8Array): string | undefined {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    // The decoder throws only for invalid bytes.
    return undefined
  }
}

/**
 * Returns the text of a file that a command reads.
 * @throws RangeError that names the encodings, for other bytes
 */
export function textOfFile(file: string, bytes: Uint8Array): string {
  const text = textInBytes(bytes)
  if (text !== undefined) return text
  throw new RangeError(`${file} is neither UTF-8 nor UTF-16 with a byte order mark: save it as UTF-8`)
}
