import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { listen } from '../../../local/listen.ts'
import { type Host, startHost } from '../../../local/process/rpc.ts'
import { playRounds } from '../../../proof/bench/harness.ts'
import { startLoad } from '../../../proof/bench/load/clicks.ts'
import { parseFirstAnswer, postText } from '../../../proof/bench/load/http-text.ts'
import { losingClicksPerOrder } from '../../../proof/bench/peers/measured-system.ts'
import { checkedFolder, peerProjects, startPeer } from '../../../proof/bench/peers/peer.ts'
import { type PeerRound, type PlayedLane, summary } from '../../../proof/bench/peers/table.ts'
import { measurePeers, usualPeers } from '../../../proof/bench/peers.ts'
import { processesBelow } from '../../local/npm-start.ts'

const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})

function start(file: URL): Host {
  const host = startHost(file.href, 'inherit', () => {})
  running.push({ stop: () => host.stop(10_000) })
  return host
}

describe('an answer in received text', () => {
  const plain = 'HTTP/1.1 202 Accepted\r\nContent-Length: 4\r\n\r\nbody'
  const chunked = 'HTTP/1.1 410 Gone\r\ntransfer-encoding: chunked\r\n\r\n3\r\nsol\r\n2\r\nd!\r\n0\r\n\r\n'

  it.each([
    ['a length', plain, '202 body'],
    ['chunks', chunked, '410 sold!'],
  ])('is complete with its last byte when it has %s', (_, text, answer) => {
    for (let end = 0; end < text.length; end += 1) expect(parseFirstAnswer(text.slice(0, end))).toBeUndefined()
    expect(parseFirstAnswer(text)).toEqual({ answer, rest: '' })
    expect(parseFirstAnswer(`${text}HTTP/1.1`)).toEqual({ answer, rest: 'HTTP/1.1' })
  })

  it('must say how long it is', () => {
    expect(() => parseFirstAnswer('HTTP/1.1 200 OK\r\ndate: today\r\n\r\n')).toThrow('has no length')
  })
})

describe('the load', () => {
  const connections = 64
  async function clickOn(answer: (shopper: string) => string, timeoutMs = 60_000) {
    const seen: string[] = []
    const server = createServer((request, response) => {
      const shopper = String(request.headers['x-shopper'])
      seen.push(`${request.method} ${request.url} ${shopper}`)
      const text = answer(shopper)
      request.resume().once('end', () => text !== '' && response.end(text))
    })
    const { port, stop } = await listen(server, 0)
    running.push({ stop })
    const names = Array.from({ length: 3 * connections }, (_, number) => `shopper-${number}`)
    const requests = names.map((name) => postText(port, { path: '/buy', headers: { 'x-shopper': name }, body: '{}' }))
    const load = startLoad()
    running.push(load)
    const played = load.click({ port, requests, expected: '^200 .*RESERVED' }, { connections, timeoutMs })
    return { names, seen, played }
  }

  it('sends each request once and measures until the last answer', async () => {
    const before = Date.now()
    const { names, seen, played } = await clickOn(() => '{"status":"RESERVED"}')
    const { startedAt, seconds, p50Ms, p99Ms } = await played
    expect(seen.toSorted()).toEqual(names.map((name) => `POST /buy ${name}`).toSorted())
    expect(startedAt).toBeGreaterThanOrEqual(before)
    expect(1000 * seconds).toBeGreaterThanOrEqual(p99Ms - 0.1)
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms)
  })

  it('ends with the first answer of another kind', async () => {
    const { played } = await clickOn((shopper) => (shopper === 'shopper-100' ? 'no unit – sold out' : 'RESERVED'))
    await expect(played).rejects.toThrow('a request was answered 200 no unit – sold out')
  })

  it('ends when a request is not answered in time', async () => {
    const { played } = await clickOn((shopper) => (shopper === 'shopper-100' ? '' : 'RESERVED'), 500)
    const others = 3 * connections - 1
    await expect(played).rejects.toThrow(`${others} of ${others + 1} requests were answered within 0.5 s`)
  })
})

