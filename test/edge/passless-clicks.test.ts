/**
 * Clicks without a pass, and clicks that claim to have seen facts newer than those of CloudFront's store:
 * a robot without a session must not reach the gate by what it writes into a header or a path.
 */
import { describe, expect, it } from 'vitest'
import { entryKey, entryText, passKeysKey, soldOutForMs } from '../../core/gate/edge-entry.ts'
import { dayOf, type PassKeys, passKeysText, passLifeSeconds } from '../../core/gate/pass.ts'
import { maxMsAhead, maxVersionsAhead } from '../../core/gate/seen-version.ts'
import type { GateFacts } from '../../edge/memory/gate-store.ts'
import { entryOf } from '../../functions/sales/publishing/edge-entries.ts'
import { openPreGate } from './pre-gate-visits.ts'
import { openSaleFacts, passOf, saleId, startOfTests } from './support.ts'

const now = startOfTests
const keys: PassKeys = new Map([[dayOf(now / 1000 + passLifeSeconds), 'the-key-of-this-day']])
const goodPass = passOf(keys, now)
const on = { ...openSaleFacts.rules, requirePass: 'on' as const }
const { version } = openSaleFacts

type World = { facts?: Partial<GateFacts>; soldOutAt?: number | null; entry?: string; keys?: 'missing' }
type Click = { seen?: string; pass?: string; uri?: string }

/** The code that the function answers, `pass` when it asks for one, `forwarded` when the click goes on. */
async function answerTo(world: World, { seen, pass, uri = `/api/sales/${saleId}/orders` }: Click) {
  const values = new Map<string, string>()
  const facts = { ...openSaleFacts, rules: on, ...world.facts }
  const { entry = entryText(entryOf(facts, world.soldOutAt ?? null)) } = world
  if (entry !== 'missing') values.set(entryKey(saleId), entry)
  if (world.keys !== 'missing') values.set(passKeysKey, passKeysText(keys))
  const { refusal } = await openPreGate({ get: (key) => values.get(key) }, () => now)
  const headers = {
    authorization: 'Bearer a.b.c',
    ...(seen && { 'x-sluice-seen': seen }),
    ...(pass && { 'x-sluice-pass': pass }),
  }
  const said = await refusal({ method: 'POST', uri, headers })
  if (said === undefined) return 'forwarded'
  return said.body.field === 'pass' ? 'pass' : said.code
}

/** Versions that a click can claim to have seen. */
const claims = [
  ...['999999999.0', '999999999.999999999999999', `${version + 1}.0`, `${version}.${now}`],
  ...['0.999999999999999', `${version + maxVersionsAhead}.${now + maxMsAhead}`],
]

describe('a click without a good pass (L6)', () => {
  const lostSales: [string, World][] = [
    ['a paused sale', { facts: { flag: 'paused' } }],
    ['a sale before its start', { facts: { flag: 'off' } }],
    ['a sale that is over', { facts: { flag: 'closed' } }],
    ['a sale that is sold out', { soldOutAt: now - 1000 }],
    ['an open sale', {}],
    ['a sale that was sold out long ago', { soldOutAt: now - soldOutForMs }],
    ['a frozen sale', { facts: { frozen: true } }],
    ['a sale of another kind', { facts: { rules: { ...on, kind: 'red-packet' } } }],
    ['an id that no sale has', { entry: 'missing' }],
  ]

  it.each(lostSales)('is not taken to the gate by any claim of what it has seen: %s', async (_, world) => {
    const forged = `${goodPass.slice(0, -4)}AAAA`
    for (const seen of [...claims, undefined]) {
      for (const pass of [forged, undefined]) {
        expect([seen, pass, await answerTo(world, { seen, pass })]).not.toContain('forwarded')
      }
    }
  })

  it.each(lostSales.slice(4))('reads the same as without its claim: %s', async (_, world) => {
    for (const seen of claims) expect(await answerTo(world, { seen })).toBe('pass')
    expect(await answerTo(world, {})).toBe('pass')
  })

  it('is asked for a pass at made-up ids and on the path of another kind', async () => {
    expect(await answerTo({}, { uri: '/api/sales/no-such-sale/orders' })).toBe('pass')
    expect(await answerTo({}, { uri: `/api/sales/${saleId}/packets` })).toBe('pass')
  })

  it('goes on where a sale needs none, and while the store has no keys to verify one', async () => {
    expect(await answerTo({ facts: { rules: openSaleFacts.rules } }, {})).toBe('forwarded')
    expect(await answerTo({ keys: 'missing' }, {})).toBe('forwarded')
    expect(await answerTo({ entry: 'missing', keys: 'missing' }, {})).toBe('forwarded')
  })

  it.each(['', '{', '7', 'null'])('goes on to the gate with an entry that is unreadable: "%s"', async (entry) => {
    expect(await answerTo({ entry }, {})).toBe('forwarded')
  })
})

describe('a click with a good pass', () => {
  it.each<[string, World, Click]>([
    ['a newer version', { facts: { flag: 'paused' } }, { seen: `${version + 1}.0` }],
    ['units after they were sold out', { soldOutAt: now - 1000 }, { seen: `${version}.${now}` }],
    ['nothing of a frozen sale', { facts: { frozen: true } }, {}],
    ['nothing of a sale that the store does not have', { entry: 'missing' }, {}],
  ])('goes on to the gate when its page has seen %s (G7)', async (_, world, click) => {
    expect(await answerTo(world, { ...click, pass: goodPass })).toBe('forwarded')
    expect(await answerTo(world, click)).not.toBe('forwarded')
  })

  it.each([
    ['a version that no page can have seen', `${version + maxVersionsAhead + 1}.0`, 'paused'],
    ['the highest version', '999999999.0', 'paused'],
    ['the highest version that counts', `${version + maxVersionsAhead}.0`, 'forwarded'],
    ['a pointer of the future', `${version + 1}.${now + maxMsAhead + 1}`, 'paused'],
    ['no numbers', 'x', 'paused'],
  ])('is judged by the entry of the sale when it claims %s', async (_, seen, answer) => {
    expect(await answerTo({ facts: { flag: 'paused' } }, { seen, pass: goodPass })).toBe(answer)
  })

  it('is not sold to by a pointer that comes from the future', async () => {
    const world = { soldOutAt: now - 1000 }
    const click = (ahead: number) => answerTo(world, { seen: `${version}.${now + ahead}`, pass: goodPass })
    expect(await click(maxMsAhead)).toBe('forwarded')
    expect(await click(maxMsAhead + 1)).toBe('sold-out')
  })
})
