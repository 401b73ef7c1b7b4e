/** A process of the local system that is forked, ends by itself, and is forked again. */
import { closeSync, openSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type Host, startHost } from '../../local/process/rpc.ts'
import { processesBelow } from './npm-start.ts'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop(1000)
})

// Seen from the folder of rpc.ts.
const entry = '../../test/local/restarting-host.ts'
const forked = () => processesBelow(process.pid).filter(({ command }) => command.includes('restarting-host.ts'))

async function startAndKill(secondStart: 'works' | 'fails' | 'ends') {
  const ends: string[] = []
  const ended = Promise.withResolvers<() => Promise<void>>()
  const host = startHost(entry, 'inherit', (why, again) => {
    ends.push(why)
    ended.resolve(again)
  })
  hosts.push(host)
  const { pid } = await host.start({ secondStart }, z.object({ pid: z.number() }))
  process.kill(pid, 'SIGKILL')
  return { host, pid, ends, again: await ended.promise }
}

describe('a host that ends by itself', () => {
  it('is reported, and refuses calls until it is forked again with its settings', async () => {
    const { host, pid, ends, again } = await startAndKill('works')
    expect(ends).toEqual(['SIGKILL'])
    await expect(host.call('pid', null, z.number())).rejects.toThrow('has ended')
    await again()
    expect(await host.call('pid', null, z.number())).not.toBe(pid)
    expect(forked()).toHaveLength(1)
  })

  it.each([
    ['fails', 'Port 12000 is in use.'],
    ['ends', 'has ended'],
  ] as const)('is one failed try and leaves no process when its second start %s', async (how, why) => {
    const { ends, again } = await startAndKill(how)
    await expect(again()).rejects.toThrow(why)
    await expect(again()).rejects.toThrow(why)
    expect(ends).toEqual(['SIGKILL'])
    expect(forked()).toEqual([])
  })

  it('is none that cannot write its log, as on a full disk: that is said once (I6)', async () => {
    const [ends, lost]: [string[], string[]] = [[], []]
    const full = openSync('/dev/full', 'w')
    const host = startHost(
      entry,
      full,
      (why) => ends.push(why),
      (why) => lost.push(why),
    )
    closeSync(full)
    hosts.push(host)
    await host.start({ secondStart: 'works' }, z.object({ pid: z.number() }))
    for (const _ of [1, 2]) await host.call('print', null, z.undefined())
    expect(lost).toEqual([expect.stringContaining('no space left')])
    expect(ends).toEqual([])
  })

  it('is not reported when it is stopped', async () => {
    const ends: string[] = []
    const host = startHost(entry, 'inherit', (why) => ends.push(why))
    await host.start({ secondStart: 'works' }, z.object({ pid: z.number() }))
    await host.stop(1000)
    expect(ends).toEqual([])
    expect(forked()).toEqual([])
  })
})
