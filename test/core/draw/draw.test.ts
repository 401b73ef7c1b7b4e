/** The draw: its published test vectors, whole draws, faults, and the chances of entrants. */
import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Allocation, allocate, type DrawOffer, offersHash } from '../../../core/draw/allocation.ts'
import { quicknet, verifyRound as verifyBeaconRound } from '../../../core/draw/beacon.ts'
import { bytesOfHex, hexOf } from '../../../core/draw/bytes.ts'
import { timeOfRound } from '../../../core/draw/chain.ts'
import { checkDraw, drawFaults } from '../../../core/draw/check-draw.ts'
import { membersOf, partiesOf, type Ranking, rankParties, scorer, seedOfDraw } from '../../../core/draw/ranking.ts'
import {
  choicesOf,
  entryRecord,
  idOf,
  leftRecord,
  recordAt,
  recordBytes,
  sortRecords,
} from '../../../core/draw/record.ts'
import { readRules } from '../../../core/draw/rules.ts'
import { hmacSha256, sha256 } from '../../../core/draw/sha256.ts'
import { headLine, lineHash, lineVerifier, readLine } from '../../../core/draw/signed-line.ts'
import { type DrawTile, leafHash, leafHashes, rootOfHashes, rootOfRecords, tilesFrom } from '../../../core/draw/tree.ts'
import {
  fileOfLines,
  publishDraw,
  signerOf,
  someRules,
  sourceOf,
  verifyTestRound,
} from '../../../proof/draw/publish-draw.ts'
import { idOfEntrant, randomDraw, type Shape } from '../../../proof/draw/random-draw.ts'
import { openRandom, type Random, seedOf } from '../../../proof/simulation/engine/random.ts'
import { inSample, playsWhole } from '../../whole-plays.ts'
import { keptOf, type Original, tamperings } from './tampering.ts'

const seed = Number(process.env.SEED ?? 20261126)

/** The soak plays a tenth of what the draw was proved with; `ALL_DRAWS=1` plays all, which takes some minutes. */
const tenth = (all: number): number => (process.env.ALL_DRAWS ? all : Math.ceil(all / 10))
const text = (value: string) => new TextEncoder().encode(value)
const verifyRound = verifyTestRound

describe('SHA-256 and HMAC of the draw', () => {
  it('are those of Node for messages that end anywhere in a block', () => {
    for (let length = 0; length <= 200; length += 1) {
      const message = new Uint8Array(length).map((_, i) => i * 7 + length)
      expect(hexOf(sha256(message)), `${length}`).toBe(createHash('sha256').update(message).digest('hex'))
      if (length > 55) continue
      const code = new Uint8Array(32)
      hmacSha256(text('key'), length)(message, [code, 0])
      expect(hexOf(code), `${length}`).toBe(createHmac('sha256', 'key').update(message).digest('hex'))
    }
  })
})

describe('docs/reference/draw.md', () => {
  it('has the test vectors that the code computes', async () => {
    const page = await readFile('docs/reference/draw.md', 'utf8')
    const vectors = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
    const records: Uint8Array[] = vectors.records.map(bytesOfHex)
    expect(records.map((record) => hexOf(leafHash(record)))).toEqual(vectors.leafHashes)
    const roots = [0, 1, 2, 3, 4, 5].map((count) => hexOf(rootOfRecords(Buffer.concat(records.slice(0, count)))))
    expect(roots).toEqual(vectors.roots)
    const { rulesHash, root, randomness } = vectors.seed
    const seedOfVectors = seedOfDraw(bytesOfHex(rulesHash), bytesOfHex(root), bytesOfHex(randomness))
    expect(hexOf(seedOfVectors)).toBe(vectors.seed.seed)
    for (const { name, tries, score } of vectors.scores) {
      const to = new Uint8Array(32)
      scorer(seedOfVectors)(bytesOfHex(name), tries, [to, 0])
      expect(hexOf(to)).toBe(score)
    }
    expect(offersHash(vectors.offers)).toBe(vectors.offersHash)
    const { round, signature } = vectors.quicknetRound
    expect(verifyBeaconRound(quicknet, round, signature)).toEqual(vectors.quicknetRound)
    const head = readLine(headLine, vectors.head, [vectors.key])
    expect(head && (await lineVerifier([vectors.key])(head))).toBe(true)
    expect(lineHash(vectors.head)).toBe(vectors.headHash)
  })

  it('names every fault, in the order in which the code looks for them', async () => {
    const page = await readFile('docs/reference/draw.md', 'utf8')
    const table = page.slice(page.indexOf('### Faults'), page.indexOf('## Test vectors'))
    expect([...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)).toEqual([...drawFaults])
  })
})

