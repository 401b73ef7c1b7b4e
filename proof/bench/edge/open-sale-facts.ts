/** What the gate knows of a sale that opened a minute ago and asks for nothing special. */
import { defaultThrottle } from '../../../core/sale/sale.ts'
import type { GateFactsToWrite } from '../../../redis/gate/gate.ts'

export const openStartToken = 'Zm9ydHktdHdvLXJhbmRvbS1ieXRlcy1oZXJlIQ'

/** `now` is epoch ms. */
export function openSaleFacts(now: number): Omit<GateFactsToWrite, 'saleId'> {
  return {
    flag: 'on',
    epoch: 1,
    startToken: openStartToken,
    startsAt: now - 60_000,
    endsAt: now + 3_600_000,
    nextStartsAt: null,
    version: 1,
    rules: {
      kind: 'goods',
      throttle: defaultThrottle,
      minLevel: 0,
      challenge: 'off',
      requirePass: 'off',
      spreadSeconds: 0,
    },
    frozen: false,
    databases: ['main'],
  }
}
