/**
 * Builds the site: scripts, styles and pictures under names with the hash of their content, which caches keep for ever, and
 * the pages that do not depend on a sale.
 */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { widgetPage } from '../core/gate/challenge.ts'
import type { Language } from '../core/language.ts'
import { site } from '../options/registry/site.ts'
import * as catalogues from '../templates/messages/catalogues.ts'
import * as patterns from '../templates/messages/page-patterns.ts'
import type { PagePatterns } from '../templates/messages/patterns.ts'
import { renderAccessibilityPage } from '../templates/pages/accessibility.ts'
import { renderConsolePage } from '../templates/pages/console.ts'
import { renderCustomerPage } from '../templates/pages/customer.ts'
import type { Assets } from '../templates/pages/layout.ts'
import { renderOrderPage } from '../templates/pages/orders.ts'
import { renderSignInPage } from '../templates/pages/sign-in.ts'
import { renderTurnstilePage } from '../templates/pages/turnstile.ts'
import { renderWalletPage } from '../templates/pages/wallet.ts'
import { llmsText } from './api/calls.ts'
import { describeApi } from './api/openapi.ts'
import { renderApiPage } from './api/page.ts'
import type { SiteSeam } from './seams.ts'

/** The files of the API description. */
export const apiFiles = ['openapi.json', 'llms.txt'] as const

/** The name under which pages of other sites load the elements. */
export const elementsFile = 'elements.js'

/** The limit of its size after gzip, client included: other people's pages wait for it. */
export const elementsLimitBytes = 10_500

/** The script of Swagger UI, as its package ships it. */
const swaggerUi = createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js')

const ofOptions: readonly SiteSeam[] = Object.values(site)

/** Patterns for the names of outputs. */
const byContent = '[name].[hash]'
const stable = '[name]'

const here = import.meta.dirname
const styles = [
  'sluice',
  'variants',
  'gallery',
  'languages',
  'check',
  'no-script',
  'shop',
  'orders',
  'rain',
  'wallet',
  'forms',
  'console',
  'sale-form',
  'turnstile',
  'developers',
  'plain',
  ...ofOptions.flatMap((one) => one.styles ?? []),
]
/** Styles for pages outside of the site's build, which do not know the hashes. */
const stableStyles = ['plain']
/** Scripts that are built once for each language, with its words. */
const localizedScripts = [
  ...['sale', 'coupon', 'variants', 'rain', 'shop', 'orders', 'wallet', 'customer'],
  'accessibility',
  ...ofOptions.flatMap((one) => one.localized ?? []),
]
const scripts = [
  ...['challenge', 'challenge-worker', 'turnstile', 'developers', 'coupon-qr'],
  ...['own-data', 'follow-credit', 'wallet-coupons', 'sale-zone'],
  ...ofOptions.flatMap((one) => one.scripts ?? []),
]

/** The word files, one for each language, by the names under which scripts load them. */
const wordFiles = {
  ...Object.assign({}, ...ofOptions.map((one) => one.words)),
  sale: patterns.salePatterns,
  coupon: patterns.couponPatterns,
  variants: patterns.variantPatterns,
  rain: patterns.rainPatterns,
  'sale-later': patterns.saleLaterPatterns,
  shop: patterns.shopPatterns,
  orders: patterns.ordersPatterns,
  'own-data': patterns.ownDataPatterns,
  save: patterns.savePatterns,
  accessibility: patterns.accessibilityPatterns,
  wallet: patterns.walletPatterns,
  'wallet-coupons': patterns.couponCodePatterns,
  customer: patterns.customerPatterns,
  console: patterns.consolePatterns,
  'console-later': patterns.consoleLaterPatterns,
}

/** The prefix of chunks. Each view of the console is a chunk. */
const part = 'part-'
const inParts = { splitting: true, chunkNames: `${part}[name].[hash]` } as const

/**
 * Replaces the message modules by the values that they export. A script gets the patterns of its language and only the keys
 * of catalogues; a function gets the texts.
 */
export const evaluatedMessages = (target: { script: Language | undefined } | 'function'): Plugin => ({
  name: 'evaluated-messages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]messages[\\/]catalogues\.ts$/ }, async ({ path: file }) => {
      const values = Object.entries<object>(await import(file))
      return { contents: target === 'function' ? allCatalogues(values) : values.map(scriptExport).join('\n') }
    })
    onLoad({ filter: /[\\/]messages[\\/].*-(?:patterns|keys)\.ts$/ }, async ({ path: file }) => {
      const language = file.endsWith('-patterns.ts') && target !== 'function' ? target.script : undefined
      const values = Object.entries<Record<string, unknown>>(await import(file))
      return {
        contents: values
          .map(([name, value]) => exported(name, language ? { [language]: value[language] } : value))
          .join('\n'),
      }
    })
  },
})

