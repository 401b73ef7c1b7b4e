import { describe, expect, it } from 'vitest'
import { loadModule } from '../../../static/client/lib/load-module.ts'

describe('loading a module', () => {
  it('has what came, and nothing after a broken connection', async () => {
    const found = { words: 1 }
    expect(await loadModule('/assets/one.js', async () => found)).toBe(found)
    expect(await loadModule('/assets/two.js', () => Promise.reject(new Error('offline')))).toBeUndefined()
  })

  it('asks first under the address that the page preloaded, then under a new one each time: a browser remembers a failed import', async () => {
    const address = '/assets/words.js'
    const addresses: string[] = []
    for (let i = 0; i < 3; i += 1) await loadModule(address, async (one) => addresses.push(one))
    expect(addresses).toEqual([address, `${address}#1`, `${address}#2`])
  })
})
