/** A language is one file: with it and no other change the build has its words, and pages are written in it. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const parts = ['client', 'core', 'languages', 'package.json', 'static', 'tsconfig.json']

/** Builds the site of that tree, and prints the first page of a shop that offers the new language first. */
const script = `
import { buildSite } from './static/build.ts'
import { renderIndexPage } from './static/pages/shop.ts'
const assets = await buildSite('out')
console.log(renderIndexPage([], assets, { languages: ['he', 'en'] }))`

it('adds a language that is written from right to left, as one file', async () => {
  const tree = await mkdtemp(path.join(tmpdir(), 'sluice-language-'))
  try {
    for (const part of parts) await cp(path.join(root, part), path.join(tree, part), { recursive: true })
    await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
    const texts = { shop: { 'shop.title': 'מכירות בזק' }, 'console/parts': { 'part.retry': 'שוב' } }
    const file = { name: 'עברית', partial: true, messages: texts }
    await writeFile(path.join(tree, 'languages/he.json'), JSON.stringify(file))
    await writeFile(path.join(tree, 'write.ts'), script)
    const { stdout } = await promisify(execFile)(process.execPath, ['write.ts'], { cwd: tree })
    expect(stdout).toContain('<html lang="he" dir="rtl">')
    expect(stdout).toMatch(/<h1><span data-i18n="shop.title">מכירות בזק<\/span><\/h1>/)
    expect(stdout).toMatch(/src="\/assets\/shop-he\.\w{8}\.js"/)
    // What it lacks is in English, and the switch names both languages.
    expect(stdout).toContain('No sales right now.')
    expect(stdout).toContain('data-offered="he en" data-rtl="he"')
    const built = await readdir(path.join(tree, 'out/assets'))
    const wordsOf = async (name: string) => {
      const found = built.find((one) => one.startsWith(`${name}-words-he.`))
      return readFile(path.join(tree, 'out/assets', found ?? name), 'utf8')
    }
    expect(await wordsOf('shop')).toContain('מכירות בזק')
    expect(await wordsOf('console')).toContain('שוב')
    const page = await readFile(path.join(tree, 'out/console/index.html'), 'utf8')
    expect(page).toContain('<option value="he" lang="he">עברית</option>')
  } finally {
    await rm(tree, { recursive: true })
  }
})
