/** Clicks that CloudFront's function refuses by its store. */
import { describe, expect, it } from 'vitest'
import { entryKey, entryText, passKeysKey, soldOutForMs } from '../../core/edge-entry.ts'
import { dayOf, passKeysText } from '../../core/pass.ts'
import { entryOf } from '../../functions/sales/publishing/edge-entries.ts'
import type { EdgeLocation } from '../../local/cdn/key-value-store.ts'
import { compareClicks } from './lost-clicks.ts'
import { openPreGate } from './pre-gate-visits.ts'
import { buyEvent, openGate, openSaleFacts, refusalOf, saleId, startOfTests } from './support.ts'

const seed = Number(process.env.SEED ?? 20261122)

describe('a click that the function before the gate refuses (L6)', () => {
  it(`is refused by the gate with the same answer, in 4,000 random clicks of seed ${seed}`, async () => {
    const codes = await compareClicks(seed, 4000)
    const seen = [...codes].filter(([, times]) => times > 0).map(([code]) => code)
    expect(seen.sort()).toEqual([
      ...[
        'ended',
        'method-not-allowed',
        'not-started',
        'not-your-turn',
        'passed',
        'paused',
        'sign-in-required',
      ],
      ...['sold-out', 'unsupported-media-type'],
    ])
  })
})

/** A store that edge locations read, some seconds late. */
type Values = Record<string, string | undefined>

const now = startOfTests
const click = {
  method: 'POST',
  uri: `/api/sales/${saleId}/orders`,
  headers: { authorization: 'Bearer a.b.c' },
}

async function answerTo(values: Values | 'unreachable', seen?: string, at = now): Promise<unknown> {
  const store: EdgeLocation = {
    get(key) {
      if (values === 'unreachable') throw new Error('the store does not answer')
      return values[key]
    },
    meta: () => ({ itemCount: 0, createdAt: 0, changedAt: 0 }),
  }
  const { refusal } = await openPreGate(store, () => at)
  const headers = { ...click.headers, ...(seen === undefined ? {} : { 'x-sluice-seen': seen }) }
  return (await refusal({ ...click, headers }))?.code
}

const withoutPass = { ...openSaleFacts, rules: { ...openSaleFacts.rules, requirePass: 'off' as const } }
const entry = (changes: Partial<typeof openSaleFacts> = {}, soldOutAt: number | null = null) => ({
  [entryKey(saleId)]: entryText(entryOf({ ...withoutPass, ...changes }, soldOutAt)),
})
const version = openSaleFacts.version

describe('the reads of the store that a click is billed for', () => {
  const readsOf = async (values: Record<string, string | undefined>) => {
    const keys: string[] = []
    const store: EdgeLocation = {
      get(key) {
        keys.push(key)
        return values[key]
      },
      meta: () => ({ itemCount: 0, createdAt: 0, changedAt: 0 }),
    }
    const { refusal } = await openPreGate(store, () => now)
    await refusal({ ...click, headers: { ...click.headers } })
    return keys
  }

  it('are the entry of the sale, and while units are left the keys of passes as well', async () => {
    const open = { ...openSaleFacts, rules: { ...openSaleFacts.rules, requirePass: 'on' as const } }
    const text = (soldOutAt: number | null) => ({ [entryKey(saleId)]: entryText(entryOf(open, soldOutAt)) })
    expect(await readsOf(text(now - 1000))).toEqual([entryKey(saleId)])
    expect(await readsOf(text(null))).toEqual([entryKey(saleId), passKeysKey])
    expect(await readsOf({})).toEqual([entryKey(saleId)])
  })
})

describe('an entry of the store that is late', () => {
  it('lets a page through that has seen a newer version of the sale: opened, resumed or moved meanwhile', async () => {
    for (const old of [
      entry({ flag: 'off' }),
      entry({ flag: 'paused' }),
      entry({ startsAt: now + 60_000 }),
    ]) {
      expect(await answerTo(old)).toMatch(/not-started|paused/)
      expect(await answerTo(old, `${version}.0`)).toMatch(/not-started|paused/)
      expect(await answerTo(old, `${version + 1}.0`)).toBeUndefined()
    }
  })

  it('lets a page through that has seen units after the stock was found sold out (G7)', async () => {
    const soldOut = entry({}, now - 5_000)
    expect(await answerTo(soldOut)).toBe('sold-out')
    expect(await answerTo(soldOut, `${version}.${now - 5_000}`)).toBe('sold-out')
    expect(await answerTo(soldOut, `${version}.${now - 4_999}`)).toBeUndefined()
  })

  it('says sold out for ten minutes at most, if it cannot be written any more', async () => {
    const soldOut = entry({}, now - soldOutForMs)
    expect(await answerTo(soldOut, undefined, now - 1)).toBe('sold-out')
    expect(await answerTo(soldOut)).toBeUndefined()
  })

  it('that is missing, frozen or unreadable lets everything through: the gate decides (I6)', async () => {
    const missing = [{}, entry({ frozen: true }), 'unreachable'] as const
    for (const values of missing) expect(await answerTo(values)).toBeUndefined()
  })

  it('opens no sale that was closed or paused meanwhile: the gate refuses what it lets through', async () => {
    expect(await answerTo(entry({ flag: 'on' }))).toBeUndefined()
    for (const flag of ['closed', 'paused', 'off'] as const) {
      const { handler } = openGate({ flag })
      const answer = await handler(await buyEvent(now))
      expect(refusalOf(answer).code).toMatch(/ended|paused|not-started/)
    }
  })
})

describe('pass keys in the store', () => {
  const needsPass = {
    [entryKey(saleId)]: entryText(
      entryOf({ ...openSaleFacts, rules: { ...openSaleFacts.rules, requirePass: 'on' } }, null),
    ),
  }
  const today = dayOf(now / 1000)

  it('that are missing let clicks through, and so do those of other days', async () => {
    expect(await answerTo(needsPass)).toBeUndefined()
    const keys = passKeysText(new Map([[today, 'the key']]))
    expect(await answerTo({ ...needsPass, [passKeysKey]: keys })).toBe('sign-in-required')
  })
})
