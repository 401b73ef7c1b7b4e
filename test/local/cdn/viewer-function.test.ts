/** The event of CloudFront's viewer-side functions, and the globals where they run. */
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createKeyValueStore } from '../../../local/cdn/key-value-store.ts'
import { loadViewerFunction, type Viewer, viewerEvent } from '../../../local/cdn/viewer-function.ts'
import { newFolder } from '../../folders.ts'

const folder = newFolder('viewer')
let files = 0
/** The result of a function with this body for the viewer. */
async function run(body: string, change: Partial<Viewer> = {}) {
  files += 1
  const file = join(folder, `${files}.js`)
  await writeFile(file, `function handler(event) { ${body} }`)
  const viewer = { ip: '203.0.113.7', method: 'GET', url: '/api/orders', rawHeaders: [], ...change }
  return (await loadViewerFunction(file))(viewerEvent(viewer))
}

describe('the event of a viewer function', () => {
  it('has the client and the request', async () => {
    const seen = await run('return JSON.stringify([event.version, event.context, event.viewer, event.request])', {
      method: 'POST',
      url: '/api/x?a=1',
    })
    const [version, context, viewer, request] = JSON.parse(String(seen))
    expect([version, context.eventType, viewer]).toEqual(['1.0', 'viewer-request', { ip: '203.0.113.7' }])
    expect(request).toMatchObject({ method: 'POST', uri: '/api/x' })
  })

  it('has headers under their lower-case names, each with all its values, and cookies separately', async () => {
    const rawHeaders = [
      ...['Content-Type', 'application/json', 'X-Two', 'a', 'x-two', 'b', 'constructor', 'c'],
      ...['Cookie', 'a=1; b=x=y', 'cookie', 'a=2;flag'],
    ]
    expect(await run('return event.request.headers', { rawHeaders })).toEqual({
      'content-type': { value: 'application/json' },
      'x-two': { value: 'a', multiValue: [{ value: 'a' }, { value: 'b' }] },
      constructor: { value: 'c' },
    })
    expect(await run('return event.request.cookies', { rawHeaders })).toEqual({
      a: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] },
      b: { value: 'x=y' },
      flag: { value: '' },
    })
  })

  it('has the raw query, still encoded', async () => {
    const url = '/orders?id=a%26b&x=1&x=2&flag&'
    expect(await run('return event.request.querystring', { url })).toEqual({
      id: { value: 'a%26b' },
      x: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] },
      flag: { value: '' },
    })
    expect(await run('return event.request.querystring')).toEqual({})
  })
})

describe('a viewer function', () => {
  it('has no globals of Node and cannot turn text into code', async () => {
    const names = ['process', 'require', 'module', 'Buffer', 'fetch', 'setTimeout', 'URL']
    expect(await run(`return [${names.map((name) => `typeof ${name}`)}].join()`)).toBe(
      names.map(() => 'undefined').join(),
    )
    await expect(run("return eval('1')")).rejects.toThrow('Code generation from strings disallowed')
  })

  it('must be called handler, as CloudFront expects', async () => {
    const file = join(folder, 'nameless.js')
    await writeFile(file, 'function handle(event) { return event.request }')
    await expect(loadViewerFunction(file)).rejects.toThrow('no function named handler')
  })
})

describe('the modules of runtime 2.0', () => {
  const visit = viewerEvent({ ip: '203.0.113.7', method: 'GET', url: '/', rawHeaders: [] })
  const kvs = "import cf from 'cloudfront';\nconst kvs = cf.kvs()\n"

  async function load(source: string, store = openStore().location(0)) {
    files += 1
    const file = join(folder, `${files}.js`)
    await writeFile(file, source)
    return loadViewerFunction(file, store)
  }

  function openStore() {
    const store = createKeyValueStore({ now: () => 1_796_000_000_000, maxDelayMs: 0 })
    store.update(store.facts().etag, { puts: [{ key: 'a', value: 'text' }], deletes: [] })
    return store
  }

  it('read the store: get and exists', async () => {
    const handler = await load(`// A comment.\n/* Another\n one. */\n${kvs}
      async function handler() {
        const a = await kvs.get('a')
        const known = await kvs.exists('a')
        const unknown = await kvs.exists('c')
        return [a, known, unknown].join()
      }`)
    expect(await handler(visit)).toBe('text,true,false')
  })

  it('reject a read of a missing key, which a function may catch', async () => {
    const handler = await load(`${kvs}
      async function handler() {
        try { return await kvs.get('c') } catch (error) { return 'missing' }
      }`)
    expect(await handler(visit)).toBe('missing')
    const careless = await load(`${kvs}async function handler() { return await kvs.get('c') }`)
    await expect(careless(visit)).rejects.toThrow('KeyNotFound')
  })

  it('reject every read while the store is unreachable', async () => {
    const down = () => {
      throw new Error('unreachable')
    }
    const handler = await load(`${kvs}async function handler() { return await kvs.exists('a') }`, { get: down })
    await expect(handler(visit)).rejects.toThrow('unreachable')
  })

  it('sign with HMAC and SHA-256', async () => {
    const handler = await load(`import crypto from 'crypto'
      function handler() {
        const sign = (encoding) => crypto.createHmac('sha256', 'key').update('a').update('b').digest(encoding)
        return [sign('hex'), sign('base64'), sign('base64url')].join()
      }`)
    const sign = (encoding: 'hex' | 'base64' | 'base64url') => createHmac('sha256', 'key').update('ab').digest(encoding)
    expect(await handler(visit)).toBe([sign('hex'), sign('base64'), sign('base64url')].join())
    const other = await load("import crypto from 'crypto'\nfunction handler() { crypto.createHmac('md5', 'k') }")
    expect(() => other(visit)).toThrow('md5 is not emulated')
  })

  it('are refused without a store, with another name, and behind the first lines', async () => {
    const file = join(folder, 'no-store.js')
    await writeFile(file, `${kvs}function handler() {}`)
    await expect(loadViewerFunction(file)).rejects.toThrow('no associated key-value store')
    await expect(load("import fs from 'fs'\nfunction handler() {}")).rejects.toThrow("no module 'fs'")
    await expect(load(`const a = 1\n${kvs}function handler() {}`)).rejects.toThrow(SyntaxError)
  })

  it('leave no other global behind', async () => {
    const handler = await load(`${kvs}function handler() { return typeof imported }`)
    expect(handler(visit)).toBe('undefined')
  })
})
