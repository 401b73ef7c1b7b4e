/** examples/shopify-theme as Shopify judges it: its theme check, and the limits of theme app extensions that it does not know. */
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { newFolder } from '../folders.ts'
import { examplesFolder, runProgram } from './programs.ts'

type Offense = { check: string; message: string; uri: string }
type ThemeCheck = { themeCheckRun(root: string): Promise<{ theme: { uri: string }[]; offenses: Offense[] }> }

/** https://shopify.dev/docs/apps/build/online-store/theme-app-extensions/configuration#file-and-content-size-limits */
const limits = { blocks: 30, liquidBytes: 100_000, localeBytes: 15_000, settings: 25 }

it('passes the theme check of Shopify and the published limits of theme app extensions', {
  timeout: 300_000,
}, async () => {
  const folder = newFolder('example')
  await cp(join(examplesFolder, 'shopify-theme'), folder, { recursive: true })
  await runProgram('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder })
  const main = pathToFileURL(join(folder, 'node_modules/@shopify/theme-check-node/dist/index.js'))
  const { themeCheckRun }: ThemeCheck = await import(main.href)
  const { theme, offenses } = await themeCheckRun(folder)
  const read = theme.map(({ uri }) => uri.replace(/.*(?=\/\w+\/)/, ''))
  expect(read).toEqual(expect.arrayContaining(['/blocks/sluice-sale.liquid', '/locales/zh-CN.schema.json']))
  expect(offenses).toEqual([])

  const blocks = await readdir(join(folder, 'blocks'))
  const block = await readFile(join(folder, 'blocks', blocks.join()), 'utf8')
  const [, schema = ''] = /{% schema %}([\s\S]*){% endschema %}/.exec(block) ?? []
  expect(blocks.length).toBeLessThanOrEqual(limits.blocks)
  expect(Buffer.byteLength(block)).toBeLessThanOrEqual(limits.liquidBytes)
  expect(JSON.parse(schema).settings.length).toBeLessThanOrEqual(limits.settings)
  for (const name of await readdir(join(folder, 'locales'))) {
    expect((await stat(join(folder, 'locales', name))).size, name).toBeLessThanOrEqual(limits.localeBytes)
  }

  // It finds what Shopify would refuse, so an empty list means something.
  const broken = block.replace("'sale.missing' | t", "'sale.gone' | t").replace(/{% schema %}[\s\S]*/, '')
  await writeFile(join(folder, 'blocks', blocks.join()), broken)
  const found = (await themeCheckRun(folder)).offenses.map(({ check }) => check)
  expect(found).toEqual(expect.arrayContaining(['TranslationKeyExists', 'AppBlockMissingSchema']))
})
