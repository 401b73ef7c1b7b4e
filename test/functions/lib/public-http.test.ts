import type { LookupAddress, LookupOptions, lookup as systemLookup } from 'node:dns'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { connect, isIP } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { NotReadable, publicJson, publicPost } from '../../../functions/lib/http/public-http.ts'
import { listen } from '../../../local/listen.ts'

type LookedUp = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void

/** A resolver that knows these addresses of every name, and what it was asked. */
function resolver(found: readonly LookupAddress[], error: NodeJS.ErrnoException | null = null) {
  const asked: { name: string; all: boolean | undefined }[] = []
  const lookup = (name: string, { all }: LookupOptions, done: LookedUp) => {
    asked.push({ name, all })
    setImmediate(done, error, [...found])
  }
  return { asked, lookup: lookup as unknown as typeof systemLookup }
}

const at = (...addresses: string[]) => addresses.map((address) => ({ address, family: isIP(address) }))

/** A site of this machine that answers every request in the same way, and what came to it. */
async function startSite(answer: (response: ServerResponse) => void) {
  const came = { connections: 0, paths: [] as (string | undefined)[] }
  const server = createServer((request, response) => {
    came.paths.push(request.url)
    answer(response)
  })
  server.on('connection', () => {
    came.connections += 1
  })
  return { ...(await listen(server, 0)), came }
}

const answering =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)

/** Reads from a site on this machine; returns the value or the failure, and the requested paths. */
async function read(answer: (response: ServerResponse) => void) {
  const { url, came, stop } = await startSite(answer)
  const reading = publicJson({ allowsAnyAddress: true })(`${url}/keys`)
  const outcome: { json?: unknown; reason?: string } = await reading.then((json) => ({ json }), reasonOf)
  await stop()
  return { ...outcome, paths: came.paths }
}

/** Why it cannot be read; fails for any other error. */
function reasonOf(error: unknown): { reason: string } {
  if (error instanceof NotReadable) return { reason: error.message }
  throw error
}

const refusal = (reading: Promise<unknown>) =>
  reading.then((json) => expect.fail(`has read ${json}`), reasonOf).then(({ reason }) => reason)

/** A JSON text of so many bytes. */
const jsonOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))

describe('reading JSON from an address that a marketer has named', async () => {
  const inside = await startSite(answering(200, '{}'))
  afterAll(() => inside.stop())

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[::7f00:1]',
    '[4000::1]',
    '[2002:7f00:1::]',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.0.1.',
    '0',
  ])('connects to no address that is not public: %s', async (host) => {
    const { asked, lookup } = resolver(at('127.0.0.1'))
    const readJson = publicJson({ allowsAnyAddress: false, lookup })
    expect(await refusal(readJson(`https://${host}/`))).toBe('it is not a public address')
    expect(await refusal(readJson(`https://${host}:${inside.port}/`))).toBe('it is not a public address')
    expect(asked).toEqual([])
    expect(inside.came.connections).toBe(0)
  })

  it.each([
    ['to this machine', at('127.0.0.1')],
    ['to this machine, by IPv6', at('::1')],
    ['to this machine, by IPv4 inside IPv6', at('::ffff:127.0.0.1')],
    ['to a private network', at('10.0.0.1')],
    ['to a private network, by IPv6', at('fd00:ec2::254')],
    ['to a link with a zone', at('fe80::1%eth0')],
    ['to the metadata of a cloud', at('169.254.169.254')],
    ['to a public address and then a private one', at('93.184.216.34', '127.0.0.1')],
    ['to a private address and then a public one', at('127.0.0.1', '93.184.216.34')],
    ['to a public address, and a private one by IPv6', at('93.184.216.34', '::1')],
    ['to no address', []],
  ])('connects to no name that leads %s', async (_, found) => {
    const { asked, lookup } = resolver(found)
    const reading = publicJson({ allowsAnyAddress: false, lookup })(`https://keys.example:${inside.port}/`)
    expect(await refusal(reading)).toBe('its name leads to an address that is not public')
    expect(asked).toEqual([{ name: 'keys.example', all: true }])
    expect(inside.came.connections).toBe(0)
  })

  it('connects to a name that leads to public addresses only', async () => {
    // Sends nothing: the addresses pass the check, and then are of no family to which a connection could be opened.
    const { asked, lookup } = resolver(
      ['93.184.216.34', '2606:4700::1', '::ffff:93.184.216.34'].map((address) => ({ address, family: 0 })),
    )
    const reading = publicJson({ allowsAnyAddress: false, lookup })('https://keys.example/')
    expect(await refusal(reading)).toBe('it cannot be reached (ERR_INVALID_ADDRESS_FAMILY)')
    expect(asked).toHaveLength(1)
  })

  it('says that a name is unknown', async () => {
    const { lookup } = resolver([], Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }))
    const reading = publicJson({ allowsAnyAddress: false, lookup })('https://keys.example/')
    expect(await refusal(reading)).toBe('it cannot be reached (ENOTFOUND)')
  })

  it.each(['http://keys.example/', 'http://93.184.216.34/', 'ftp://keys.example/', 'file:///etc/passwd'])(
    'needs https: %s',
    async (url) => {
      const { asked, lookup } = resolver(at('93.184.216.34'))
      const reading = publicJson({ allowsAnyAddress: false, lookup })(url)
      expect(await refusal(reading)).toBe('it is not an https address')
      expect(asked).toEqual([])
    },
  )
})