describe('the process of another project', () => {
  const isStopped = (pid: number) => / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const programs = () =>
    processesBelow(process.pid).filter(({ command }) => /^\S*node\b.*waiting-peer-program/.test(command))

  it('resumes its programs between an offer and the pause, and leaves nothing', async () => {
    const host = start(new URL('./waiting-peer-host.ts', import.meta.url))
    await host.start({ folder: tmpdir() }, z.object({ port: z.number() }))
    const [program, ...others] = programs()
    if (program === undefined) throw new Error('the program does not run')
    expect(others).toEqual([])
    const dir = program.command.split(' ').find((word) => word.includes('sluice-peer-')) ?? ''
    expect(existsSync(join(dir, 'api.log'))).toBe(true)
    await expect.poll(() => isStopped(program.pid)).toBe(true)

    await host.call('offer', { stock: 7, programs: ['API'] }, z.null())
    await expect.poll(() => isStopped(program.pid)).toBe(false)
    const writing = (count: number) => host.call('untilWritten', { count, timeoutMs: 300 }, z.number())
    expect(await writing(7)).toBe(1_000_007)
    await expect(writing(8)).rejects.toThrow('7 of 8 orders were written within 0.3 s')
    expect(await host.call('processorTime', null, z.record(z.string(), z.number()))).toHaveProperty('API')
    await host.call('rest', null, z.null())
    await expect.poll(() => isStopped(program.pid)).toBe(true)

    await host.stop(10_000)
    expect(programs()).toEqual([])
    expect(existsSync(dir)).toBe(false)
  })

  it('is replaced after a failure, and needs a warm-up in each of its lanes', async () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url))
    const { stdout: commit } = await promisify(execFile)('git', ['-C', root, 'rev-parse', 'HEAD'])
    const [jim] = peerProjects
    if (jim === undefined) throw new Error('there are no projects')
    const lanes = ['tuned', 'as shipped'].map((name) => ({ name, programs: ['API'], writesOrders: true }))
    const hostFile = new URL('./waiting-peer-host.ts', import.meta.url)
    const project = { ...jim, commit: commit.trim(), requires: 'package.json', hostFile, lanes }
    const peer = await startPeer(project, root, 3)
    running.push(peer)
    const [tuned, shipped] = peer.systems
    if (tuned === undefined || shipped === undefined) throw new Error('a lane is missing')
    const needWarmUp = () => [tuned, shipped].map((system) => system.needsWarmUp())
    const [first] = programs()
    expect(needWarmUp()).toEqual([false, false])

    await tuned.recover()
    expect(programs()).toHaveLength(1)
    expect(programs()[0]?.pid).not.toBe(first?.pid)
    expect(needWarmUp()).toEqual([true, true])
    const { buys, losing } = await tuned.offer()
    expect([buys.requests.length, losing.requests.length, losing.port]).toEqual([
      3,
      3 * losingClicksPerOrder,
      buys.port,
    ])
    await tuned.untilWritten()
    expect(await tuned.lastWrittenAt()).toBe(1_000_003)
    await tuned.pause()
    expect(needWarmUp()).toEqual([false, true])
  })
})

