/** The start flag, as the public sees it (C6, G2). */
import { describe, expect, it } from 'vitest'
import {
  buyWhenThereIsRoom,
  call,
  control,
  countdownOf,
  createSale,
  eventually,
  openSale,
  pointerOf,
} from './support.ts'
import { visit } from './visit.ts'

const stack = visit('flip')

const publicPaths = (saleId: string, version: number) => [
  '/',
  `/sales/${saleId}/`,
  `/sales/${saleId}/current.json`,
  ...Array.from({ length: version }, (_, v) => `/sales/${saleId}/countdown.${v + 1}.js`),
  ...Array.from({ length: version }, (_, v) => `/sales/${saleId}/countdown.${v + 1}.json`),
]

async function publicBytes(saleId: string): Promise<string> {
  const { version } = await pointerOf(stack, saleId)
  const bodies = publicPaths(saleId, version).map(async (path) => (await fetch(stack.url + path)).text())
  return (await Promise.all(bodies)).join('\n')
}

describe('the flip', () => {
  it('publishes no byte of a start token before it, and the pointer names the new version within 2 s (C6)', async () => {
    const saleId = await createSale(stack, {}, 'warm')
    const before = await publicBytes(saleId)
    const versionBefore = (await pointerOf(stack, saleId)).version
    expect(before).not.toContain('startToken')

    await control(stack, `/sales/${saleId}/start`, {})
    const startToken = await eventually(async () => {
      const pointer = await pointerOf(stack, saleId)
      if (pointer.version === versionBefore) return undefined
      return (await countdownOf(stack, pointer.src)).startToken
    })
    expect(before).not.toContain(startToken)
    expect((await pointerOf(stack, saleId)).phase).toBe('open')
    const { version } = await pointerOf(stack, saleId)
    const json = await fetch(`${stack.url}/sales/${saleId}/countdown.${version}.json`)
    expect(await json.json()).toMatchObject({ version, started: true, startToken })
  })

  it('refuses an early request, with the server’s time to set the clock by (G2, C5)', async () => {
    const { saleId, startToken } = await openSale(stack, { startsAt: Date.now() + 60_000 })
    const { src } = await pointerOf(stack, saleId)
    expect(await countdownOf(stack, src)).toMatchObject({ started: false, startToken: expect.any(String) })
    const token = await stack.token('ann')
    const before = Date.now()
    const early = await buyWhenThereIsRoom(stack, saleId, { token, startToken })
    expect(early).toMatchObject({ status: 425, body: { code: 'not-started' } })
    expect(early.body.now).toBeGreaterThanOrEqual(before)
    expect(early.body.now).toBeLessThanOrEqual(Date.now())
  })

  it('lets a thousand reads of the pointer reach the bucket about once a second (C2, C3, L1)', async () => {
    const { saleId } = await openSale(stack)
    const path = `/sales/${saleId}/current.json`
    const from = performance.now()
    const answers = await Promise.all(Array.from({ length: 1000 }, () => call(stack, path)))
    const seconds = Math.ceil((performance.now() - from) / 1000)
    const misses = answers.filter((a) => a.headers.get('x-cache')?.startsWith('Miss'))
    // One for each second that has begun, for any number of reads.
    expect(misses.length).toBeLessThanOrEqual(seconds + 1)
  })
})
