/** The start flag, as the public sees it (C6, G2). */
import { describe, expect, it } from 'vitest'
import { sharedShop } from './shared-shop.ts'
import { control, countdownOf, createSale, eventually, pointerOf } from './support.ts'

const stack = sharedShop('flip')

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
})