describe('reading JSON on one machine', () => {
  it('takes http and an address of this machine', async () => {
    const { json, paths } = await read(answering(200, '{"keys":[1]}'))
    expect(json).toEqual({ keys: [1] })
    expect(paths).toEqual(['/keys'])
  })

  it.each(['ftp://keys.example/', 'file:///etc/passwd', 'data:application/json,{}'])(
    'takes no other protocol: %s',
    async (url) => {
      const reading = publicJson({ allowsAnyAddress: true })(url)
      expect(await refusal(reading)).toBe('it is not an https address')
    },
  )

  it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    const { reason, paths } = await read(answering(status, '{}', { location: '/elsewhere' }))
    expect(reason).toBe(`it answers ${status}, and must answer 200 without a redirect`)
    expect(paths).toEqual(['/keys'])
  })

  it.each([201, 204, 404, 500])('takes no answer but 200: %i', async (status) => {
    const { reason, paths } = await read(answering(status, status === 204 ? '' : '{}'))
    expect(reason).toBe(`it answers ${status}, and must answer 200 without a redirect`)
    expect(paths).toHaveLength(1)
  })

  it.each([
    ['a page', '<html></html>'],
    ['nothing', ''],
    ['half of an object', '{"keys":'],
    ['text that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('takes nothing but JSON: %s', async (_, body) => {
    expect((await read(answering(200, body))).reason).toBe('what it answers is not JSON')
  })

  it('takes 100,000 bytes and no more', async () => {
    expect((await read(answering(200, jsonOf(100_000)))).json).toHaveLength(99_998)
    expect((await read(answering(200, jsonOf(100_001)))).reason).toBe('it answers more than 100000 bytes')
  })

  it('ends an answer that is too long, and does not wait for its end', async () => {
    const ended = Promise.withResolvers<void>()
    const { reason } = await read((response) => {
      response.once('close', ended.resolve)
      response.writeHead(200).write(jsonOf(100_001))
    })
    expect(reason).toBe('it answers more than 100000 bytes')
    await ended.promise
  })

  it('says by its code why there was no connection', async () => {
    const { url, stop } = await listen(createServer(), 0)
    await stop()
    expect(await refusal(publicJson({ allowsAnyAddress: true })(url))).toBe('it cannot be reached (ECONNREFUSED)')
  })

  it('says by its code that the connection broke in the middle of an answer', async () => {
    const { reason } = await read((response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('{"keys":', () => response.destroy())
    })
    expect(reason).toBe('it cannot be reached (ECONNRESET)')
  })

  it('resolves the name once for each read, and connects to the address that it got', async () => {
    const site = await startSite(answering(200, '{}'))
    const { asked, lookup } = resolver(at('127.0.0.1'))
    const readJson = publicJson({ allowsAnyAddress: true, lookup })
    const url = `http://keys.example:${site.port}/`
    const question = { name: 'keys.example', all: true }
    expect(await readJson(url)).toEqual({})
    expect(asked).toEqual([question])
    expect(await readJson(url)).toEqual({})
    expect(asked).toEqual([question, question])
    expect(site.came.connections).toBe(2)
    await site.stop()
  })
})

