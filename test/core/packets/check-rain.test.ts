import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verifyRound } from '../../../core/draw/beacon.ts'
import { bytesOfHex, hexOf } from '../../../core/draw/bytes.ts'
import { sha256 } from '../../../core/draw/sha256.ts'
import { checkRain, type RainKnown, rainFaults } from '../../../core/packets/check-rain.ts'
import { awaitedUntil, lastRulesAt, splitTimeOf } from '../../../core/packets/rain-rules.ts'
import { drawFromKey, keyOfSplit, splitWaves } from '../../../core/packets/rain-split.ts'
import { saleIdOf } from '../../redis/support.ts'
import { publishedRain, rainRules, rainSeed, rainSource } from './published-rain.ts'

const hour = 3_600_000

async function faultsOf(files: ReadonlyMap<string, Uint8Array>, known: RainKnown = {}): Promise<string[]> {
  const { faults } = await checkRain(rainSource(files), { verifyRound, known })
  return faults.map(({ fault }) => fault)
}

const specification = () => readFile(join(import.meta.dirname, '../../../docs/reference/packets.md'), 'utf8')

/** The vector of the specification, computed by another program in another language. */
async function documented() {
  const page = await specification()
  return JSON.parse(/```json\n(\{\n {2}"seed"[\s\S]*?)```/.exec(page)?.[1] ?? 'null')
}

describe('the amounts of an announced split', () => {
  it('are those of the test vector, with its round and without', async () => {
    const { seed, seedHash, randomness, waves, mixed, alone } = await documented()
    expect(hexOf(sha256(bytesOfHex(seed)))).toBe(seedHash)
    for (const [round, { key, amounts }] of [
      [bytesOfHex(randomness), mixed],
      [undefined, alone],
    ] as const) {
      const computed = keyOfSplit(bytesOfHex(seed), round)
      expect(hexOf(computed)).toBe(key)
      expect([...splitWaves(waves, (wave) => drawFromKey(computed, wave))]).toEqual(amounts)
    }
  })

  it('spread evenly over their range, alike at each place', () => {
    const counts = Array.from({ length: 10 }, () => 0)
    const draw = drawFromKey(sha256(), 3)
    for (let n = 0; n < 40_000; n += 1) {
      const digit = draw(10)
      counts[digit] = (counts[digit] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 4000)).toBeLessThan(300)
  })

  it('have the total of each wave, and differ with every byte of the seed and of the round', () => {
    const waves = [{ count: 50, totalAmount: 5000 }]
    const amountsBy = (seed: Uint8Array, randomness: Uint8Array) => {
      const key = keyOfSplit(seed, randomness)
      return [...splitWaves(waves, (wave) => drawFromKey(key, wave))]
    }
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(bytes, bytes, fc.nat(63), (seed, randomness, at) => {
        const amounts = amountsBy(seed, randomness)
        expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(5000)
        const changed = [seed.slice(), randomness.slice()] as const
        const part = changed[at < 32 ? 0 : 1]
        part[at % 32] = (part[at % 32] ?? 0) ^ 1
        expect(amountsBy(...changed)).not.toEqual(amounts)
      }),
    )
  })
})

describe('the times of an announced split', () => {
  const starts = 100 * hour
  const sale = { epoch: 0, windowIndex: 0, startsAt: starts }

  it('leave two hours for its hash to be kept, and end ten minutes before the start', () => {
    expect(splitTimeOf(sale, starts - 2 * hour)).toBe(starts - 600_000)
    expect(splitTimeOf(sale, starts - 2 * hour + 1)).toBeUndefined()
    expect(splitTimeOf({ ...sale, epoch: 1 }, 0)).toBeUndefined()
    expect(splitTimeOf({ ...sale, windowIndex: 1 }, 0)).toBeUndefined()
  })

  it('let a sale open without its round five minutes before the start, also where that was moved', () => {
    expect(awaitedUntil(starts - 600_000, starts)).toBe(starts - 300_000)
    expect(awaitedUntil(starts - 600_000, starts - hour)).toBe(starts - hour - 300_000)
    expect(awaitedUntil(starts - 600_000, starts + hour)).toBe(starts - 300_000)
    expect(rainRules.splitAt - lastRulesAt(rainRules)).toBeGreaterThanOrEqual(30_000)
  })
})

