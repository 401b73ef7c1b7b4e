/**
 * Builds what browsers download: scripts, styles and pictures under names that carry their content's hash, so
 * they can be cached for ever, and the pages that are the same for every sale. Runs at build time only.
 */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'
import { renderConsolePage } from './pages/console.ts'
import type { Assets } from './pages/layout.ts'
import { renderOrderPage } from './pages/orders.ts'
import { renderIndexPage } from './pages/shop.ts'
import { renderSignInPage } from './pages/sign-in.ts'
import { renderWalletPage } from './pages/wallet.ts'

/** Asset name (`sale.js`) to its address on the site (`/assets/sale.<hash>.js`). */
export type SiteManifest = Assets

/**
 * `localSignIn` (default false) adds the sign-in page of one machine, where any name will do. Without it nothing
 * is built for `/sign-in/`, to which all pages lead: a deployment serves its identity provider's page there.
 */
type SiteOptions = { localSignIn?: boolean }

const here = import.meta.dirname
const styles = ['sluice', 'shop', 'orders', 'rain', 'wallet', 'forms', 'console']
const entries = [
  'sale',
  'coupon',
  'rain',
  'shop',
  'orders',
  'wallet',
  'console',
  'challenge',
  'challenge-worker',
]

/** Builds the site into `outDir` and returns its manifest, which is also written as `manifest.json`. */
export async function buildSite(outDir: string, { localSignIn }: SiteOptions = {}): Promise<SiteManifest> {
  const assetsDir = path.join(outDir, 'assets')
  await rm(assetsDir, { recursive: true, force: true })
  await mkdir(path.join(assetsDir, 'pictures'), { recursive: true })

  const scripts = localSignIn ? [...entries, 'sign-in'] : entries
  const manifest = Object.fromEntries([...(await bundle(outDir, scripts)), ...(await pictures(assetsDir))])
  await writeFile(path.join(outDir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writePage(outDir, 'index.html', renderIndexPage([], manifest))
  await writePage(outDir, 'orders/index.html', renderOrderPage(manifest))
  await writePage(outDir, 'wallet/index.html', renderWalletPage(manifest))
  if (localSignIn) await writePage(outDir, 'sign-in/index.html', renderSignInPage(manifest))
  await writePage(outDir, 'console/index.html', renderConsolePage(manifest))
  return manifest
}

async function bundle(outDir: string, scripts: readonly string[]): Promise<[string, string][]> {
  const uplotCss = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css')
  const { metafile } = await build({
    entryPoints: [
      ...scripts.map((name) => ({ in: path.join(here, 'client', `${name}.ts`), out: name })),
      ...styles.map((name) => ({ in: path.join(here, 'styles', `${name}.css`), out: name })),
    ],
    alias: { 'uplot.css': uplotCss },
    outdir: path.join(outDir, 'assets'),
    entryNames: '[name].[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  return Object.entries(metafile.outputs).map(([file, { entryPoint }]) => {
    const name = path.basename(entryPoint ?? file).replace(/\.ts$/, '.js')
    return [name, `/assets/${path.basename(file)}`]
  })
}

/**
 * The icon and the demo pictures: hashed like every asset, and the pictures also under stable names, because
 * a sale's definition refers to its picture and outlives a build.
 */
async function pictures(assetsDir: string): Promise<[string, string][]> {
  const from = path.join(here, 'pictures')
  const files = (await readdir(from)).filter((file) => file.endsWith('.svg'))
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      const hash = createHash('sha256')
        .update(await readFile(path.join(from, file)))
        .digest('hex')
        .slice(0, 8)
      const hashed = `${path.basename(file, '.svg')}.${hash}.svg`
      await copyFile(path.join(from, file), path.join(assetsDir, hashed))
      if (file !== 'icon.svg') await copyFile(path.join(from, file), path.join(assetsDir, 'pictures', file))
      return [file, `/assets/${hashed}`]
    }),
  )
}

async function writePage(outDir: string, name: string, page: string): Promise<void> {
  const file = path.join(outDir, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, page)
}
