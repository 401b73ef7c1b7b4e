import { expect, it } from 'vitest'
import { peakOf } from '../../../proof/rush/load.ts'
import { modeFacts } from '../../../proof/rush/mode-facts.ts'

const load = {
  ...{ losingRequests: 290, redisCommands: 145, functionRuns: 30 },
  ...{ redisPerLosingRequest: 0.5, functionRunsPerLosingRequest: 0.01 },
}
const near = { tripMs: 5, isBot: false, ignoresRetryAfter: false, person: 1, accounts: 1 }
const shopper = (shopperId: string, traits: Partial<typeof near> = {}) => {
  return { shopperId, token: '', pass: undefined, key: shopperId, traits: { ...near, ...traits } }
}
const shoppers = [
  shopper('ann'),
  shopper('bob', { tripMs: 200, person: 2, accounts: 5 }),
  shopper('bot', { isBot: true, person: 2, accounts: 5 }),
]
const tries = [
  ...[100, 500, 1099, 1100].map((at) => ({ code: 'sold-out', ms: 1, at })),
  { code: 'reserved', ms: 1, at: 5000 },
  { code: 'unavailable', ms: 1, at: 7000 },
]
const facts = modeFacts('spread', {
  ...{ shoppers, load },
  crowd: { winners: [{ shopperId: 'ann' }], gaveUp: 0, inDoubt: [], seconds: 2, tries, waitsMs: [40, 80] },
  asked: [
    {
      ...{ peak: peakOf('entries', []), used: { redisCommands: 5, functionRuns: 3 } },
      tries: [{ code: 'entered', ms: 1, at: 9000 }],
    },
  ],
})

it('adds up what the shop did, who won, and what it took of a shopper (L9)', () => {
  expect(facts).toMatchObject({
    ...{ busiestSecond: 3, errors: 1, functionRuns: 33, redisCommands: 150 },
    byTrip: [
      { name: '5 ms away', shoppers: 2, won: 1 },
      { name: '50 ms away', shoppers: 0, won: 0 },
      { name: '200 ms away', shoppers: 1, won: 0 },
    ],
    byBot: [
      { shoppers: 2, won: 1 },
      { shoppers: 1, won: 0 },
    ],
    // The two accounts of one person count as one.
    byAccounts: [
      { shoppers: 1, won: 1 },
      { shoppers: 1, won: 0 },
    ],
    ...{ requests: 7 / 3, refusals: 5 / 3, wait: { p50Ms: 40, p99Ms: 80 } },
  })
})