describe('the check of a rain', () => {
  it('has the faults of the specification, in its order', async () => {
    const page = await specification()
    const rows = page.slice(page.indexOf('## Checking')).match(/^\| `.*?` \|/gm) ?? []
    expect(rows.flatMap((row) => row.match(/[a-z]+-[a-z-]+/g) ?? [])).toEqual([...rainFaults])
  })

  it('finds what a shop has published without a fault, and the packets of shoppers in it', async () => {
    const files = await publishedRain()
    const found = await checkRain(rainSource(files), { verifyRound })
    expect(found).toMatchObject({ faults: [], state: 'revealed', isMixed: true, isBeaconVerified: true })
    const amounts = found.amounts ?? new Float64Array()
    expect(amounts).toHaveLength(13)
    for (const [packet, amount] of amounts.entries()) {
      expect(await faultsOf(files, { given: { packet, amount, currency: 'CNY' } })).toEqual([])
      expect(await faultsOf(files, { given: { packet, amount: amount + 1, currency: 'CNY' } })).toEqual([
        'amount-wrong',
      ])
    }
    const [amount = 0] = amounts
    expect(await faultsOf(files, { given: { packet: 0, amount, currency: 'EUR' } })).toEqual(['amount-wrong'])
    expect(await faultsOf(files, { given: { packet: 13, amount, currency: 'CNY' } })).toEqual(['packet-unknown'])
  })

  it('says before the reveal that nothing can be computed, and of a split without its round that it is one', async () => {
    const files = await publishedRain({}, { round: null })
    files.delete('beacon.json')
    expect(await checkRain(rainSource(files), { verifyRound })).toMatchObject({ faults: [], isMixed: false })
    files.delete('reveal.json')
    const found = await checkRain(rainSource(files), { verifyRound })
    expect(found).toMatchObject({ faults: [], state: 'announced' })
    expect(found.amounts).toBeUndefined()
  })

  it('says that it has not verified the round where it has no verifier', async () => {
    const found = await checkRain(rainSource(await publishedRain()), {})
    expect(found.faults).toEqual([])
    expect(found.isBeaconVerified).toBeUndefined()
  })

  it.each([
    ['rain-unreadable', { version: 2 as 1 }, {}],
    ['rain-unreadable', { waves: [] }, {}],
    ['rain-unreadable', { waves: [{ count: 5, totalAmount: 4 }] }, {}],
    ['rain-unreadable', { waves: Array.from({ length: 2 }, () => ({ count: 600_000, totalAmount: 600_000 })) }, {}],
    ['rain-round', { splitAt: rainRules.splitAt + 3000 }, {}],
    ['reveal-unreadable', {}, { seed: 'ab' }],
    ['seed-wrong', {}, { seed: hexOf(sha256(rainSeed)) }],
    ['beacon-round', {}, { round: rainRules.round + 1 }],
    ['beacon-signature', { beacon: { ...rainRules.beacon, isLocal: false } }, {}],
  ] as const)('names %s', async (fault, rules, reveal) => {
    expect(await faultsOf(await publishedRain(rules as Partial<typeof rainRules>, reveal))).toContain(fault)
  })

  it('names a file that is missing, another sale, and rules that were replaced', async () => {
    const files = await publishedRain()
    const hash = hexOf(sha256(files.get('rain.json') ?? new Uint8Array()))
    expect(await faultsOf(files, { rules: hash, sale: rainRules.sale })).toEqual([])
    expect(await faultsOf(files, { sale: saleIdOf('other') })).toEqual(['rain-other-sale'])
    const replaced = await publishedRain({ currency: 'EUR' })
    expect(await faultsOf(replaced, { rules: hash })).toEqual(['rain-changed'])
    files.delete('beacon.json')
    expect(await faultsOf(files)).toEqual(['beacon-missing'])
    expect(await faultsOf(new Map(), { rules: hash })).toEqual(['rain-unreadable'])
  })

  it('finds every changed byte of what is published, by a fault or by other amounts', async () => {
    const files = await publishedRain()
    const hash = hexOf(sha256(files.get('rain.json') ?? new Uint8Array()))
    const path = fc.constantFrom('rain.json', 'beacon.json', 'reveal.json')
    await fc.assert(
      fc.asyncProperty(path, fc.nat(), fc.integer({ min: 1, max: 255 }), async (name, place, by) => {
        const bytes = files.get(name)?.slice() ?? new Uint8Array()
        // The line feed at the end says nothing.
        const at = place % (bytes.length - 1)
        bytes[at] = (bytes[at] ?? 0) ^ by
        const faults = await faultsOf(new Map([...files, [name, bytes]]), { rules: hash })
        expect(faults).not.toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
