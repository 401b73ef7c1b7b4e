import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { dist, hashSources, isBuilt, sources } from '../build.ts'
import { newFolder } from './folders.ts'

const root = dirname(dist)

/** A project of a few files, with the stamp that a build of it leaves. */
let folder: string
beforeEach(async () => {
  folder = newFolder('build')
  for (const source of sources) await put(/\./.test(source) ? source : `${source}/inner/a.ts`, source)
  await put('dist/sources.sha256', await hashSources(folder))
})

async function put(file: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), content)
}

describe('dist/', () => {
  it('is current while no source changes', async () => {
    expect(await isBuilt(folder)).toBe(true)
    await put('docs/guide/gate.md', 'Read on.')
    await put('test/core/sale/sale.test.ts', '')
    await put('dist/edge/handler.mjs', '')
    expect(await isBuilt(folder)).toBe(true)
  })

  it.each([
    ['a source has other content', () => put('functions/inner/a.ts', 'other')],
    ['the lockfile names another library', () => put('package-lock.json', '{}')],
    ['a source is new', () => put('templates/pages/new.ts', '')],
    ['a source is gone', () => rm(join(folder, 'redis/inner/a.ts'))],
    ['a source has another name', () => rename(join(folder, 'core/inner/a.ts'), join(folder, 'core/a.ts'))],
    ['there is none', () => rm(join(folder, 'dist'), { recursive: true })],
  ])('is built again when %s', async (_, change) => {
    await change()
    expect(await isBuilt(folder)).toBe(false)
  })

  it('is current after a build, which is the one that these tests began with', async () => {
    expect(await isBuilt(root)).toBe(true)
  })

  it('is built again for each file of ours that a bundle is made from', async () => {
    const files = await readdir(dist, { recursive: true })
    const maps = files.filter((file) => file.endsWith('.map'))
    const ours = new Set<string>()
    for (const map of maps) {
      const parts: { sources: string[] } = JSON.parse(await readFile(join(dist, map), 'utf8'))
      for (const part of parts.sources) {
        const file = relative(root, join(dist, dirname(map), part))
        const isFile = !part.startsWith('<') && !part.includes('built-in:')
        if (isFile && !file.startsWith('node_modules/')) ours.add(file.split('/')[0] ?? '')
      }
    }
    expect(ours.size).toBeGreaterThan(2)
    expect(sources).toEqual(expect.arrayContaining([...ours]))
  })
})
