/** The token of the shop's customer, from the page that shows the element. It is kept in memory alone. */

/** A token of the host page; undefined or null for a guest. */
export type GiveToken = () => Promise<string | null | undefined> | string | null | undefined

/** A token lives for minutes: after this long, ms, it is asked for again. */
const goodForMs = 300_000

const shape = /^[\w-]+\.[\w-]+\.[\w-]+$/

export function createCustomer(give: GiveToken) {
  /** `guest`: the host says that no customer is signed in. `unknown`: it has not been asked, or did not answer. */
  let state: 'unknown' | 'guest' | 'known' = 'unknown'
  let kept: { text: string; at: number } | undefined
  let asking: Promise<string | undefined> | undefined

  async function ask(): Promise<string | undefined> {
    try {
      const text = (await give())?.trim()
      const isToken = text !== undefined && shape.test(text)
      state = isToken ? 'known' : 'guest'
      kept = isToken ? { text, at: performance.now() } : undefined
    } catch (failure) {
      console.error('sluice: no token:', failure)
      if (kept === undefined) state = 'unknown'
    }
    return kept?.text
  }

  return {
    get state() {
      return state
    },
    token() {
      if (kept !== undefined && performance.now() - kept.at < goodForMs) return Promise.resolve(kept.text)
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    forget() {
      kept = undefined
    },
  }
}
