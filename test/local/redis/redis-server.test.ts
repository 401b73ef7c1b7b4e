import { execFile } from 'node:child_process'
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChildExit } from '../../../local/child.ts'
import { acceptsConnections, freePort } from '../../../local/ports.ts'
import { redisPackage, unpackedProgram } from '../../../local/redis/redis-program.ts'
import { type RunningRedis, startRedis } from '../../../local/redis/redis-server.ts'
import { openLink } from '../../../local/upstash/link.ts'
import { newFolder } from '../../folders.ts'

async function call(redis: { port: number }, ...command: string[]): Promise<unknown> {
  const link = openLink({ host: '127.0.0.1', ...redis })
  try {
    const [reply] = await link.send([command])
    return Buffer.isBuffer(reply) ? reply.toString() : reply
  } finally {
    link.close()
  }
}

describe('the local Redis', () => {
  let folder: string
  const running: RunningRedis[] = []
  const start = async (options: Parameters<typeof startRedis>[0] = {}) => {
    const redis = await startRedis(options)
    running.push(redis)
    return redis
  }
  beforeEach(() => {
    folder = newFolder('redis')
  })
  afterEach(async () => {
    for (const redis of running.splice(0)) await redis.stop()
  })

  it('is a real one, ready when it is started, on a free port of the loopback interface', async () => {
    const redis = await start()
    expect(redis).toMatchObject({ kind: 'redis-server', host: '127.0.0.1' })
    expect(redis.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(await call(redis, 'PING')).toMatchObject({ text: 'PONG' })
    expect(await call(redis, 'CONFIG', 'GET', 'bind')).toEqual([Buffer.from('bind'), Buffer.from('127.0.0.1')])
    await redis.stop()
    expect(await acceptsConnections(redis.port)).toBe(false)
  })

  it('keeps nothing without a data folder, and everything with one', async () => {
    const without = await start({ port: await freePort() })
    expect(await call(without, 'CONFIG', 'GET', 'appendonly')).toEqual([Buffer.from('appendonly'), Buffer.from('no')])
    const before = await start({ dataDir: join(folder, 'data') })
    await call(before, 'SET', 'k', 'kept')
    await before.stop()
    const after = await start({ dataDir: join(folder, 'data') })
    expect(await call(after, 'GET', 'k')).toBe('kept')
  })

  it('names a port that is taken', async () => {
    const { port } = await start()
    await expect(startRedis({ port })).rejects.toThrow(`Port ${port} is in use`)
  })

  it('reports an unexpected end', async () => {
    const ended = Promise.withResolvers<ChildExit>()
    const redis = await start({ onExit: ended.resolve })
    await call(redis, 'SHUTDOWN', 'NOSAVE').catch(() => {})
    expect((await ended.promise).code).toBe(0)
  })

  it('is unpacked without root on a machine without one, once, also for two processes at a time', async () => {
    const lines: string[] = []
    const options = { env: { PATH: '' }, cacheDir: folder, log: (line: string) => lines.push(line) }
    const both = await Promise.all([start(options), start(options)])
    for (const redis of both) {
      expect(redis.kind).toBe('redis-server')
      expect(await call(redis, 'EVAL', "return cjson.encode({struct.pack('b', 65), bit.band(7, 2)})", '0')).toBe(
        '["A",2]',
      )
    }
    expect(await readdir(folder)).toEqual(['root'])
    expect(lines[0]).toContain('unpacking one into the project')
    const logged = lines.length
    await start(options)
    expect(lines).toHaveLength(logged)
  })

  it('is the program REDIS_SERVER_BIN names, before any other', async () => {
    const program = join(folder, 'my-redis')
    const { binary, libraryPath } = (await unpackedProgram(defaultCache, redisPackage, () => {})) ?? {
      binary: '',
      libraryPath: '',
    }
    await writeFile(
      program,
      `#!/bin/sh\n: > '${folder}/was-used'\nLD_LIBRARY_PATH='${libraryPath}' exec '${binary}' "$@"\n`,
    )
    await chmod(program, 0o755)
    await start({ env: { REDIS_SERVER_BIN: program, PATH: process.env.PATH } })
    expect(await readdir(folder)).toContain('was-used')
    await rm(join(folder, 'was-used'))
    await promisify(execFile)('ln', ['-s', program, join(folder, 'redis-server')])
    await start({ env: { PATH: `/nowhere:${folder}` } })
    expect(await readdir(folder)).toContain('was-used')
  })

  it('is a JavaScript replacement where there is no other, with a warning that it is slow', async () => {
    const { platform } = process
    const lines: string[] = []
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    try {
      const redis = await start({ env: { PATH: '/nowhere' }, cacheDir: folder, log: (line) => lines.push(line) })
      expect(redis.kind).toBe('js-redis-server')
      expect(lines).toEqual([expect.stringMatching(/^WARNING: .*slow under load/)])
      expect(await call(redis, 'EVAL', "return redis.call('INCR', KEYS[1])", '1', 'n')).toBe(1)
      const outside = Object.values(networkInterfaces())
        .flat()
        .find((one) => one?.family === 'IPv4' && !one.internal)
      if (outside !== undefined) expect(await acceptsConnections(redis.port, outside.address)).toBe(false)
    } finally {
      Object.defineProperty(process, 'platform', { value: platform })
    }
  })

  it('says why a named program does not start', async () => {
    await expect(startRedis({ env: { REDIS_SERVER_BIN: '/nowhere/redis' } })).rejects.toThrow(
      /Redis did not start .*\/nowhere\/redis/,
    )
  })

  it('says why it cannot write its data, which it tries when it listens already', async () => {
    await writeFile(join(folder, 'appendonlydir'), '')
    await expect(startRedis({ dataDir: folder })).rejects.toThrow(/Redis did not start: .*append-only dir/)
  })
})

const defaultCache = join(import.meta.dirname, '../../../.cache/redis')
