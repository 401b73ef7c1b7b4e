import { describe, expect, it } from 'vitest'
import { tap } from '../../../static/client/packets/send-claim.ts'
import { noPass, refusal, shopOfAnswers, type Told } from '../shop-of-answers.ts'

const path = 'POST /api/sales/rain/packets'
const lookUp = 'GET /api/packets?sale=rain'
const packet = { packetId: 'rain-p7', amount: 1221, currency: 'CNY' }

const wanted = { saleId: 'rain', startToken: 'token-1', seen: '2.7' }

type Around = { challenge?: string; online?: boolean; inDoubt?: boolean; found?: Told }

/** `found` is the answer to the look-up; without it the look-up gets none. `waits` is how long it waited before, ms. */
async function tapped(told: Told, { challenge, online = true, inDoubt = false, found = 'lost' }: Around = {}) {
  const { fetch, asked } = shopOfAnswers({ [path]: [told], [lookUp]: [found] })
  const waits: (number | 'checking')[] = []
  const ports = {
    ...{ fetch, online: () => online, random: () => 0.5 },
    onChecking: () => void waits.push('checking'),
    wait: async (milliseconds: number) => void waits.push(milliseconds),
  }
  return { answer: await tap(ports, { ...wanted, challenge, inDoubt }), asked, waits }
}

describe('a tap', () => {
  it('sends exactly one request with the start token, and the challenge where there is one (C7, P2, R5)', async () => {
    const { answer, asked } = await tapped({ status: 200, body: { ...packet, remaining: 9 } })
    expect(answer).toEqual({ kind: 'won', packet: { ...packet, remaining: 9 } })
    expect(asked).toEqual([
      {
        ...{ path: '/api/sales/rain/packets', method: 'POST', key: null, seen: '2.7' },
        body: { startToken: 'token-1' },
      },
    ])
    const solved = await tapped({ status: 200, body: packet }, { challenge: 'solved' })
    expect(solved.asked[0]?.body).toEqual({ startToken: 'token-1', challenge: 'solved' })
  })

  it('gets a pass where only that is missing, and is sent once more (L6)', async () => {
    const given = { status: 200, body: { pass: 'v1.x' } }
    const won = { status: 200, body: packet }
    const { fetch, asked } = shopOfAnswers({ [path]: [noPass, won], 'GET /api/pass': [given] })
    const none = { onChecking: () => {}, wait: async () => {}, random: () => 0.5 }
    const answer = await tap(
      { ...none, fetch, online: () => true },
      { ...wanted, challenge: undefined, inDoubt: false },
    )
    expect(answer).toEqual({ kind: 'won', packet })
    expect(asked).toHaveLength(3)
  })

  it('never left a device without a connection, and is then no lost answer', async () => {
    expect((await tapped('lost', { online: false })).answer).toEqual({ kind: 'offline' })
    expect((await tapped('lost')).answer).toEqual({ kind: 'unsure' })
  })

  it('takes a repeat for the packet it is (P3)', async () => {
    const { answer } = await tapped({ status: 200, body: { ...packet, repeat: true } })
    expect(answer).toEqual({ kind: 'won', packet: { ...packet, repeat: true } })
  })

  it('is refused where the shop says so for sure', async () => {
    const { answer } = await tapped(refusal('sold-out', 410, { remaining: 0 }))
    expect(answer).toMatchObject({ kind: 'refused', code: 'sold-out', remaining: 0, atGate: false })
    const full = {
      ...refusal('at-capacity', 429, { retryAfterSeconds: 2 }),
      headers: { 'x-sluice-gate': '1' },
    }
    expect((await tapped(full)).answer).toMatchObject({ kind: 'refused', code: 'at-capacity', atGate: true })
  })

  it('finds its packet after a lost answer, a while later, also before it is credited (P3)', async () => {
    const found = { status: 200, body: { packet } }
    const { answer, asked, waits } = await tapped('lost', { found })
    expect(answer).toEqual({ kind: 'won', packet: { ...packet, repeat: true } })
    expect(asked.map(({ path }) => path)).toEqual(['/api/sales/rain/packets', '/api/packets?sale=rain'])
    expect(waits).toEqual(['checking', 7500])
    const none = await tapped('lost', { found: { status: 200, body: { packet: null } } })
    expect(none.answer).toEqual({ kind: 'unsure' })
    const out = await tapped('lost', { found: refusal('sign-in-required', 401) })
    expect(out.answer).toMatchObject({ kind: 'refused', code: 'sign-in-required' })
  })

  it('finds the packet of an earlier tap before it counts as refused', async () => {
    const gone = refusal('sold-out', 410, { remaining: 0 })
    const { answer, waits } = await tapped(gone, { inDoubt: true, found: { status: 200, body: { packet } } })
    expect(answer).toEqual({ kind: 'won', packet: { ...packet, repeat: true } })
    expect(waits).toEqual([])
    const none = await tapped(gone, { inDoubt: true, found: { status: 200, body: { packet: null } } })
    expect(none.answer).toMatchObject({ kind: 'refused', code: 'sold-out' })
    expect((await tapped(gone, { inDoubt: true })).answer).toEqual({ kind: 'unsure' })
    expect((await tapped(gone)).asked, 'a sure refusal needs no look-up').toHaveLength(1)
  })

  it.each<[string, Told]>([
    ['got lost', 'lost'],
    ['came from a function that broke, which may have claimed a packet before', refusal('unavailable', 503)],
    ['has no packet in it', { status: 200, body: { amount: 'much' } }],
    ['is nobody’s we know', { status: 502, body: {} }],
  ])('says nothing definite when its answer %s (S6)', async (_, told) => {
    expect((await tapped(told)).answer).toEqual({ kind: 'unsure' })
  })
})
