/**
 * Keeps the idempotency keys of calls (I5) by subject until a call is known to be done, so that a retry after a lost answer
 * or a refusal sends the same key: even a refused call may be half done. Other content gets another key.
 */
export function callKeys(newKey: () => string = () => crypto.randomUUID()) {
  const open = new Map<string, { text: string; key: string }>()
  return {
    /** Returns the key for a call. */
    keyOf(about: string, content: object): string {
      const text = JSON.stringify(content)
      const earlier = open.get(about)
      if (earlier?.text === text) return earlier.key
      const key = newKey()
      open.set(about, { text, key })
      return key
    },
    /** Drops the key of a finished call. */
    done: (about: string) => void open.delete(about),
  }
}
