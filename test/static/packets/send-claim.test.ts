import { describe, expect, it } from 'vitest'
import { tap } from '../../../static/client/packets/send-claim.ts'
import { noPass, refusal, shopOfAnswers, type Told } from '../shop-of-answers.ts'

const path = 'POST /api/sales/rain/packets'
const packet = { packetId: 'rain-p7', amount: 1221, currency: 'CNY' }

const wanted = { saleId: 'rain', startToken: 'token-1', seen: '2.7' }

async function tapped(told: Told, challenge?: string, online = true) {
  const { fetch, asked } = shopOfAnswers({ [path]: [told] })
  return { answer: await tap({ fetch, online: () => online }, { ...wanted, challenge }), asked }
}

describe('a tap', () => {
  it('sends exactly one request with the start token, and the challenge where there is one (C7, P2, R5)', async () => {
    const { answer, asked } = await tapped({ status: 200, body: { ...packet, remaining: 9 } })
    expect(answer).toEqual({ kind: 'won', packet: { ...packet, remaining: 9 } })
    expect(asked).toEqual([
      {
        ...{ path: '/api/sales/rain/packets', method: 'POST', key: expect.any(String), seen: '2.7' },
        body: { startToken: 'token-1' },
      },
    ])
    const solved = await tapped({ status: 200, body: packet }, 'solved')
    expect(solved.asked[0]?.body).toEqual({ startToken: 'token-1', challenge: 'solved' })
  })

  it('gets a pass where only that is missing, and is sent once more (L6)', async () => {
    const given = { status: 200, body: { pass: 'v1.x' } }
    const won = { status: 200, body: packet }
    const { fetch, asked } = shopOfAnswers({ [path]: [noPass, won], 'GET /api/pass': [given] })
    const answer = await tap({ fetch, online: () => true }, { ...wanted, challenge: undefined })
    expect(answer).toEqual({ kind: 'won', packet })
    expect(asked).toHaveLength(3)
  })

  it('never left a device without a connection, and is then no lost answer', async () => {
    expect((await tapped('lost', undefined, false)).answer).toEqual({ kind: 'offline' })
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

  it.each<[string, Told]>([
    ['got lost', 'lost'],
    ['came from a function that broke, which may have claimed a packet before', refusal('unavailable', 503)],
    ['has no packet in it', { status: 200, body: { amount: 'much' } }],
    ['is nobody’s we know', { status: 502, body: {} }],
  ])('says nothing definite when its answer %s (S6)', async (_, told) => {
    expect((await tapped(told)).answer).toEqual({ kind: 'unsure' })
  })
})
