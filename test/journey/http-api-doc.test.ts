/** The shell commands in docs/reference/http-api.md work as printed. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { sharedShop } from './shared-shop.ts'
import { openSale } from './support.ts'

const run = promisify(execFile)

const stack = sharedShop('http-api-doc')

/** The one shell block of the page, with the sale of this test in place of that of `npm start`. */
async function scriptFor(saleId: string): Promise<string> {
  const page = await readFile('docs/reference/http-api.md', 'utf8')
  const [script, ...others] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text)
  if (script === undefined || others.length > 0) throw new Error('the page has one block for a shell')
  return script.replace('sale=stoneware-mug', `sale=${saleId}`)
}

describe('the main path in docs/reference/http-api.md', () => {
  it('buys and pays as printed, and a second run finds the same order (I5)', async () => {
    const { saleId } = await openSale(stack)
    const script = await scriptFor(saleId)
    const orders = []
    for (let i = 0; i < 2; i++) {
      const { stdout } = await run('sh', ['-eu', '-c', script], { env: { ...process.env, SLUICE_URL: stack.url } })
      const [named = '', order = '', payment = ''] = stdout.split('\n')
      expect(JSON.parse(order)).toMatchObject({ saleId, quantity: 1, status: 'awaiting-payment' })
      expect(JSON.parse(payment)).toMatchObject({ url: expect.any(String), paymentId: expect.any(String) })
      orders.push(named)
    }
    expect(orders[0]).toMatch(/^order \S+$/)
    expect(orders[1]).toBe(orders[0])
  })
})
