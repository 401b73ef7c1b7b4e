/**
 * RESP2, the wire format of Redis, as values with the distinctions that JSON needs: a status is not a string, and a
 * string is bytes until it is encoded.
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

/** Encodes a command; texts are UTF-8. */
export function encodeCommand(words: readonly string[]): string {
  let wire = `*${words.length}\r\n`
  for (const word of words) wire += `$${Buffer.byteLength(word)}\r\n${word}\r\n`
  return wire
}

/** A position in received bytes; `need` is how many are missing, `open` the unfinished arrays. */
type Cursor = { data: Buffer; at: number; need: number; open: { items: RespReply[]; length: number }[] }

/**
 * Parses chunks as they arrive and calls `onReply` for each complete reply, in order. Unfinished arrays keep their
 * parsed part, so a large reply in many chunks is parsed once.
 */
export function replyReader(onReply: (reply: RespReply) => void): (chunk: Buffer) => void {
  const cursor: Cursor = { data: Buffer.alloc(0), at: 0, need: 0, open: [] }
  const { open } = cursor
  let waiting: Buffer[] = []
  let have = 0

  /** Adds a finished value to the open array, and closes arrays that are complete. */
  const settle = (value: RespReply): void => {
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

  return (chunk) => {
    waiting.push(chunk)
    have += chunk.length
    if (have < cursor.need) return
    cursor.data = waiting.length === 1 ? chunk : Buffer.concat(waiting)
    cursor.at = 0
    cursor.need = 0
    for (;;) {
      if (cursor.at >= cursor.data.length) break
      const depth = open.length
      const value = nextValue(cursor)
      if (value === undefined) break
      if (open.length > depth) continue
      settle(value)
    }
    const rest = cursor.data.subarray(cursor.at)
    waiting = rest.length === 0 ? [] : [rest]
    have = rest.length
  }
}

/**
 * Reads the value at the cursor and moves past it; undefined, without moving, while it is incomplete. An array is
 * opened.
 */
function nextValue(cursor: Cursor): RespReply | undefined {
  const { data, at, open } = cursor
  const end = data.indexOf('\r\n', at)
  if (end === -1) return undefined
  const line = data.toString('latin1', at + 1, end)
  const kind = data[at]
  if (kind === 0x24) return nextBytes(cursor, Number(line), end + 2)
  cursor.at = end + 2
  switch (kind) {
    case 0x2b: // +
      return new RedisStatus(line)
    case 0x2d: // - (UTF-8: a script may put any text into its error)
      return new RedisError(data.toString('utf8', at + 1, end))
    case 0x3a: // :
      return Number(line)
    case 0x2a: {
      // *
      const length = Number(line)
      if (length === -1) return null
      const items: RespReply[] = []
      if (length > 0) open.push({ items, length })
      return items
    }
    default:
      throw new Error('Redis sent something that is not RESP2.')
  }
}

/** Reads a string ($) of `length` bytes from `from`; -1 is null. */
function nextBytes(cursor: Cursor, length: number, from: number): Buffer | null | undefined {
  const { data, at } = cursor
  if (length === -1) {
    cursor.at = from
    return null
  }
  const stop = from + length
  if (data.length < stop + 2) {
    cursor.need = stop + 2 - at
    return undefined
  }
  cursor.at = stop + 2
  return data.subarray(from, stop)
}
