/**
 * RESP2, the wire format of Redis, as values that keep distinctions needed for JSON: a status is
 * not a string, and a string is bytes until it is encoded.
 */

/** `+OK`: a status line. */
export class RedisStatus {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * `-ERR …`: an error reply. A value, not an exception: in a pipeline it is one answer among others.
 */
export class RedisError {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

export type RespReply = RedisStatus | RedisError | Buffer | number | null | RespReply[]

/** A command as Redis reads it; texts are written as UTF-8. */
export function encodeCommand(words: readonly string[]): string {
  let wire = `*${words.length}\r\n`
  for (const word of words) wire += `$${Buffer.byteLength(word)}\r\n${word}\r\n`
  return wire
}

/**
 * Parses chunks as they arrive and passes each complete reply on, in order. The parsed part of an
 * unfinished array is kept, so a large reply in many chunks is parsed once.
 */
export function replyReader(onReply: (reply: RespReply) => void): (chunk: Buffer) => void {
  let data: Buffer = Buffer.alloc(0)
  let at = 0
  let waiting: Buffer[] = []
  let have = 0
  let need = 0
  const open: { items: RespReply[]; length: number }[] = []

  /**
   * The value at `at`, moving past it; undefined, without moving, while it is incomplete; an array
   * is opened.
   */
  const next = (): RespReply | undefined => {
    const end = data.indexOf('\r\n', at)
    if (end === -1) return undefined
    const line = data.toString('latin1', at + 1, end)
    switch (data[at]) {
      case 0x2b: // +
        at = end + 2
        return new RedisStatus(line)
      case 0x2d: {
        // - (UTF-8: a script may put any text into its error)
        const message = data.toString('utf8', at + 1, end)
        at = end + 2
        return new RedisError(message)
      }
      case 0x3a: // :
        at = end + 2
        return Number(line)
      case 0x24: {
        // $
        const length = Number(line)
        if (length === -1) {
          at = end + 2
          return null
        }
        const stop = end + 2 + length
        if (data.length < stop + 2) {
          need = stop + 2 - at
          return undefined
        }
        const bytes = data.subarray(end + 2, stop)
        at = stop + 2
        return bytes
      }
      case 0x2a: {
        // *
        const length = Number(line)
        at = end + 2
        if (length === -1) return null
        const items: RespReply[] = []
        if (length > 0) open.push({ items, length })
        return items
      }
      default:
        throw new Error('Redis sent something that is not RESP2.')
    }
  }

  return (chunk) => {
    waiting.push(chunk)
    have += chunk.length
    if (have < need) return
    data = waiting.length === 1 ? chunk : Buffer.concat(waiting)
    at = 0
    need = 0
    for (;;) {
      if (at >= data.length) break
      const depth = open.length
      const value = next()
      if (value === undefined) break
      if (open.length > depth) continue
      settle(value)
    }
    const rest = data.subarray(at)
    waiting = rest.length === 0 ? [] : [rest]
    have = rest.length
  }

  /** Adds a finished value to the open array, and closes arrays that are complete. */
  function settle(value: RespReply): void {
    let finished = value
    for (;;) {
      const parent = open.at(-1)
      if (parent === undefined) {
        onReply(finished)
        return
      }
      parent.items.push(finished)
      if (parent.items.length < parent.length) return
      open.pop()
      finished = parent.items
    }
  }
}
