import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite, type SiteManifest } from '../../static/build.ts'

let outDir: string
let manifest: SiteManifest
beforeAll(async () => {
  outDir = await mkdtemp(path.join(tmpdir(), 'sluice-site-'))
  manifest = await buildSite(outDir, { localSignIn: true })
})
afterAll(() => rm(outDir, { recursive: true }))

const file = (address: string) => readFile(path.join(outDir, address))
const named = (name: string) => file(manifest[name] ?? `missing ${name}`)

describe('the site build', () => {
  it('names every asset by its content, so that caches may keep it for ever (C2)', async () => {
    for (const [name, address] of Object.entries(manifest)) {
      const [stem, extension] = [path.parse(name).name, path.parse(name).ext.slice(1)]
      expect(address).toMatch(new RegExp(`^/assets/${stem}\\.[A-Za-z0-9]{8}\\.${extension}$`))
      await access(path.join(outDir, address))
    }
    expect(JSON.parse((await file('manifest.json')).toString())).toEqual(manifest)
  })

  it('makes the same names of the same sources', async () => {
    const again = await mkdtemp(path.join(tmpdir(), 'sluice-site-'))
    try {
      expect(await buildSite(again, { localSignIn: true })).toEqual(manifest)
    } finally {
      await rm(again, { recursive: true })
    }
  })

  it('writes the pages that are the same for every sale', async () => {
    for (const folder of ['', 'orders/', 'wallet/', 'sign-in/', 'console/']) {
      expect((await file(`${folder}index.html`)).toString()).toContain('<!doctype html>')
    }
  })

  it('leaves out the sign-in page that believes everybody, unless it is asked for', async () => {
    const deployed = await mkdtemp(path.join(tmpdir(), 'sluice-site-'))
    try {
      const made = await buildSite(deployed)
      expect(Object.keys(manifest).filter((name) => !(name in made))).toEqual(['sign-in.js'])
      await expect(access(path.join(deployed, 'sign-in'))).rejects.toThrow('ENOENT')
      const page = (await readFile(path.join(deployed, 'orders/index.html'))).toString()
      expect(page).toContain('href="/sign-in/"')
      expect(page).not.toContain('sign-out')
    } finally {
      await rm(deployed, { recursive: true })
    }
  })

  it('publishes the demo pictures under names that outlive a build', async () => {
    for (const name of ['mug', 'lamp', 'tea', 'sneaker', 'ticket', 'packet']) {
      expect((await file(`assets/pictures/${name}.svg`)).toString()).toMatch(/^<svg /)
    }
  })

  it('keeps the sale page under 20 kB in transfer before pictures: script, style and icon (C2)', async () => {
    const parts = await Promise.all(['sale.js', 'sluice.css', 'icon.svg'].map(named))
    const bytes = parts.reduce((sum, part) => sum + gzipSync(part).length, 0)
    // The HTML itself is about 2 kB; 18 kB here leaves room for a long description.
    expect(bytes).toBeLessThan(18_000)
  })

  it('keeps the page of red packets under 25 kB in transfer before pictures, rain and all (C2)', async () => {
    const parts = await Promise.all(['rain.js', 'sluice.css', 'rain.css', 'icon.svg'].map(named))
    const bytes = parts.reduce((sum, part) => sum + gzipSync(part).length, 0)
    // The HTML itself, with the drawing of a packet in it, is about 3 kB.
    expect(bytes).toBeLessThan(22_000)
  })

  it('keeps what works a challenge out in a part of its own, under 5 kB in transfer, and its worker a file (R5)', async () => {
    const [sale, check, worker] = await Promise.all(
      ['sale.js', 'challenge.js', 'challenge-worker.js'].map(named),
    )
    expect(sale?.includes('hardwareConcurrency')).toBe(false)
    expect(check?.includes('hardwareConcurrency')).toBe(true)
    expect(gzipSync(check ?? '').length + gzipSync(worker ?? '').length).toBeLessThan(5000)
    // A classic worker takes no module, and a policy without blobs takes no other.
    expect(worker?.toString()).not.toMatch(/^import\b|\bexport\b/m)
    expect(check?.toString()).not.toMatch(/blob:|createObjectURL/)
  })

  it('gives the page of a coupon its own words, and none of them to the page of goods (C2)', async () => {
    const [sale, coupon] = await Promise.all(['sale.js', 'coupon.js'].map(named))
    expect(coupon?.includes('Get coupon')).toBe(true)
    expect(sale?.includes('Get coupon')).toBe(false)
    expect(gzipSync(coupon ?? '').length).toBeLessThan(gzipSync(sale ?? '').length + 1000)
  })

  it('loads the chart on the console only', async () => {
    expect((await named('console.js')).includes('uplot')).toBe(true)
    expect((await named('sale.js')).includes('uplot')).toBe(false)
  })

  it('uses nothing a strict content policy forbids', async () => {
    for (const name of Object.keys(manifest).filter((name) => name.endsWith('.js'))) {
      const script = (await named(name)).toString()
      expect(script, name).not.toMatch(/\beval\(|new Function\(|\.innerHTML\s*=|setAttribute\("style"/)
    }
  })
})
