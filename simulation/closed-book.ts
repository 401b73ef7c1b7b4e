/** What the marketer was answered about selling: the record that what Redis sells is held against (I6). */

/**
 * `told` is the state in which the sale takes no orders, from the answer that said so until the marketer asks to sell again, or
 * Redis forgets something: what it went back to may be from before.
 */
export type ClosedBook = {
  told: () => 'paused' | 'closed' | undefined
  /** The marketer asks for `action`; call the result with the status of the answer, undefined when none came. */
  ask: (action: string) => (status: number | undefined) => void
  redisForgot: () => void
}

const shutting: Readonly<Record<string, 'paused' | 'closed'>> = { pause: 'paused', close: 'closed' }
const opening = ['start', 'resume']

export function openClosedBook(): ClosedBook {
  let told: 'paused' | 'closed' | undefined
  let asked = 0
  return {
    told: () => told,
    ask(action) {
      if (opening.includes(action)) {
        asked += 1
        told = undefined
      }
      const before = asked
      return (status) => {
        const state = shutting[action]
        if (state !== undefined && status !== undefined && status < 300 && before === asked) told = state
      }
    },
    redisForgot() {
      asked += 1
      told = undefined
    },
  }
}