const exported = (name: string, value: unknown): string => `export const ${name} = ${JSON.stringify(value)}`

const isCatalogue = (name: string) => /(?:Messages|Texts|Problems)$/.test(name)

/** Returns an export of the catalogues for a script, where each text is its key. */
const scriptExport = ([name, value]: [string, object]): string =>
  isCatalogue(name)
    ? `export const ${name} = /* @__PURE__ */ new Proxy({}, { get: (_, key) => key })`
    : exported(name, value)

/** Returns all catalogues with each text once, so that tree shaking keeps only the texts in use. */
function allCatalogues(values: readonly [string, object][]): string {
  const names = new Map<unknown, string>()
  const lines = values.map(([name, value]) => {
    if (!isCatalogue(name)) return exported(name, value)
    const texts = Object.entries(value).map(([key, text]) => {
      if (!names.has(text)) names.set(text, `t${names.size}`)
      return `${JSON.stringify(key)}: ${names.get(text)}`
    })
    return `export const ${name} = { ${texts.join(', ')} }`
  })
  const texts = [...names].map(([text, name]) => `const ${name} = ${JSON.stringify(text)}`)
  return [...texts, ...lines].join('\n')
}

/**
 * Patches two libraries. Preact must not set HTML from text, which no component uses. uPlot throws on load at a malformed
 * browser language, which the charts do not use.
 */
const patchedLibraries: Plugin = {
  name: 'patched-libraries',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:preact\.mjs|uPlot\.esm\.js)$/ }, async (loaded) => {
      const source = await readFile(loaded.path, 'utf8')
      const contents = source.replace(/\w+\.innerHTML=\w+\.__html/, '0').replace(/\bnav\.language\b/, "'en'")
      if (contents === source) throw new Error(`${loaded.path} changed: correct static/build.ts`)
      return { contents }
    })
  },
}

/**
 * Builds the site into `outDir` and returns its manifest. The running shop publishes the pages of sales and the first page
 * itself.
 */
export async function buildSite(outDir: string): Promise<Assets> {
  const assetsDir = path.join(outDir, 'assets')
  await rm(assetsDir, { recursive: true, force: true })
  await mkdir(path.join(assetsDir, 'pictures'), { recursive: true })

  const localized = catalogues.languages.map((language) =>
    bundle(outDir, { scripts: localizedScripts, language }, byContent),
  )
  const [wordsHash, wordEntry] = await words(assetsDir)
  const elements = await bundleElements(wordsHash)
  const manifest = Object.fromEntries([
    ...(await bundle(outDir, { scripts, styles }, byContent)),
    ...(await bundle(outDir, { scripts: ['console'] }, byContent, inParts)),
    wordEntry,
    ...(await Promise.all(localized)).flat(),
    ...(await pictures(assetsDir)),
    await writeAsset(assetsDir, elementsFile, elements),
    await writeAsset(assetsDir, 'swagger-ui.js', await readFile(swaggerUi)),
  ])
  await writePage(outDir, elementsFile, elements)
  await bundle(outDir, { styles: stableStyles }, stable)
  await writePage(outDir, 'orders/index.html', renderOrderPage(manifest, {}))
  await writePage(outDir, 'wallet/index.html', renderWalletPage(manifest, {}))
  await writePage(outDir, 'customer/index.html', renderCustomerPage(manifest, {}))
  await writePage(outDir, 'accessibility/index.html', renderAccessibilityPage(manifest, {}))
  for (const { pages = {} } of ofOptions)
    for (const [file, render] of Object.entries(pages)) await writePage(outDir, file, render(manifest))
  const { version } = JSON.parse(await readFile(path.join(here, '../package.json'), 'utf8')) as { version: string }
  const api = describeApi(version)
  await writePage(outDir, 'developers/index.html', renderApiPage(manifest, api))
  const texts = { 'openapi.json': JSON.stringify(api), 'llms.txt': llmsText(api) }
  for (const file of apiFiles) await writePage(outDir, file, texts[file])
  await writePage(outDir, 'console/index.html', renderConsolePage(manifest))
  await writePage(outDir, `${widgetPage.slice(1)}index.html`, renderTurnstilePage(manifest))
  return manifest
}

/**
 * Builds the local sign-in page, which accepts any name, into `outDir`. It uses the styles of the site with that manifest.
 * A deployment serves its own sign-in at that address.
 */
export async function buildLocalSignIn(outDir: string, site: Assets): Promise<void> {
  const script = await bundle(outDir, { scripts: ['sign-in'] }, byContent)
  await writePage(outDir, 'sign-in/index.html', renderSignInPage({ ...site, ...Object.fromEntries(script) }))
}