describe('posting to an address that a marketer has named', () => {
  it.each([
    ['an address that is not public', 'https://0x7f.1/', 'it is not a public address'],
    ['a name that leads to one', 'https://shop.example/', 'its name leads to an address that is not public'],
    ['http', 'http://shop.example/', 'it is not an https address'],
  ])('has the rules of reading, for %s', async (_, url, reason) => {
    const { lookup } = resolver(at('93.184.216.34', '10.0.0.1'))
    expect(await refusal(publicPost({ allowsAnyAddress: false, lookup })(url, {}, 'x'))).toBe(reason)
  })

  it('sends headers and body, and answers with the status alone, also of a redirect', async () => {
    for (const status of [200, 302, 410, 500]) {
      const came: { method?: string | undefined; mark?: unknown; body: string }[] = []
      const server = createServer(async (request, response) => {
        let body = ''
        for await (const chunk of request) body += chunk
        came.push({ method: request.method, mark: request.headers['webhook-id'], body })
        response.writeHead(status, { location: '/elsewhere' }).end('and so on')
      })
      const { url, stop } = await listen(server, 0)
      const sent = { 'webhook-id': 'mug_2' }
      expect(await publicPost({ allowsAnyAddress: true })(`${url}/events`, sent, 'größe')).toBe(status)
      expect(came).toEqual([{ method: 'POST', mark: 'mug_2', body: 'größe' }])
      await stop()
    }
  })

  it('reads the answer of a receiver that sends its status first to its end, so that its work is not cut off', async () => {
    const ended = Promise.withResolvers<boolean>()
    const other = await startSite(answering(200, '{}'))
    const receiver = await startSite(async (response) => {
      response.once('close', () => ended.resolve(response.writableFinished))
      response.writeHead(200).write('o')
      // Its work, which takes longer than the status is on its way.
      await publicJson({ allowsAnyAddress: true })(other.url)
      response.end('k')
    })
    expect(await publicPost({ allowsAnyAddress: true })(receiver.url, {}, 'x')).toBe(200)
    expect(await ended.promise).toBe(true)
    await Promise.all([receiver.stop(), other.stop()])
  })

  it('reads 64 kB of an answer, and ends a longer one', async () => {
    const closed = Promise.withResolvers<void>()
    const { url, stop } = await startSite((response) => {
      response.once('close', closed.resolve)
      response.writeHead(200).write('x'.repeat(64 * 1024 + 1))
    })
    expect(await publicPost({ allowsAnyAddress: true })(url, {}, 'x')).toBe(200)
    await closed.promise
    await stop()
  })

  it.each([
    ['does not end in time', () => {}, 'it does not answer within 0.05 s'],
    ['breaks off', (response: ServerResponse) => response.destroy(), 'it cannot be reached (ECONNRESET)'],
  ])('takes no status of an answer that %s', async (_, then, reason) => {
    const { url, stop } = await startSite((response) => {
      response.writeHead(200).write('o', () => then(response))
    })
    const limitMs = reason.includes('within') ? 50 : 10_000
    expect(await refusal(publicPost({ allowsAnyAddress: true }, limitMs)(url, {}, 'x'))).toBe(reason)
    await stop()
  })
})

/** A server in a thread of its own that accepts no connection before `gate[0]` is set. */
const acceptsLater = `
  const { createServer } = require('node:http')
  const { parentPort, workerData: gate } = require('node:worker_threads')
  const server = createServer((request, response) => response.end('ok'))
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(gate, 0, 0)
  })
`

describe('a server with two addresses', () => {
  /** The first address answers no connection until `release`: its queue is full, and the kernel drops what else comes. */
  async function startBlocked() {
    const gate = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(acceptsLater, { eval: true, workerData: gate })
    const [port] = await once(worker, 'message')
    const waiting = [1, 2, 3, 4].map(() => connect(port, '127.0.0.1').on('error', () => {}))
    await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')))
    const release = () => {
      for (const socket of waiting) socket.destroy()
      Atomics.store(gate, 0, 1)
      Atomics.notify(gate, 0)
    }
    return { url: `http://far.example:${port}/`, port, release, stop: () => worker.terminate() }
  }
  const post = (url: string, limitMs?: number) => {
    const { lookup } = resolver(at('127.0.0.1', '127.0.0.2'))
    return publicPost({ allowsAnyAddress: true, lookup }, limitMs)(url, {}, 'x')
  }

  it('is reached at the first, which connects slowly, though the second is dead', async () => {
    const { url, release, stop } = await startBlocked()
    const posted = post(url)
    release()
    expect(await posted).toBe(200)
    await stop()
  })

  it('is reached at the second when the first does not answer', async () => {
    const { url, port, release, stop } = await startBlocked()
    const second = createServer((_, response) => response.writeHead(202).end()).listen(port, '127.0.0.2')
    await once(second, 'listening')
    expect(await post(url, 2000)).toBe(202)
    release()
    second.close()
    await stop()
  })
})

describe('a request to a server of another company', () => {
  it.each([
    ['with the address of the shop', 'https://shop.example', ` (+https://shop.example)`],
    ['without it where it is not known', undefined, ''],
  ])('has a User-Agent, which common firewalls want, %s', async (_, shopUrl, shop) => {
    const came: IncomingHttpHeaders[] = []
    const server = createServer((request, response) => {
      came.push(request.headers)
      response.end('{}')
    })
    const { url, stop } = await listen(server, 0)
    await publicJson({ allowsAnyAddress: true, shopUrl })(url)
    await publicPost({ allowsAnyAddress: true, shopUrl })(url, { 'content-type': 'application/json' }, '{}')
    await stop()
    const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'))
    const named = { accept: 'application/json', 'user-agent': `Sluice/${version}${shop}` }
    expect(came).toMatchObject([named, { ...named, 'content-type': 'application/json' }])
  })
})
