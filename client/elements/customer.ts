/** Gets the token of the shop's customer from the page that shows the element, and keeps it in memory only. */

/** Returns a token from the host page; undefined or null for a guest. */
export type TokenProvider = () => Promise<string | null | undefined> | string | null | undefined

/** Tokens live for minutes: a cached one is used for this long, ms. */
const maxAgeMs = 300_000

const shape = /^[\w-]+\.[\w-]+\.[\w-]+$/

export function createCustomer(provide: TokenProvider) {
  /** `guest`: the host page has no customer signed in. `unknown`: the host page was not asked or did not answer. */
  let state: 'unknown' | 'guest' | 'known' = 'unknown'
  let cached: { text: string; at: number } | undefined
  let pending: Promise<string | undefined> | undefined

  async function ask(): Promise<string | undefined> {
    try {
      const text = (await provide())?.trim()
      const isToken = text !== undefined && shape.test(text)
      state = isToken ? 'known' : 'guest'
      cached = isToken ? { text, at: performance.now() } : undefined
    } catch (failure) {
      console.error('sluice: no token:', failure)
      if (cached === undefined) state = 'unknown'
    }
    return cached?.text
  }

  return {
    get state() {
      return state
    },
    token() {
      if (cached !== undefined && performance.now() - cached.at < maxAgeMs) return Promise.resolve(cached.text)
      pending ??= ask().finally(() => {
        pending = undefined
      })
      return pending
    },
    forget() {
      cached = undefined
    },
  }
}
