/** The draw: its published test vectors, whole draws, faults, and the chances of entrants. */
import { readFile } from 'node:fs/promises'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { openRandom, type Random, seedOf } from '../../../../proof/simulation/engine/random.ts'
import { saleIdOf } from '../../../../test/redis/support.ts'
import { inSample, playsWhole } from '../../../../test/whole-plays.ts'
import { quicknet, verifyRound as verifyBeaconRound } from '../../core/beacon.ts'
import { checkDraw, drawFaults, signedListFile } from '../../core/check-draw.ts'
import {
  allocate,
  listOf,
  type RecordList,
  rankEntries,
  recordOf,
  rootOf,
  seedOfDraw,
  variantOf,
} from '../../core/list.ts'
import { lineHash, lineVerifier, listLine, readLine, readRules, timeOfRound } from '../../core/rules.ts'
import {
  idOfEntrant,
  type PublishedDraw,
  randomDraw,
  sha256,
  signerOf,
  someRules,
  sourceOf,
  textBytes,
  verifyTestRound as verifyRound,
} from './published-draw.ts'
import { tamperings } from './tampering.ts'

const seed = Number(process.env.SEED ?? 20261126)

/** The soak plays a tenth of what the draw was proved with; `ALL_DRAWS=1` plays all, which takes some minutes. */
const tenth = (all: number): number => (process.env.ALL_DRAWS ? all : Math.ceil(all / 10))

describe('options/draw/docs/reference.md', () => {
  it('has the test vectors that the code computes', async () => {
    const page = await readFile('options/draw/docs/reference.md', 'utf8')
    const vectors = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
    const records: Uint8Array[] = vectors.records.map(hexToBytes)
    expect(bytesToHex(listOf(records.toReversed()).bytes)).toBe(vectors.records.join(''))
    const roots = [0, 1, 2, 3, 4, 5].map((count) => bytesToHex(rootOf(listOf(records.slice(0, count)))))
    expect(roots).toEqual(vectors.roots)
    const { rulesHash, root, randomness } = vectors.seed
    const drawSeed = seedOfDraw(hexToBytes(rulesHash), hexToBytes(root), hexToBytes(randomness))
    expect(bytesToHex(drawSeed)).toBe(vectors.seed.seed)
    expect(rankEntries(listOf(records), 2, drawSeed).map((queue) => [...queue])).toEqual(vectors.queues)
    const { round, signature } = vectors.quicknetRound
    expect(verifyBeaconRound(quicknet, round, signature)).toEqual(vectors.quicknetRound)
    const line = readLine(listLine, vectors.list)
    expect(line && (await lineVerifier(vectors.key)(line))).toBe(true)
    expect(lineHash(vectors.list)).toBe(vectors.listHash)
  })

  it('names every fault, in the order of the checks', async () => {
    const page = await readFile('options/draw/docs/reference.md', 'utf8')
    const table = page.slice(page.indexOf('### Faults'), page.indexOf('## Test vectors'))
    expect([...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)).toEqual([...drawFaults])
  })
})

it('the root of a list is the Merkle tree hash of RFC 6962 for lists of any length', () => {
  /** The algorithm in the words of the RFC. */
  const slow = (leaves: readonly Uint8Array[]): Uint8Array => {
    const [first = new Uint8Array()] = leaves
    if (leaves.length < 2) return leaves.length === 0 ? sha256('') : sha256(Buffer.concat([Uint8Array.of(0), first]))
    let k = 1
    while (2 * k < leaves.length) k *= 2
    return sha256(Buffer.concat([Uint8Array.of(1), slow(leaves.slice(0, k)), slow(leaves.slice(k))]))
  }
  const records = Array.from({ length: 70 }, (_, n) => recordOf({ id: idOfEntrant(n), change: 1, variant: 1 }))
  for (let count = 0; count <= records.length; count += 1) {
    const { bytes } = listOf(records.slice(0, count))
    const leaves = Array.from({ length: count }, (_, n) => bytes.subarray(34 * n, 34 * (n + 1)))
    expect(bytesToHex(rootOf({ bytes, count })), `${count}`).toBe(bytesToHex(slow(leaves)))
  }
})

const check = ({ files, kept }: PublishedDraw) => checkDraw(sourceOf(files), { verifyRound, known: kept })

