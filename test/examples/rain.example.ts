/**
 * examples/draw/verify_draw.py, which was written from docs/reference/packets.md alone, says of splits of red packets what
 * core/packets says: of published ones, and of ones that were tampered with. `DRAWS` is how many, and `DRAWS_SEED` repeats a run.
 */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hexOf } from '../../core/draw/bytes.ts'
import { sha256 } from '../../core/draw/sha256.ts'
import { checkRain, type RainKnown } from '../../core/packets/check-rain.ts'
import type { RainReveal, RainRules } from '../../core/packets/rain-rules.ts'
import { openRandom, type Random, seedOf } from '../../proof/simulation/engine/random.ts'
import { publishedRain, rainRules, rainSource } from '../core/packets/published-rain.ts'
import { testFolder } from './programs.ts'
import { startPython } from './verify-in-python.ts'

const rains = Number(process.env.DRAWS ?? 300)
const seed = Number(process.env.DRAWS_SEED ?? 1)

type Files = Map<string, Uint8Array>
type Verdict = { state: string | null; faults: string[]; isMixed: boolean | null; amounts: string | null }

/** As a shop publishes it, with the round or without, or with one thing that it would not publish. */
async function someRain(random: Random): Promise<Files> {
  const secret = sha256(Uint8Array.from({ length: 8 }, () => random.whole(0, 255)))
  const waves = Array.from({ length: random.whole(1, 4) }, () => {
    const count = random.spread(1, 3000) - 1
    return { count, totalAmount: count + random.pick([0, random.spread(1, 1e5), random.spread(1, 1e11)]) }
  })
  const rules: Partial<RainRules> = { waves, seedHash: hexOf(sha256(secret)) }
  const reveal: Partial<RainReveal> = {
    seed: hexOf(secret),
    ...(random.chance(0.2) && { round: null }),
  }
  if (random.chance(0.2))
    Object.assign(rules, random.pick<object>([{ round: rainRules.round + 1 }, { waves: [] }, { odds: 1 }]))
  if (random.chance(0.1)) Object.assign(reveal, random.pick<object>([{ round: 5 }, { seed: '00' }, { round: -1 }]))
  return publishedRain(rules, reveal)
}

/** What a thief could do to the files on their way. */
function tamper(random: Random, files: Files): void {
  const path = random.pick([...files.keys()])
  const bytes = files.get(path)?.slice() ?? new Uint8Array()
  if (random.chance(0.3)) files.delete(path)
  else if (random.chance(0.2)) files.set(path, bytes.subarray(0, random.whole(0, bytes.length)))
  else {
    const at = random.whole(0, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.whole(0, 7))
    files.set(path, bytes)
  }
}

async function checkHere(files: Files, known: RainKnown): Promise<Verdict> {
  const { faults, state, isMixed, amounts } = await checkRain(rainSource(files), { known })
  const packed = Buffer.alloc(8 * (amounts?.length ?? 0))
  for (const [packet, amount] of amounts?.entries() ?? []) packed.writeBigUInt64BE(BigInt(amount), 8 * packet)
  return {
    state: state ?? null,
    faults: faults.map(({ fault }) => fault),
    isMixed: isMixed ?? null,
    amounts: amounts === undefined ? null : hexOf(sha256(packed)),
  }
}

it(
  'agrees with core/packets on random splits of red packets, and on ones that were tampered with',
  async () => {
    const [askPython, folder] = [startPython<Verdict>(), await testFolder()]
    const seenFaults = new Map<string, number>()
    for (let number = 0; number < rains; number += 1) {
      const random = openRandom(seedOf(seed, number))
      const files = await someRain(random)
      if (random.chance(0.5)) tamper(random, files)
      const hash = hexOf(sha256(files.get('rain.json') ?? new Uint8Array()))
      const [sale, rules] = [
        random.pick([rainRules.sale, 'another-sale' as RainRules['sale']]),
        random.pick([hash, hexOf(sha256())]),
      ]
      const packet = random.whole(0, 4000)
      const known = { ...(random.chance(0.6) && { sale }), ...(random.chance(0.6) && { rules }) }
      const right = (await checkRain(rainSource(files), {})).amounts?.[packet] ?? 1
      const amount = random.chance(0.8) ? right : right + 1
      const given = { packet, amount, currency: random.chance(0.9) ? 'CNY' : 'EUR' }
      const isGiven = random.chance(0.5)
      for (const [path, bytes] of files) await writeFile(join(folder, path), bytes)
      const there = await askPython(folder, {
        ...known,
        ...(isGiven && { packet, given: [amount, given.currency] }),
      })
      const here = await checkHere(files, { ...known, ...(isGiven && { given }) })
      for (const path of files.keys()) await rm(join(folder, path))
      const { state, faults, isMixed, amounts } = there
      // The check here has no verifier, and that in Python has one where its library is installed.
      const sorted = (all: readonly string[]) => all.filter((one) => one !== 'beacon-signature').toSorted()
      // Without its first file a folder has no red packets, and Python looks for a draw.
      const isRain = files.has('rain.json')
      expect(
        isRain ? { state, isMixed, amounts, faults: sorted(faults) } : faults,
        `rain ${number}, seed ${seed}`,
      ).toEqual(isRain ? { ...here, faults: sorted(here.faults) } : ['rules-unreadable'])
      for (const fault of here.faults) seenFaults.set(fault, (seenFaults.get(fault) ?? 0) + 1)
    }
    console.log(`${rains} splits of seed ${seed}:`, Object.fromEntries([...seenFaults].toSorted()))
  },
  rains * 4000,
)
