/**
 * The idempotency keys of calls (I5), by what each is about. A key is kept until its call is known to be done, so that
 * pressing again after a lost answer or a refusal repeats the same call: even a refused one may be saved and half-way. With
 * other content it is another call.
 */
export function callKeys(newKey: () => string = () => crypto.randomUUID()) {
  const open = new Map<string, { text: string; key: string }>()
  return {
    /** The key to send with a call. */
    keyOf(about: string, content: object): string {
      const text = JSON.stringify(content)
      const earlier = open.get(about)
      if (earlier?.text === text) return earlier.key
      const key = newKey()
      open.set(about, { text, key })
      return key
    },
    /** The call was done. */
    done: (about: string) => void open.delete(about),
  }
}