const forBrowsers = {
  bundle: true,
  minify: true,
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

/** Finds a script or style of the engine or of an option. */
function sourceOf(name: string): string {
  const [file] = globSync(`{static,console,options/*/static}/${name}`, { cwd: path.join(here, '..') })
  if (file === undefined) throw new Error(`neither static/ nor console/ nor an option has ${name}`)
  return path.join(here, '..', file)
}

/** `language` adds the words of that language to the scripts. */
type Sources = { scripts?: readonly string[]; styles?: readonly string[]; language?: Language }

async function bundle(
  outDir: string,
  { scripts = [], styles = [], language }: Sources,
  entryNames: typeof byContent | typeof stable,
  parts: typeof inParts | undefined = undefined,
): Promise<[string, string][]> {
  const uplotCss = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css')
  const { metafile } = await build({
    entryPoints: [
      ...scripts.map((name) => ({
        in: sourceOf(`${name}.{ts,tsx}`),
        out: language === undefined ? name : `${name}-${language}`,
      })),
      ...styles.map((name) => ({ in: sourceOf(`styles/${name}.css`), out: name })),
    ],
    alias: { 'uplot.css': uplotCss },
    outdir: path.join(outDir, 'assets'),
    entryNames,
    ...forBrowsers,
    format: 'esm',
    metafile: true,
    plugins: [evaluatedMessages({ script: language }), patchedLibraries],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    ...parts,
  })
  // Chunks are not in the manifest, because the script that loads a chunk has its name.
  return Object.entries(metafile.outputs)
    .filter(([file]) => !path.basename(file).startsWith(part))
    .map(([file]) => {
      const name = path.basename(file)
      return [name.replace(/\.\w{8}(?=\.)/, ''), `/assets/${name}`]
    })
}

/** Bundles the elements as a classic script without globals. */
async function bundleElements(wordsHash: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    ...forBrowsers,
    entryPoints: [path.join(here, '../client/elements/elements.ts')],
    format: 'iife',
    plugins: [evaluatedMessages({ script: 'en' })],
    define: { wordsHash: JSON.stringify(wordsHash) },
    write: false,
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('the bundler has made no script of the elements')
  return file.contents
}

/**
 * Writes the word files, which scripts import when the reader chooses that language. All share one hash, which is an entry
 * of the manifest. The words of the elements are JSON.
 */
async function words(assetsDir: string): Promise<[hash: string, entry: [string, string]]> {
  const files = Object.entries<PagePatterns>(wordFiles).flatMap(([page, byLanguage]) =>
    Object.entries(byLanguage).map(([language, own]) => ({
      name: `${page}-words-${language}`,
      ext: 'js',
      content: `export const words=${JSON.stringify(own)}\n`,
    })),
  )
  for (const [language, own] of Object.entries(patterns.elementPatterns)) {
    files.push({ name: `elements-words-${language}`, ext: 'json', content: JSON.stringify(own) })
  }
  const hash = hashOf(JSON.stringify(files))
  for (const { name, ext, content } of files) {
    await writeFile(path.join(assetsDir, `${name}.${hash}.${ext}`), content)
  }
  return [hash, ['words', hash]]
}

/** Returns a data URL, which needs no request. */
const dataAddress = (content: Buffer) => `data:image/svg+xml;base64,${content.toString('base64')}`

/**
 * Writes the icon and the demo pictures under hashed and under stable names, because sales and the page for missing
 * addresses outlive a build. Pages embed the icon, which is smaller than a request.
 */
async function pictures(assetsDir: string): Promise<[string, string][]> {
  const from = path.join(here, 'pictures')
  const files = (await readdir(from)).filter((file) => file.endsWith('.svg'))
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      const content = await readFile(path.join(from, file))
      await writeFile(path.join(assetsDir, 'pictures', file), content)
      if (file === 'icon.svg') return [file, dataAddress(content)]
      return writeAsset(assetsDir, file, content)
    }),
  )
}

/** Writes an asset that the bundler does not make, and returns its entry of the manifest. */
async function writeAsset(assetsDir: string, name: string, content: string | Uint8Array): Promise<[string, string]> {
  const hash = hashOf(content)
  const { name: stem, ext } = path.parse(name)
  const file = `${stem}.${hash}${ext}`
  await writeFile(path.join(assetsDir, file), content)
  return [name, `/assets/${file}`]
}

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex').slice(0, 8)

async function writePage(outDir: string, name: string, page: string | Uint8Array): Promise<void> {
  const file = path.join(outDir, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, page)
}
