/** Clicks that CloudFront's function refuses by its store. */
import { describe, expect, it } from 'vitest'
import { entryKey, entryText, passKeysKey } from '../../core/gate/edge-entry.ts'
import { entryOf } from '../../functions/sales/publishing/edge-entries.ts'
import type { EdgeLocation } from '../../local/cdn/key-value-store.ts'
import { compareClicks } from './lost-clicks.ts'
import { openPreGate } from './pre-gate-visits.ts'
import { openSaleFacts, saleId, startOfTests } from './support.ts'

const seed = Number(process.env.SEED ?? 20261122)

describe('a click that the function before the gate refuses (L6)', () => {
  it(`is refused by the gate with the same answer, in 2,000 random clicks of seed ${seed}`, async () => {
    const codes = await compareClicks(seed, 2000)
    const seen = [...codes].filter(([, times]) => times > 0).map(([code]) => code)
    expect(seen.sort()).toEqual([
      ...['ended', 'method-not-allowed', 'not-started', 'not-your-turn', 'passed', 'paused', 'sign-in-required'],
      ...['sold-out', 'unsupported-media-type'],
    ])
  })
})

const now = startOfTests

describe('the reads of the store that a click is billed for', () => {
  const readsOf = async (values: Record<string, string | undefined>) => {
    const keys: string[] = []
    const store: EdgeLocation = {
      get(key) {
        keys.push(key)
        return values[key]
      },
    }
    const { refusal } = await openPreGate(store, () => now)
    await refusal({
      method: 'POST',
      uri: `/api/sales/${saleId}/orders`,
      headers: { authorization: 'Bearer a.b.c' },
    })
    return keys
  }

  it('are the entry of the sale, and the keys of passes as well where the entry does not refuse', async () => {
    const open = { ...openSaleFacts, rules: { ...openSaleFacts.rules, requirePass: 'on' as const } }
    const text = (soldOutAt: number | null) => ({ [entryKey(saleId)]: entryText(entryOf(open, soldOutAt)) })
    expect(await readsOf(text(now - 1000))).toEqual([entryKey(saleId)])
    expect(await readsOf(text(null))).toEqual([entryKey(saleId), passKeysKey])
    expect(await readsOf({})).toEqual([entryKey(saleId), passKeysKey])
  })
})