describe('the tree', () => {
  it('has the same tiles for records in pieces of any size', async () => {
    const count = 10_000
    const records = new Uint8Array(count * recordBytes).map((_, i) => i * 31 + (i >>> 8))
    async function* pieces(from: number, size: number) {
      for (let at = from * recordBytes; at < records.length; at += size) yield records.subarray(at, at + size)
    }
    async function allTiles(...args: Parameters<typeof tilesFrom>): Promise<DrawTile[]> {
      const tiles: DrawTile[] = []
      for await (const tile of tilesFrom(...args)) tiles.push(tile)
      return tiles
    }
    const whole = await allTiles(0, new Uint8Array(), [records])
    expect(whole.map(({ records }) => records.length / recordBytes)).toEqual([4096, 4096, 1808])
    expect(rootOfHashes(Buffer.concat(whole.map(({ root }) => root)))).toEqual(rootOfHashes(leafHashes(records)))
    expect(await allTiles(0, new Uint8Array(), pieces(0, 999))).toEqual(whole)
    const partial = records.subarray(4096 * recordBytes, 5000 * recordBytes)
    expect(await allTiles(5000, partial, pieces(5000, 64))).toEqual(whole.slice(1))
  })
})

async function check(random: Random, shape: Shape) {
  const draw = await randomDraw(random, shape)
  const { scoreBytes } = shape
  const known = draw.records.list.count > 300 ? { heads: draw.heads } : keptOf(draw)
  const options = { verifyRound, known, ...(scoreBytes !== undefined && { scoreBytes }) }
  return checkDraw(sourceOf(draw.files, draw.earlier), options)
}

