/** The command that injects faults into the running local system. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { injectUsage, runInject } from '../../local/inject.ts'
import { listen } from '../../local/listen.ts'
import { useStops } from '../stops.ts'

const stops = useStops()

async function inject(args: string, { status = 204, exported = '' } = {}) {
  const asked: unknown[] = []
  const lines: string[] = []
  const complaints: string[] = []
  const server = createServer(async (request, response) => {
    asked.push([`${request.method} ${request.url}`, JSON.parse(await text(request))])
    response.writeHead(status).end(status === 204 ? '' : 'database must be one of main')
  })
  const { url, stop } = await listen(server, 0)
  stops.push(stop)
  const code = await runInject(args.split(' '), {
    print: (line) => lines.push(line),
    printError: (line) => complaints.push(line),
    environment: { url: exported || undefined, token: undefined },
    running: async () => url,
  })
  return { code, asked, lines, complaints }
}

describe('npm run inject', () => {
  it.each([
    ['redis db-2 lose', { target: 'redis', database: 'db-2', mode: 'lose' }],
    ['redis blackhole --for 1.5', { target: 'redis', mode: 'blackhole', forMs: 1500 }],
    ['sqs down --rate 0.5', { target: 'sqs', mode: 'down', rate: 0.5 }],
    ['payments slow --latency 900', { target: 'payments', mode: 'slow', latencyMs: 900 }],
    ['s3 none', { target: 's3', mode: 'none' }],
    ['end', null],
  ])('asks the running system for "%s"', async (args, fault) => {
    const { code, asked, lines } = await inject(args)
    expect(asked).toEqual([['POST /local/faults', fault]])
    expect([code, lines.length]).toEqual([0, 1])
  })

  it('says how to end a fault', async () => {
    const { lines } = await inject('redis db-2 down --for 60')
    expect(lines).toEqual(['redis db-2 down for 60 s.\nEnd it: npm run inject -- end'])
  })

  it.each([
    ['', 'Name a target'],
    ['moon down', 'Name a target'],
    ['redis db-2 db-3 down', 'Name a target'],
    ['redis', 'Name a mode'],
    ['redis odd', 'Name a mode'],
    ['redis down --for soon', '--for must be a number'],
    ['redis down --speed 9', '--speed'],
    ['redis down --url https://shop.example', 'is not this machine'],
    ['redis down --url http://127.0.0.1:1', 'Nothing answers'],
  ])('explains itself after "%s", and asks for nothing', async (args, why) => {
    const { code, asked, complaints } = await inject(args)
    expect([code, asked]).toEqual([2, []])
    expect(complaints[0]).toContain(why)
    expect(complaints[0]).toContain(injectUsage)
  })

  it('never reaches the deployed shop that SLUICE_URL names', async () => {
    const { code, asked, complaints } = await inject('redis down', { exported: 'https://shop.example' })
    expect([code, asked]).toEqual([2, []])
    expect(complaints[0]).toContain('https://shop.example (SLUICE_URL) is not this machine')
  })

  it('shows why the system refuses a fault', async () => {
    const { code, complaints } = await inject('redis db-9 down', { status: 400 })
    expect(code).toBe(1)
    expect(complaints).toEqual(['The system answered 400: database must be one of main'])
  })
})