describe('the comparison', () => {
  const rounds = (accepted: number, durable: number, soldOut: number): PeerRound[] =>
    [0.5, 1, 2].map((factor) => ({
      ...{ accepted: accepted * factor, durable: durable * factor, soldOut: soldOut * factor },
      writtenMs: 1000,
      answer: { p50Ms: 1, p99Ms: 2 },
      before: new Map([['API', 1000]]),
      after: new Map([
        ['API', 2500],
        ['Redis', 300],
      ]),
    }))
  const lane = (name: string, played: PlayedLane['rounds']): PlayedLane => ({
    system: { name },
    rounds: played,
    failures: [],
  })
  const [jim, lug] = ['JIM tuned', 'LUG']
  const ours = [
    lane('Sluice, one at a time', rounds(3000, 1500, 30_000)),
    lane('Sluice, many at once', rounds(3500, 1800, 30_000)),
  ]

  it('judges Sluice by its processes of one request at a time, round by round', () => {
    const theirs = [lane(jim, rounds(1000, 250, 25_000)), lane(lug, rounds(5000, 500, 8000))]
    const { headings, lines } = summary(3000, [...ours, ...theirs])
    expect(headings).toEqual(['Sluice, one at a time', 'Sluice, many at once', 'JIM tuned', 'LUG'])
    expect(lines.slice(0, 3)).toMatchObject([
      { what: 'orders in the database/s, Sluice ÷ LUG', value: ['3.00', '3.60'], target: '≥ 3', met: true },
      { what: 'answers to losing clicks/s, Sluice ÷ JIM tuned', value: ['1.20', '1.20'], met: false },
      { what: 'orders accepted/s, Sluice with admission open', value: ['3000', '3500'], met: true },
    ])
    expect(lines[3]).toMatchObject({ value: ['3', '3', '3', '3'], target: '3 each', met: true })
    expect(lines[4]).toEqual({ what: 'orders accepted/s', value: ['3,000', '3,500', '1,000', '5,000'] })
    const cost = lines.find(({ what }) => what === 'processor time of an order, µs')
    expect(cost?.value[3]).toBe('600')
  })

  it('has no target against a project that was not measured', () => {
    const { lines } = summary(3000, [...ours, lane(lug, rounds(5000, 500, 8000))])
    expect(lines.filter(({ target }) => target !== undefined).map(({ what }) => what)).toEqual([
      'orders in the database/s, Sluice ÷ LUG',
      'orders accepted/s, Sluice with admission open',
      'rounds that ended, of which the others are medians',
    ])
  })

  it('keeps the completed rounds next to a failed one, and names the failures of each lane', () => {
    const [slow, , fast] = rounds(5000, 500, 8000)
    const why = '900 of 1,500 orders were written within 120 s'
    const failures = ['warm-up 1 of 4', 'round 2 of 3'].map((when) => ({ when, why }))
    const broken = { ...lane(lug, [slow, undefined, fast]), failures: [...failures, { when: 'round 2', why: 'x' }] }
    const { lines } = summary(3000, [...ours, broken])
    const lineNamed = (what: string) => lines.find((line) => line.what === what)
    expect(lineNamed('orders in the database/s, Sluice ÷ LUG')).toMatchObject({ value: ['3.00', '3.60'] })
    expect(lineNamed('orders accepted/s')?.value).toEqual(['3,000', '3,500', '2,500'])
    const ended = { value: ['3', '3', '2'], target: '3 each', met: false }
    expect(lineNamed('rounds that ended, of which the others are medians')).toMatchObject(ended)
    expect(lineNamed('LUG failed')?.value).toBe(`3 times: ${why} (warm-up 1 of 4, round 2 of 3); x (round 2)`)
  })

  it('shows a lane without a completed round, and misses the targets against it', () => {
    const { lines } = summary(3000, [...ours, lane(lug, [undefined, undefined, undefined])])
    expect(lines[0]).toMatchObject({ value: ['–', '–'], met: false })
    expect(lines.find(({ what }) => what === 'orders accepted/s')?.value).toEqual(['3,000', '3,500', '–'])
    const none = summary(3000, [lane('Sluice, one at a time', [undefined]), lane('Sluice, many at once', [undefined])])
    expect(none.lines[0]).toMatchObject({ value: ['–', '–'], met: false })
  })

  it('begins each round with another system', async () => {
    const order: string[] = []
    const turns = { rounds: 3, warmUps: 1, isRotated: true }
    await playRounds(['a', 'b', 'c'], turns, async (lane, round) => order.push(`${round}${lane}`))
    expect(order.join(' ')).toBe('0a 0b 0c 1b 1c 1a 2c 2a 2b 3a 3b 3c')
  })

  it('asks for the folder of a project', async () => {
    await expect(measurePeers({ ...usualPeers, orders: 1 })).rejects.toThrow('--jim or --lug')
  })

  it('refuses a folder with other sources', async () => {
    const [project] = peerProjects
    if (project === undefined) throw new Error('there are no projects')
    await expect(checkedFolder(project, import.meta.dirname)).rejects.toThrow(/^--jim: .*, not f452782$/)
  })
})
