/** One suite for every store of public objects. */
import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
import { s3Site } from '../../functions/entries/adapters/site.s3.ts'
import type { Site } from '../../functions/lib/shop/shop.ts'
import { switchableSite } from '../world/site.ts'
import { startQueues } from './cloud.ts'
import { describeEach } from './each.ts'

type Rig = {
  site: Site
  headersOf: (path: string) => Promise<{ contentType?: string | undefined; cacheControl?: string | undefined }>
  stop: () => Promise<void>
}

async function inMemory(): Promise<Rig> {
  const site = switchableSite()
  return {
    site,
    headersOf: async (path) => site.objects.get(path) ?? {},
    stop: async () => {},
  }
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

describeEach('the site', { memory: inMemory, S3: inS3 }, (the) => {
  it('returns what was put, with its headers, and nothing else', async () => {
    await the().site.put(object('a/b.txt', 'grüße 你好'))
    expect(await the().site.read('a/b.txt')).toBe('grüße 你好')
    expect(await the().headersOf('a/b.txt')).toMatchObject({
      contentType: 'text/plain; charset=utf-8',
      cacheControl: 'public, max-age=7',
    })
    expect(await the().site.read('a/c.txt')).toBeUndefined()
  })

  it('replaces on put, keeps the first on create (C6)', async () => {
    await the().site.put(object('p', 'one'))
    await the().site.put(object('p', 'two'))
    expect(await the().site.read('p')).toBe('two')
    await the().site.create(object('c', 'one'))
    await the().site.create(object('c', 'two'))
    expect(await the().site.read('c')).toBe('one')
  })

  it('removes, once or twice', async () => {
    await the().site.put(object('r', 'one'))
    await the().site.remove('r')
    await the().site.remove('r')
    expect(await the().site.read('r')).toBeUndefined()
  })
})
