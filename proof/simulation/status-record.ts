/**
 * The status of the sale that a marketer was answered; what Redis sells is checked against it (I6).
 */

/**
 * `confirmed` is the state in which the sale accepts no orders. It holds from its answer until the
 * marketer asks to sell again, or until Redis loses data: that may roll the state back.
 */
export type StatusRecord = {
  confirmed: () => 'paused' | 'closed' | undefined
  /**
   * The marketer requests `action`; call the result with the status of the answer, undefined when
   * none arrived.
   */
  request: (action: string) => (status: number | undefined) => void
  redisLostData: () => void
}

const shutting: Readonly<Record<string, 'paused' | 'closed'>> = { pause: 'paused', close: 'closed' }
const opening = ['start', 'resume']

export function openStatusRecord(): StatusRecord {
  let confirmed: 'paused' | 'closed' | undefined
  let requests = 0
  return {
    confirmed: () => confirmed,
    request(action) {
      if (opening.includes(action)) {
        requests += 1
        confirmed = undefined
      }
      const before = requests
      return (status) => {
        const state = shutting[action]
        if (state !== undefined && status !== undefined && status < 300 && before === requests) confirmed = state
      }
    },
    redisLostData() {
      requests += 1
      confirmed = undefined
    },
  }
}
