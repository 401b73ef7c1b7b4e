/**
 * Builds what browsers download: scripts, styles and pictures under names that carry their
 * content's hash, so they can be cached for ever, and the pages that are the same for every sale.
 * Runs at build time only.
 */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { widgetPage } from '../core/gate/challenge.ts'
import { renderConsolePage } from './pages/console.ts'
import type { Assets } from './pages/layout.ts'
import { renderOrderPage } from './pages/orders.ts'
import { renderSignInPage } from './pages/sign-in.ts'
import { renderTurnstilePage } from './pages/turnstile.ts'
import { renderWalletPage } from './pages/wallet.ts'

/** Asset name (`sale.js`) to its address on the site (`/assets/sale.<hash>.js`). */
export type SiteManifest = Assets

/** How the bundler names what it makes. */
const byContent = '[name].[hash]'
const stable = '[name]'

const here = import.meta.dirname
const styles = [
  'sluice',
  'variants',
  'gallery',
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
]
/** Linked from a page that is no part of a build of the site. */
const stableStyles = ['plain']
const scripts = [
  'sale',
  'coupon',
  'variants',
  'rain',
  'shop',
  'orders',
  'wallet',
  'challenge',
  'challenge-worker',
  'turnstile',
]

/** Each view of the console is a file of its own, and so are its words in each language. */
const part = 'part-'
const inParts = { splitting: true, chunkNames: `${part}[name].[hash]` } as const

/**
 * Modules of words whose exported values are computed here, so that a script has the values and not what they are
 * computed from.
 */
const evaluatedWords: Plugin = {
  name: 'evaluated-words',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]messages[\\/]console[\\/](?:english|chinese|kind-keys)\.ts$/ }, async (loaded) => {
      const values: object = await import(loaded.path)
      const lines = Object.entries(values).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
      )
      return { contents: lines.join('\n') }
    })
  },
}

/**
 * Builds into `outDir` what every deployment uploads, and returns its manifest. The shop's pages of
 * sales, and its first page, are not among it: they are published while the shop runs.
 */
export async function buildSite(outDir: string): Promise<SiteManifest> {
  const assetsDir = path.join(outDir, 'assets')
  await rm(assetsDir, { recursive: true, force: true })
  await mkdir(path.join(assetsDir, 'pictures'), { recursive: true })

  const manifest = Object.fromEntries([
    ...(await bundle(outDir, { scripts, styles }, byContent)),
    ...(await bundle(outDir, { scripts: ['console'] }, byContent, inParts)),
    ...(await pictures(assetsDir)),
  ])
  await bundle(outDir, { styles: stableStyles }, stable)
  await writePage(outDir, 'orders/index.html', renderOrderPage(manifest, {}))
  await writePage(outDir, 'wallet/index.html', renderWalletPage(manifest, {}))
  await writePage(outDir, 'console/index.html', renderConsolePage(manifest))
  await writePage(outDir, `${widgetPage.slice(1)}index.html`, renderTurnstilePage(manifest))
  return manifest
}

/**
 * Builds into `outDir` the sign-in page of one machine, where any name will do. It stands on the
 * site with that manifest, whose styles it uses; all pages lead to its address, and in a deployment
 * that is where your own sign-in answers.
 */
export async function buildLocalSignIn(outDir: string, site: SiteManifest): Promise<void> {
  const script = await bundle(outDir, { scripts: ['sign-in'] }, byContent)
  await writePage(outDir, 'sign-in/index.html', renderSignInPage({ ...site, ...Object.fromEntries(script) }))
}

async function bundle(
  outDir: string,
  { scripts = [], styles = [] }: { scripts?: readonly string[]; styles?: readonly string[] },
  entryNames: typeof byContent | typeof stable,
  parts: typeof inParts | undefined = undefined,
): Promise<[string, string][]> {
  const uplotCss = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css')
  const { metafile } = await build({
    entryPoints: [
      ...scripts.map((name) => ({ in: path.join(here, 'client', `${name}.ts`), out: name })),
      ...styles.map((name) => ({ in: path.join(here, 'styles', `${name}.css`), out: name })),
    ],
    alias: { 'uplot.css': uplotCss },
    outdir: path.join(outDir, 'assets'),
    entryNames,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [evaluatedWords],
    ...parts,
  })
  // The script that loads a part names it, so no page does.
  return Object.entries(metafile.outputs)
    .filter(([file]) => !path.basename(file).startsWith(part))
    .map(([file, { entryPoint }]) => {
      const name = path.basename(entryPoint ?? file).replace(/\.ts$/, '.js')
      return [name, `/assets/${path.basename(file)}`]
    })
}

/** A small picture as an address that needs no request. */
const dataAddress = (content: Buffer) => `data:image/svg+xml;base64,${content.toString('base64')}`

/**
 * The icon and the demo pictures: hashed like every asset, and also under stable names, because a
 * sale's definition refers to its picture and outlives a build, and so does the page where there is
 * nothing, with the icon. Pages have the icon in them: its request would cost more than its bytes.
 */
async function pictures(assetsDir: string): Promise<[string, string][]> {
  const from = path.join(here, 'pictures')
  const files = (await readdir(from)).filter((file) => file.endsWith('.svg'))
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      const content = await readFile(path.join(from, file))
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
      const hashed = `${path.basename(file, '.svg')}.${hash}.svg`
      await copyFile(path.join(from, file), path.join(assetsDir, 'pictures', file))
      if (file === 'icon.svg') return [file, dataAddress(content)]
      await copyFile(path.join(from, file), path.join(assetsDir, hashed))
      return [file, `/assets/${hashed}`]
    }),
  )
}

async function writePage(outDir: string, name: string, page: string): Promise<void> {
  const file = path.join(outDir, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, page)
}
