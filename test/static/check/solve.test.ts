import { describe, expect, it } from 'vitest'
import { buyRequest } from '../../../core/buy/requests.ts'
import { parseSaleId, parseShopperId } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { createChallenges } from '../../../edge/memory/proof-of-work.ts'
import { solve } from '../../../static/challenge.ts'
import { workshop } from './worker-of-the-page.ts'

const saleId = parseSaleId('s'.repeat(40))
const shopperId = parseShopperId('x'.repeat(64))
if (saleId === undefined || shopperId === undefined) throw new Error('these are ids of the greatest length')

const challenges = createChallenges({ keys: ['k'.repeat(32)], cost: 3 }, Date.now)
/** A challenge as it comes over the wire. */
const issued = async () => JSON.parse(JSON.stringify(await challenges.issue(saleId, shopperId)))

describe('working a challenge out (R5)', () => {
  it('makes a payload that the gate takes, from the worker that the page ships, and stops all workers', async () => {
    const { open, running } = workshop()
    const before = Date.now()
    const solved = await solve(await issued(), open, 2)
    expect(running()).toBe(0)
    const known = await challenges.verify(solved?.payload ?? '', saleId, shopperId)
    expect(known?.expiresAt).toBe(solved?.expiresAt)
    expect(solved?.expiresAt).toBeGreaterThan(before + 590_000)
  })

  it('fits into the body of a purchase, also for the longest ids (S5)', async () => {
    const solved = await solve(await issued(), workshop().open, 1)
    const body = JSON.stringify({ quantity: 1000, startToken: 't'.repeat(64), challenge: solved?.payload })
    expect(readJson(buyRequest, body).ok).toBe(true)
    expect(solved?.payload.length).toBeLessThan(1200)
    expect(body.length).toBeLessThan(2048)
  })

  it('gives up on what is no challenge, without a worker', async () => {
    const { open, running } = workshop()
    const whole = await issued()
    const { signature: _, ...unsigned } = whole
    const { expiresAt: __, ...endless } = whole.parameters
    for (const body of [null, 'x', [], {}, unsigned, { ...whole, parameters: endless }]) {
      expect(await solve(body, open, 2)).toBeUndefined()
    }
    expect(running()).toBe(0)
  })

  it('gives up where a worker cannot be opened or does not load', async () => {
    const refuse = () => {
      throw new DOMException('no workers here', 'SecurityError')
    }
    expect(await solve(await issued(), refuse, 2)).toBeUndefined()
    const { open, running } = workshop({ loads: false })
    expect(await solve(await issued(), open, 2)).toBeUndefined()
    expect(running()).toBe(0)
  })
})