describe('a draw that was published as the rules say', () => {
  it.each([0, 1, 2, 3, 257])('with %i entrants has no fault', async (entrants) => {
    const draw = randomDraw(openRandom(seedOf(seed, entrants)), entrants)
    expect(await check(draw)).toMatchObject({ faults: [], state: 'drawn' })
  })

  it(`has no fault with variants, entrants who left, and units that came back, seed ${seed}`, async () => {
    for (let draw = 0; draw < inSample(30, tenth(2000)); draw += 1) {
      const random = openRandom(seedOf(seed, draw))
      const found = await check(randomDraw(random, random.spread(1, 150)))
      expect(found, `draw ${draw}`).toMatchObject({ faults: [], state: 'drawn' })
    }
  })

  it('is open before its list, closed before the beacon, and void at its round without a list', async () => {
    const { files, plan } = randomDraw(openRandom(seed), 9)
    const dueAt = timeOfRound(plan.rules.beacon, plan.rules.round)
    const without = (paths: readonly string[], now: number) =>
      checkDraw(sourceOf(new Map([...files].filter(([path]) => !paths.includes(path)))), { verifyRound, now })
    expect(await without(['beacon.json'], dueAt)).toMatchObject({ faults: [], state: 'closed' })
    const both = ['beacon.json', signedListFile]
    expect(await without(both, dueAt - 1)).toEqual({ faults: [], receipts: [], state: 'open', rules: plan.rules })
    expect(await without(both, dueAt)).toMatchObject({ faults: [], state: 'void' })
    expect(await without([signedListFile], dueAt)).toMatchObject({ faults: [{ fault: 'list-missing' }] })
  })

  it('ranks nobody if only entrants who left are on its list', () => {
    const left = (n: number) => recordOf({ id: idOfEntrant(n), change: 2, variant: 0 })
    const { bytes, count } = listOf([left(1), left(2)])
    expect(rankEntries({ bytes, count }, 1, sha256('seed')).map(({ length }) => length)).toEqual([0])
  })
})

describe('a draw that was tampered with', () => {
  const names = Object.keys(tamperings)
  const each = inSample(8, Math.ceil(tenth(100_000) / names.length))
  /** Small draws with several steps and offers. */
  const originals: PublishedDraw[] = []
  for (let n = 0; originals.length < 3; n += 1) {
    const draw = randomDraw(openRandom(seedOf(seed, 1000 + n)), 10)
    if (draw.plan.steps.length > 1 && (draw.plan.steps.at(-1)?.length ?? 0) > 0) originals.push(draw)
  }

  it.each(names)(`is found and named: %s, ${each} times, seed ${seed}`, async (name) => {
    for (let n = 0; n < each; n += 1) {
      const random = openRandom(seedOf(seed, n))
      const tampered = tamperings[name]?.(random.pick(originals), random)
      if (tampered === undefined) throw new Error(`no way to tamper is called ${name}`)
      const { files, known, faults } = tampered
      const found = await checkDraw(sourceOf(files), { verifyRound, ...(known && { known }) })
      const names = found.faults.map(({ fault }) => fault)
      expect(
        names.some((fault) => faults.includes(fault)),
        `${n}: ${names} instead of ${faults}`,
      ).toBe(true)
    }
  })

  it('names a receipt without a form of one, one of another draw, and one of another key', async () => {
    const { files, kept } = originals[0] ?? randomDraw(openRandom(seed), 3)
    const other = randomDraw(openRandom(seed), 1, { sale: saleIdOf('other') })
    const strange = randomDraw(openRandom(seed), 1)
    const faultsOf = async (...receipts: string[]) =>
      (await checkDraw(sourceOf(files), { verifyRound, known: { receipts } })).faults.map(({ fault }) => fault)
    expect(await faultsOf('no receipt', kept.lists[0] ?? '')).toEqual(['receipt-unreadable'])
    expect(await faultsOf(other.kept.receipts[0] ?? '')).toEqual(['receipt-other-draw'])
    const [receipt = ''] = strange.kept.receipts
    const forged = `${receipt.slice(0, -6)}AAAAAA`
    expect(await faultsOf(forged)).toEqual(['receipt-signature'])
  })
})

describe('the rules of a draw', () => {
  const rules = someRules(signerOf('test-1'))

  it.each<[string, unknown]>([
    ['version', 2],
    ['sale', 'A'],
    ['closesAt', rules.opensAt],
    ['commitSeconds', 29],
    ['variants', []],
    ['key', {}],
    ['secret', 1],
    ['round', Number.MAX_SAFE_INTEGER],
    ['closesAt', 9e15],
    ['variants', Array(2).fill({ id: 'a', units: 1 })],
  ])('name the field that is wrong: %s', (field, value) => {
    const read = readRules(textBytes(JSON.stringify({ ...rules, [field]: value })))
    expect(read).toMatchObject({ ok: false, field: expect.stringMatching(new RegExp(`^${field}`)) })
  })

  it.each([
    ['"version":1', '"version":2,$&'],
    ['"commit', '"\\u0063ommit'],
    ['120', '120.0'],
    ['{', '\ufeff{'],
  ])('are refused where two readers could read them differently: %j as %j', (part, other) => {
    const text = JSON.stringify(rules).replace(part, other)
    expect(readRules(textBytes(text))).toMatchObject({ ok: false, field: 'body' })
  })

  it('are read as they were published', () => {
    expect(readRules(textBytes(JSON.stringify(rules)))).toEqual({ ok: true, value: rules })
    expect(readRules(textBytes(`${JSON.stringify(rules)}${' '.repeat(65_536)}`))).toMatchObject({ ok: false })
  })
})

