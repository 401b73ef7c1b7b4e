/** The adapter, with the SDK's client and its signature, against the emulated store. */
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { entryKey } from '../../../../core/gate/edge-entry.ts'
import type { SaleId } from '../../../../core/ids.ts'
import { cloudFrontEdgeStore, connectEdgeStore } from '../../../../functions/entries/adapters/edge-store.cloudfront.ts'
import type { EdgeStore } from '../../../../functions/lib/shop/shop.ts'
import { keyValueStoreArn, startKeyValueApi } from '../../../../local/cdn/key-value-api.ts'
import { createKeyValueStore } from '../../../../local/cdn/key-value-store.ts'
import { type Listening, listen } from '../../../../local/listen.ts'
import { resolveLocalhostNames } from '../../../../local/process/lambda-host.ts'
import { keyValueQuotas } from '../../../../system/key-value-store.ts'

const stops: (() => unknown)[] = []
beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
  stops.push(resolveLocalhostNames())
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  vi.unstubAllEnvs()
})

function adapterFor({ url, stop }: Listening, arn = keyValueStoreArn): EdgeStore {
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE', url)
  const client = connectEdgeStore()
  stops.push(stop, () => client.destroy())
  return cloudFrontEdgeStore(client, arn)
}

async function start() {
  const store = createKeyValueStore({ now: Date.now, maxDelayMs: 0 })
  const api = await startKeyValueApi(store)
  return { store, api, adapter: adapterFor(api) }
}

describe('the store of the CloudFront Functions', () => {
  it('reads what it has put, and not what it has deleted', async () => {
    const { adapter } = await start()
    const key = entryKey('phone-42' as SaleId)
    const value = 'x'.repeat(keyValueQuotas.valueBytes)
    expect(await adapter.read(key)).toBeUndefined()
    const changes = new Map([
      [key, value],
      ['pass-keys', '{"é": "\\u0000 / % ?"}'],
    ])
    expect(await adapter.update(await adapter.etag(), changes)).toBe('updated')
    expect(await adapter.read(key)).toBe(value)
    expect(await adapter.read('pass-keys')).toBe('{"é": "\\u0000 / % ?"}')
    expect(await adapter.update(await adapter.etag(), new Map([[key, undefined]]))).toBe('updated')
    expect(await adapter.read(key)).toBeUndefined()
  })

  it('answers conflict to the second of two writers that read the same ETag, which changes nothing', async () => {
    const { adapter, store } = await start()
    const etag = await adapter.etag()
    const write = (value: string) => adapter.update(etag, new Map([['a', value]]))
    const answers = await Promise.all([write('one'), write('two')])
    expect(answers.toSorted()).toEqual(['conflict', 'updated'])
    expect(store.get('a')).toBe(answers[0] === 'updated' ? 'one' : 'two')
    expect(await adapter.update(await adapter.etag(), new Map([['a', 'three']]))).toBe('updated')
  })

  it('throws for a change that the store refuses, and for a store that does not exist', async () => {
    const { adapter, api } = await start()
    const tooMany = new Map(Array.from({ length: 51 }, (_, index) => [`k${index}`, '']))
    await expect(adapter.update(await adapter.etag(), tooMany)).rejects.toThrow('At most 50 keys')
    await expect(adapterFor(api, `${keyValueStoreArn}x`).etag()).rejects.toThrow('There is no arn:')
  })

  it('throws when the store does not answer, after three tries', async () => {
    let tries = 0
    const broken = createServer((_, response) => {
      tries += 1
      response.writeHead(500, { 'x-amzn-errortype': 'InternalServerException' }).end('{}')
    })
    const listening = await listen(broken, 0)
    const adapter = adapterFor({ ...listening, url: `http://localhost:${listening.port}` })
    await expect(adapter.etag()).rejects.toThrow(expect.objectContaining({ name: 'InternalServerException' }))
    expect(tries).toBe(3)
  })
})

it('refuses a request without a signature of version 4A, as the API does', async () => {
  const { api } = await start()
  const path = `/key-value-stores/${encodeURIComponent(keyValueStoreArn)}`
  const answer = await fetch(`http://127.0.0.1:${api.port}${path}`)
  expect([answer.status, answer.headers.get('x-amzn-errortype')]).toEqual([403, 'AccessDeniedException'])
})