describe('a draw that was published as the rules say', () => {
  it.each([0, 1, 2, 3, 4095, 4096, 4097])('with %i entrants has no fault', async (entrants) => {
    expect(await check(openRandom(seedOf(seed, entrants)), { entrants })).toMatchObject({
      faults: [],
      state: 'drawn',
    })
  })

  it(`has no fault with groups, variants, extra tries and ties, seed ${seed}`, async () => {
    for (let draw = 0; draw < inSample(30, tenth(2000)); draw += 1) {
      const random = openRandom(seedOf(seed, draw))
      const found = await check(random, {
        entrants: random.spread(1, 150),
        ...(draw % 3 === 0 && { scoreBytes: 1 }),
      })
      expect(found, `draw ${draw}`).toMatchObject({ faults: [], state: 'drawn' })
    }
  })

  it('is open before the closing head, and closed before the beacon', async () => {
    const { files, heads } = await randomDraw(openRandom(seed), { entrants: 9, batches: 1 }, false)
    const closed = new Map(files)
    closed.delete('beacon.json')
    expect(await checkDraw(sourceOf(closed), { verifyRound })).toMatchObject({ faults: [], state: 'closed' })
    const { plan, ...open } = await randomDraw(openRandom(seed), { entrants: 0, batches: 2 }, false)
    open.files.set('heads.txt', text(`${open.heads[0]}\n`))
    open.files.delete('beacon.json')
    expect(await checkDraw(sourceOf(open.files), { verifyRound })).toEqual({
      ...{ faults: [], state: 'open', rules: plan.rules },
      ...{ heads: expect.anything(), records: expect.anything() },
    })
    expect(heads).toHaveLength(1)
    expect(plan.batches).toHaveLength(2)
  })

  it('is unfinished between the records of a batch and their head, and void at its round without a closing head', async () => {
    const draw = await randomDraw(openRandom(seed), { entrants: 4400, batches: 4, mostInGroup: 1 }, false)
    const dueAt = timeOfRound(draw.plan.rules.beacon, draw.plan.rules.round)
    draw.files.delete('beacon.json')
    const at = (heads: number, changes: Record<string, Uint8Array> = {}, now = dueAt - 1) => {
      const files = new Map([...draw.files, ...Object.entries(changes)])
      files.set('heads.txt', fileOfLines(draw.heads.slice(0, heads)))
      return checkDraw(sourceOf(files), { verifyRound, now })
    }
    for (const heads of [1, 2, 3]) {
      const unfinished = { faults: [], state: 'open', isUnfinished: true }
      expect(await at(heads), `${heads} heads`).toMatchObject(unfinished)
      expect(await at(heads, {}, dueAt)).toMatchObject({ ...unfinished, state: 'void' })
      expect((await at(heads)).records?.list.count).toBe((await at(heads)).heads?.at(-1)?.count)
    }
    expect(await at(4, {}, dueAt)).toMatchObject({ faults: [], state: 'closed' })
    const faultsOf = async (...given: Parameters<typeof at>) => (await at(...given)).faults.map(({ fault }) => fault)
    const [tile = new Uint8Array(), roots = new Uint8Array()] = ['tiles/0.bin', 'tiles/roots.bin'].map(
      (path) => draw.files.get(path) ?? new Uint8Array(),
    )
    // Part of a record, records that a head has committed to, and roots that are too few.
    expect(await faultsOf(1, { 'tiles/0.bin': tile.subarray(0, -1) })).toEqual(['tile-missing'])
    expect(await faultsOf(1, { 'tiles/0.bin': tile.map((byte, n) => (n === 0 ? byte ^ 1 : byte)) })).toContain(
      'root-wrong',
    )
    expect(await faultsOf(3, { 'tiles/roots.bin': roots.subarray(0, 16) })).toEqual(['tile-roots-wrong'])
    expect(await faultsOf(1, { 'beacon.json': text('{}') })).toEqual(['head-missing'])
    // A closed list is final.
    const later = new Uint8Array([...roots, ...new Uint8Array(32)])
    expect(await faultsOf(4, { 'tiles/roots.bin': later })).toEqual(['tile-roots-wrong'])
  })
})

/** Small draws with several heads, steps and offers, whose records all differ. */
async function originals(count: number): Promise<Original[]> {
  const found: Original[] = []
  for (let draw = 0; found.length < count; draw += 1) {
    const random = openRandom(seedOf(seed, 1000 + draw))
    const original = await randomDraw(random, { entrants: 10, batches: 3 }, false)
    const { list } = original.records
    const different = new Set(Array.from({ length: list.count }, (_, n) => hexOf(recordAt(list, n))))
    const hasOffers = (original.made[0]?.length ?? 0) > 0
    if (different.size === list.count && original.steps.length > 2 && hasOffers) found.push(original)
  }
  return found
}