/** The allocation as options/draw/docs/reference.md describes it, word by word: the waiting entries by rank, and what is free. */
function slowAllocation(list: RecordList, ranked: readonly number[], units: readonly number[]) {
  const free = [0, ...units]
  const waiting = [...ranked]
  const offerAll = () => {
    const made = waiting.filter((entry) => {
      const variant = variantOf(list, entry)
      const fits = (free[variant] ?? 0) > 0
      if (fits) free[variant] = (free[variant] ?? 0) - 1
      return fits
    })
    for (const entry of made) waiting.splice(waiting.indexOf(entry), 1)
    return made
  }
  return {
    first: offerAll(),
    release(entry: number) {
      free[variantOf(list, entry)] = (free[variantOf(list, entry)] ?? 0) + 1
      return offerAll()
    },
  }
}

describe('units that are offered', () => {
  const instances = inSample(2000, tenth(1_000_000))
  const shuffled = (random: Random, count: number) =>
    Array.from({ length: count }, (_, n) => ({ n, at: random.fraction() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ n }) => n)

  it(`go to the first rank that wants them, in ${instances} small draws, and to no other, seed ${seed}`, () => {
    const random = openRandom(seed)
    let offered = 0
    for (let instance = 0; instance < instances; instance += 1) {
      const variants = random.whole(1, 3)
      const count = random.whole(1, 9)
      const records = Array.from({ length: count }, (_, n) =>
        recordOf({ id: new Uint8Array(32).fill(n), change: 1, variant: random.whole(1, variants) }),
      )
      const list = listOf(records)
      const ranked = shuffled(random, count)
      const queues = Array.from({ length: variants }, (_, n) =>
        Uint32Array.from(ranked.filter((entry) => variantOf(list, entry) === n + 1)),
      )
      const units = Array.from({ length: variants }, () => random.whole(0, 3))
      const [fast, slow] = [allocate(list, queues, units), slowAllocation(list, ranked, units)]
      expect([...fast.holds.keys()].toSorted()).toEqual(slow.first.toSorted())
      for (let event = random.whole(0, 6); event > 0; event -= 1) {
        const holding = [...fast.holds].flatMap(([entry, holds]) => (holds ? [entry] : []))
        if (holding.length === 0) break
        const entry = random.pick(holding)
        expect(fast.release(entry), `instance ${instance}`).toEqual(slow.release(entry))
        expect(fast.release(entry)).toBeUndefined()
      }
      offered += fast.holds.size
      expect(fast.offered().reduce((sum, some) => sum + some, 0)).toBe(fast.holds.size)
    }
    expect(offered).toBeGreaterThan(instances)
  })
})

/** The standard score of a chi-squared sum (Wilson and Hilferty 1931): above 2.326 its chance is below 1 %. */
function chiSquareScore(sum: number, freedom: number): number {
  const part = 2 / (9 * freedom)
  return (Math.cbrt(sum / freedom) - (1 - part)) / Math.sqrt(part)
}

describe('the chances of a draw', () => {
  const draws = inSample(1000, tenth(100_000))

  it(`are the same for every entrant and rank in ${draws} draws (chi-squared, p > 0.01)`, () => {
    const size = 10
    const counts = new Float64Array(size * size)
    const list = listOf(Array.from({ length: size }, (_, n) => recordOf({ id: idOfEntrant(n), change: 1, variant: 1 })))
    for (let draw = 0; draw < draws; draw += 1) {
      const [queue = new Uint32Array()] = rankEntries(list, 1, sha256(`${seed} ${draw}`))
      queue.forEach((entry, rank) => {
        counts[entry * size + rank] = (counts[entry * size + rank] ?? 0) + 1
      })
    }
    const expected = draws / size
    // Every row and every column has the same sum, so the sum of squares is larger by size / (size - 1).
    const sum = counts.reduce((all, count) => all + (count - expected) ** 2 / expected, 0) * ((size - 1) / size)
    const freedom = (size - 1) ** 2
    if (playsWhole()) console.log(`${draws} draws: chi-squared ${sum.toFixed(1)}, ${freedom} degrees of freedom`)
    expect(chiSquareScore(sum, freedom)).toBeLessThan(2.326)
  })
})
