/** Real rounds of drand verify, and changed, moved or invented rounds do not. */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isKnownChain, localBeacon, localChain, quicknet, verifyRound } from '../../core/beacon.ts'
import { type BeaconChain, roundOfDraw, timeOfRound } from '../../core/rules.ts'
import { publishedRounds } from './quicknet.ts'

const { G1, G2, shortSignatures: bls } = bls12_381
const [real = { round: 0, signature: '' }, next = real] = publishedRounds.slice(2)
const local = localBeacon({ seed: new Uint8Array(48).fill(7), period: 3, genesis: 1_700_000_000, clock: Date.now })
const infinityOfG1 = `c0${'00'.repeat(47)}`
const infinityOfG2 = `c0${'00'.repeat(95)}`

/** The encoding of a signature whose x coordinate is `x`. */
const encoded = (x: bigint, flags: number) => (x | (BigInt(flags) << 376n)).toString(16).padStart(96, '0')

describe('a chain', () => {
  it('is known as the pinned one or as a local one, and not when a field of it is changed', () => {
    expect([quicknet, local.chain].map(isKnownChain)).toEqual([true, true])
    expect(local.chain.isLocal).toBe(true)
    const changes: Partial<BeaconChain>[] = [
      { hash: 'ab'.repeat(32) },
      { publicKey: G2.Point.BASE.toHex(true) },
      { publicKey: '' },
      { period: 30 },
      { period: 0.5 },
      { genesis: 1 },
      { genesis: Number.NaN },
      { scheme: 'bls-unchained-on-g1' },
    ]
    for (const chain of [quicknet, local.chain]) {
      for (const change of [...changes, { isLocal: !chain.isLocal }]) {
        expect(isKnownChain({ ...chain, ...change }), JSON.stringify(change)).toBe(false)
      }
    }
  })

  it('has a round in each period, the first at its genesis', () => {
    const genesis = quicknet.genesis * 1000
    const roundAt = (time: number) => roundOfDraw({ closesAt: time - 60_000, commitSeconds: 60, beacon: quicknet })
    expect([genesis - 1, genesis, genesis + 2999, genesis + 3000].map(roundAt)).toEqual([0, 1, 1, 2])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (round) => {
        const due = timeOfRound(quicknet, round)
        expect([roundAt(due - 1), roundAt(due)]).toEqual([round - 1, round])
      }),
    )
  })
})

describe('a round', () => {
  it('of quicknet verifies, with the randomness that drand published', () => {
    for (const { round, signature, randomness } of publishedRounds) {
      const verified = verifyRound(quicknet, round, signature)
      expect(verified).toMatchObject({ round, signature, ...(randomness && { randomness }) })
    }
  })

  it('of the local beacon verifies on its chain alone', async () => {
    const answer = await local.round(9)
    if (answer.kind === 'late') throw new Error(answer.reasons.join())
    const { kind: _, ...round } = answer
    expect(verifyRound(local.chain, 9, round.signature)).toEqual(round)
    expect(verifyRound(quicknet, 9, round.signature)).toBeUndefined()
    expect(verifyRound(local.chain, real.round, real.signature)).toBeUndefined()
    // A local key cannot pass for drand's, nor with its hash.
    expect(verifyRound({ ...local.chain, isLocal: false }, 9, round.signature)).toBeUndefined()
    expect(verifyRound({ ...quicknet, publicKey: local.chain.publicKey }, 9, round.signature)).toBeUndefined()
  })

  it('does not verify with the signature of another round', () => {
    expect(verifyRound(quicknet, real.round + 1, real.signature)).toBeUndefined()
    expect(verifyRound(quicknet, real.round, next.signature)).toBeUndefined()
    for (const round of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
      expect(verifyRound(quicknet, round, real.signature)).toBeUndefined()
    }
  })

  it('does not verify with a flipped bit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 383 }), (bit) => {
        const flipped = (BigInt(`0x${real.signature}`) ^ (1n << BigInt(bit))).toString(16).padStart(96, '0')
        expect(verifyRound(quicknet, real.round, flipped)).toBeUndefined()
      }),
      { numRuns: 40 },
    )
  })

  it('does not verify with another encoding of its signature', () => {
    const point = bls.Signature.fromHex(real.signature)
    const { x } = point.toAffine()
    const forms = {
      'upper case': real.signature.toUpperCase(),
      uncompressed: point.toHex(false),
      'too short': real.signature.slice(2),
      'too long': `${real.signature}00`,
      empty: '',
      prefix: `0x${real.signature.slice(2)}`,
      negated: point.negate().toHex(true),
      infinity: infinityOfG1,
      'infinity with a sign': `e0${'00'.repeat(47)}`,
      'infinity with a rest': `c0${'00'.repeat(46)}01`,
      'no flag of compression': encoded(x, 0),
      'no point of the curve': encoded(1n, 0x80),
    }
    for (const [name, signature] of Object.entries(forms)) {
      expect(verifyRound(quicknet, real.round, signature), name).toBeUndefined()
    }
  })

  it('does not verify with x above the order of the field, where both fit into its bits', async () => {
    for (let round = 1; ; round += 1) {
      const answer = await local.round(round)
      if (answer.kind === 'late') throw new Error(answer.reasons.join())
      const moved = BigInt(`0x${answer.signature}`) + G1.Point.Fp.ORDER
      // The three flags are above the 381 bits.
      if (moved >> 381n !== BigInt(`0x${answer.signature}`) >> 381n) continue
      expect(verifyRound(local.chain, round, moved.toString(16))).toBeUndefined()
      return
    }
  })

  it('does not verify when a point of small order is added, which the pairing cannot see', () => {
    // x = 4 is on the curve and outside the subgroup; times the order of the subgroup only the other part is left.
    const outside = G1.Point.fromAffine({ x: 4n, y: G1.Point.Fp.sqrt(68n) })
    const torsion = outside.multiplyUnsafe(G1.Point.Fn.ORDER - 1n).add(outside)
    expect(torsion.is0()).toBe(false)
    const { x, y } = bls.Signature.fromHex(real.signature).add(torsion).toAffine()
    const forged = encoded(x, y * 2n > G1.Point.Fp.ORDER ? 0xa0 : 0x80)
    expect(verifyRound(quicknet, real.round, forged)).toBeUndefined()
  })

  it('does not verify under the key infinity', () => {
    const chain = localChain({ publicKey: infinityOfG2, period: 3, genesis: 1 })
    expect(isKnownChain(chain)).toBe(true)
    expect(verifyRound(chain, 1, infinityOfG1)).toBeUndefined()
    expect(verifyRound(chain, 1, real.signature)).toBeUndefined()
  })
})
