/** One suite for every store of public objects. */
import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Site } from '../../functions/sales/publishing/site.ts'
import { s3Site } from '../../functions/stores/site.s3.ts'
import { memorySite } from '../../simulation/memory/site.ts'
import { startQueues } from './cloud.ts'

type Rig = {
  site: Site
  headersOf: (
    path: string,
  ) => Promise<{ contentType?: string | undefined; cacheControl?: string | undefined }>
  stop: () => Promise<void>
}

async function inMemory(): Promise<Rig> {
  const site = memorySite()
  return { site, headersOf: async (path) => site.objects.get(path) ?? {}, stop: async () => {} }
}

async function inS3(): Promise<Rig> {
  const { s3, bucket, stop } = await startQueues()
  return {
    site: s3Site(s3, bucket),
    headersOf: async (path) => {
      const head = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: path }))
      return { contentType: head.ContentType, cacheControl: head.CacheControl }
    },
    stop,
  }
}

const object = (path: string, body: string) => ({
  path,
  body,
  contentType: 'text/plain; charset=utf-8',
  cacheControl: 'public, max-age=7',
})

describe.each([
  ['memory', inMemory],
  ['S3', inS3],
])('the site in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  it('returns what was put, with its headers, and nothing else', async () => {
    await rig.site.put(object('a/b.txt', 'grüße 你好'))
    expect(await rig.site.read('a/b.txt')).toBe('grüße 你好')
    expect(await rig.headersOf('a/b.txt')).toMatchObject({
      contentType: 'text/plain; charset=utf-8',
      cacheControl: 'public, max-age=7',
    })
    expect(await rig.site.read('a/c.txt')).toBeUndefined()
  })

  it('replaces on put, keeps the first on create (C6)', async () => {
    await rig.site.put(object('p', 'one'))
    await rig.site.put(object('p', 'two'))
    expect(await rig.site.read('p')).toBe('two')
    await rig.site.create(object('c', 'one'))
    await rig.site.create(object('c', 'two'))
    expect(await rig.site.read('c')).toBe('one')
  })

  it('removes, once or twice', async () => {
    await rig.site.put(object('r', 'one'))
    await rig.site.remove('r')
    await rig.site.remove('r')
    expect(await rig.site.read('r')).toBeUndefined()
  })
})