describe('a draw that was tampered with', () => {
  const names = Object.keys(tamperings)
  const each = inSample(8, Math.ceil(tenth(100_000) / names.length))

  it.each(names)(`is found out and named: %s, ${each} times, seed ${seed}`, async (name) => {
    const draws = await originals(3)
    for (let n = 0; n < each; n += 1) {
      const random = openRandom(seedOf(seed, n))
      const tampered = await tamperings[name]?.(random.pick(draws), random)
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

  it('is found out where an earlier draw of its series is another one', async () => {
    const { files, earlier } = await randomDraw(openRandom(seed), { entrants: 20 }, true)
    for (const [sale, others] of earlier) {
      for (const path of ['draw.json', 'heads.txt', 'tiles/0.bin', 'beacon.json', 'allocation.txt']) {
        const changed = new Map(others)
        changed.delete(path)
        const source = sourceOf(files, new Map([...earlier, [sale, changed]]))
        expect((await checkDraw(source, { verifyRound })).faults).toMatchObject([{ fault: 'earlier-wrong' }])
      }
    }
  })
})

describe('ranks by joining', () => {
  const signer = signerOf('test-1')
  const id = idOfEntrant
  const join = (entrant: number, choices = [1]) => entryRecord({ id: id(entrant), tries: 1, choices })
  const rules = someRules(signer, {
    ranks: 'joined',
    mostInGroup: 1,
    variants: [
      { id: 'red', units: 1 },
      { id: 'blue', units: 1 },
    ],
  })
  const publish = (batches: readonly (readonly Uint8Array[])[]) => publishDraw({ signer, rules, batches })
  const entrants = [1, 2, 3, 4, 5, 6, 7, 8]

  /** The entrants by rank. */
  async function ranked(batches: readonly (readonly Uint8Array[])[]): Promise<number[]> {
    const { files } = await publish(batches)
    const { faults, result } = await checkDraw(sourceOf(files), { verifyRound })
    expect(faults).toEqual([])
    if (result === undefined) throw new Error('the draw is not drawn')
    const { ranking } = result
    return [...ranking.byRank].map((party) => {
      const ids = membersOf(ranking, party)
      return entrants.find((one) => hexOf(id(one)) === hexOf(idOf(ranking.list, ids[0] ?? 0))) ?? 0
    })
  }

  it('follow the batches, and the number of the beacon in a batch', async () => {
    const order = await ranked([[], [join(5), join(6)], [join(3)], [join(1), join(2), join(7), join(8)]])
    expect(order.slice(0, 2).toSorted()).toEqual([5, 6])
    expect(order[2]).toBe(3)
    const last = order.slice(3)
    expect(last.toSorted()).toEqual([1, 2, 7, 8])
    const byId = [1, 2, 7, 8].toSorted((a, b) => (hexOf(id(a)) < hexOf(id(b)) ? -1 : 1))
    const other = await ranked([[], [join(5)], [], [join(1), join(2), join(7), join(8)]])
    // One list may have the order of ids by chance.
    expect([last, other.slice(1)].some((some) => some.join() !== byId.join())).toBe(true)
  })

  it('are kept by another choice, and lost by leaving', async () => {
    expect(await ranked([[join(1)], [join(2)], [join(1, [2, 1])]])).toEqual([1, 2])
    expect(await ranked([[join(1)], [leftRecord(id(1)), join(2)], [join(1)]])).toEqual([2, 1])
    expect(await ranked([[join(1)], [join(2)], [leftRecord(id(1)), join(1)]])).toEqual([2, 1])
  })

  it('have receipts that show an entry which the shop put behind later ones', async () => {
    const honest = await publish([[join(1)], [join(2)], [join(3)]])
    const receipts = [0, 1, 2].map(honest.receiptOf)
    const check = async (batches: readonly (readonly Uint8Array[])[]) =>
      (await checkDraw(sourceOf((await publish(batches)).files), { verifyRound, known: { receipts } })).faults
    expect(await check([[join(1)], [join(2)], [join(3)]])).toEqual([])
    expect(await check([[], [join(2)], [join(3), join(1)]])).toMatchObject([{ fault: 'receipt-late' }])
    // The first head was signed before it was accepted.
    expect(await check([[], [join(2), join(1)], [join(3)]])).toEqual([])
    expect(await check([[join(1), join(2)], [join(3)], []])).toEqual([])
  })

  it.each([{ mostInGroup: 2 }, { mostTries: 2 }])('are refused with groups and extra tries: %j', (change) => {
    expect(readRules(text(JSON.stringify({ ...rules, ...change })))).toMatchObject({
      ok: false,
      field: 'ranks',
    })
  })
})

describe('the rules of a draw', () => {
  const rules = someRules(signerOf('test-1'))

  it.each([
    ['version', 2],
    ['sale', 'A'],
    ['closesAt', rules.opensAt],
    ['commitSeconds', 29],
    ['lateBeacon', 'next'],
    ['variants', []],
    ['mostInGroup', 7],
    ['mostTries', 0],
    ['keys', []],
    ['ranks', 'drawn'],
    ['secret', 1],
  ])('name the field that is wrong: %s', (field, value) => {
    expect(readRules(text(JSON.stringify({ ...rules, [field]: value })))).toMatchObject({ ok: false, field })
  })

  it('are read as they were published', () => {
    expect(readRules(text(JSON.stringify(rules)))).toEqual({ ok: true, value: rules })
    expect(readRules(text(`${JSON.stringify(rules)}${' '.repeat(65_536)}`))).toMatchObject({ ok: false })
  })
})

/** A ranking of a few parties in any order, without hashes. */
function smallRanking(random: Random): { ranking: Ranking; units: number[] } {
  const variants = random.whole(1, 3)
  const count = random.whole(1, 9)
  const bytes = new Uint8Array(count * recordBytes)
  for (let entry = 0, group = 0, left = 0; entry < count; entry += 1, left -= 1) {
    if (left <= 0) {
      group += 1
      left = random.chance(0.5) ? 1 : random.whole(2, 4)
    }
    const at = entry * recordBytes
    bytes[at] = random.whole(0, 255)
    bytes[at + 1] = entry
    bytes[at + 32] = group
    bytes[at + 48] = 1
    const first = random.whole(1, variants)
    bytes[at + 49] = first
    if (variants > 1 && random.chance(0.5)) bytes[at + 50] = (first % variants) + 1
  }
  const parties = partiesOf(sortRecords({ bytes, count }))
  const byRank = new Uint32Array(parties.count).map((_, n) => n)
  for (let n = byRank.length - 1; n > 0; n -= 1) {
    const other = random.whole(0, n)
    const [a = 0, b = 0] = [byRank[n], byRank[other]]
    byRank.set([b], n)
    byRank.set([a], other)
  }
  const scores = new Uint8Array(32 * parties.count)
  return {
    ranking: { ...parties, byRank, scores },
    units: Array.from({ length: variants }, () => random.whole(0, 3)),
  }
}

/** The allocation as docs/reference/draw.md describes it, word by word. */
function slowAllocation({ list, byRank, ...parties }: Ranking, units: readonly number[]) {
  const free = [0, ...units]
  const waiting = Array.from(byRank)
  const held = new Map<number, number>()
  const offerAll = (): DrawOffer[] => {
    const made: DrawOffer[] = []
    for (let isDone = false; !isDone; ) {
      isDone = true
      for (const party of [...waiting]) {
        const tried = [...free]
        const offers = Array.from(membersOf({ ...parties, list }, party), (entry) => {
          const variant = [...choicesOf(list, entry)].find((choice) => (tried[choice] ?? 0) > 0) ?? 0
          tried[variant] = (tried[variant] ?? 0) - 1
          return { entry, variant }
        })
        if (offers.some(({ variant }) => variant === 0)) continue
        free.splice(0, free.length, ...tried)
        waiting.splice(waiting.indexOf(party), 1)
        for (const { entry, variant } of offers) held.set(entry, variant)
        made.push(...offers)
        isDone = false
        break
      }
      free[0] = 0
    }
    return made
  }
  return {
    first: offerAll(),
    add(variant: number, more: number) {
      free[variant] = (free[variant] ?? 0) + more
      return offerAll()
    },
    giveBack(entry: number) {
      const variant = held.get(entry) ?? 0
      held.delete(entry)
      return this.add(variant, 1)
    },
  }
}

describe('units that are offered', () => {
  const instances = inSample(2000, tenth(1_000_000))

  it(`go to the first party that fits, in ${instances} small draws, and no other, seed ${seed}`, () => {
    const random = openRandom(seed)
    let offered = 0
    for (let instance = 0; instance < instances; instance += 1) {
      const { ranking, units } = smallRanking(random)
      const [fast, slow]: [Allocation, ReturnType<typeof slowAllocation>] = [
        allocate(ranking, units),
        slowAllocation(ranking, units),
      ]
      const same = (a: readonly DrawOffer[] | undefined, b: readonly DrawOffer[]) => {
        if (JSON.stringify(a) === JSON.stringify(b)) return
        throw new Error(`instance ${instance}: ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`)
      }
      same(fast.first, slow.first)
      const all = [...fast.first]
      for (let event = random.whole(0, 6); event > 0; event -= 1) {
        const holding = all.filter(({ entry }) => fast.heldBy(entry) !== undefined)
        const entry = holding.length > 0 && random.chance(0.8) ? random.pick(holding).entry : undefined
        const [variant, more] = [random.whole(1, units.length), random.whole(1, 2)]
        const made = entry === undefined ? fast.add(variant, more) : fast.giveBack(entry)
        same(made, entry === undefined ? slow.add(variant, more) : slow.giveBack(entry))
        all.push(...(made ?? []))
        if (entry !== undefined && fast.giveBack(entry) !== undefined) throw new Error('a unit came back twice')
      }
      offered += all.length
    }
    expect(offered).toBeGreaterThan(instances)
  })
})

/** What a long play found. */
const report = (line: string) => playsWhole() && console.log(line)

/** The standard score of a chi-squared sum (Wilson and Hilferty 1931): above 2.326 its chance is below 1 %. */
function chiSquareScore(sum: number, freedom: number): number {
  const part = 2 / (9 * freedom)
  return (Math.cbrt(sum / freedom) - (1 - part)) / Math.sqrt(part)
}

/** Ranks the same parties by `draws` seeds; `see` gets the order of each. */
function drawOften(records: readonly Uint8Array[], draws: number, see: (ranking: Ranking) => void): void {
  const parties = partiesOf(sortRecords({ bytes: new Uint8Array(Buffer.concat(records)), count: records.length }))
  for (let draw = 0; draw < draws; draw += 1) see(rankParties(parties, scorer(sha256(text(`${seed} ${draw}`)))))
}

describe('the chances of a draw', () => {
  const draws = inSample(1000, tenth(100_000))
  const entrant = (n: number, tries = 1, group?: Uint8Array) =>
    entryRecord({ id: idOfEntrant(n), tries, choices: [1], ...(group && { group }) })

  it(`are the same for every entrant and rank in ${draws} draws (chi-squared, p > 0.01)`, () => {
    const size = 10
    const counts = new Float64Array(size * size)
    drawOften(
      Array.from({ length: size }, (_, n) => entrant(n)),
      draws,
      ({ byRank }) => {
        byRank.forEach((party, rank) => {
          counts[party * size + rank] = (counts[party * size + rank] ?? 0) + 1
        })
      },
    )
    const expected = draws / size
    // Every row and every column has the same sum, so the sum of squares is larger by size / (size - 1).
    const sum = counts.reduce((all, count) => all + (count - expected) ** 2 / expected, 0) * ((size - 1) / size)
    const freedom = (size - 1) ** 2
    report(`${draws} draws: chi-squared ${sum.toFixed(1)}, ${freedom} degrees of freedom`)
    expect(chiSquareScore(sum, freedom)).toBeLessThan(2.326)
  })

  it.each([1, 2, 3, 6])(
    'grow with %i tries as documented, and a group has those of its member with the fewest',
    (tries) => {
      const group = sha256(text('friends')).subarray(0, 16)
      const others = [0, 1, 2, 3].map((n) => entrant(n))
      const friends = [entrant(5, tries, group), entrant(6, tries, group), entrant(7, Math.min(6, tries + 1), group)]
      for (const records of [
        [entrant(4, tries), ...others],
        [...friends, ...others],
      ]) {
        let wins = 0
        drawOften(records, draws, (ranking) => {
          const [first = 0] = ranking.byRank
          const [member = 0] = membersOf(ranking, first)
          if (ranking.list.bytes[member * recordBytes + 48] !== 1 || isFriend(ranking, member)) wins += 1
        })
        const chance = tries / (tries + others.length)
        const deviation = Math.sqrt(draws * chance * (1 - chance))
        const off = (wins - draws * chance) / deviation
        report(`${draws} draws, ${tries} tries: ${wins} wins, ${off.toFixed(2)} deviations from ${draws * chance}`)
        expect(Math.abs(off)).toBeLessThan(4)
      }
      function isFriend({ list }: Ranking, member: number): boolean {
        const id = hexOf(list.bytes.subarray(member * recordBytes, member * recordBytes + 32))
        return [4, 5, 6, 7].some((n) => hexOf(idOfEntrant(n)) === id)
      }
    },
  )
})
