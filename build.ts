/**
 * Builds everything that is deployed, and that the local system and the tests run: `dist/site/` for the bucket,
 * `dist/functions/<name>/handler.mjs` for Lambda, `dist/edge/` for Lambda@Edge and the CloudFront Functions.
 * `npm run build`.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build as bundle, type Plugin } from 'esbuild'
import { buildSite } from './static/build.ts'

const root = import.meta.dirname
export const dist = join(root, 'dist')

/** Scripts of Redis as text, without what is written for people: the gate may weigh only so much. */
const luaText: Plugin = {
  name: 'lua-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.lua$/ }, async ({ path }) => ({
      contents: forRedis(await readFile(path, 'utf8')),
      loader: 'text',
    }))
  },
}

/** Comments of our scripts are a block at the head, or lines of their own; no text of theirs begins with spaces. */
function forRedis(lua: string): string {
  return lua
    .replace(/^--\[\[[\s\S]*?\]\]\n/gm, '')
    .replace(/^ +/gm, '')
    .replace(/^--.*\n/gm, '')
}

/** Shared by all bundles: one ES module per entry, for the Node of Lambda. */
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  sourcemap: 'external',
  legalComments: 'none',
  plugins: [luaText],
  logLevel: 'silent',
  // Libraries that still call require() find none in an ES module unless we make one.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
} satisfies BuildOptions

/** The Lambda@Edge function: its entry and its settings, without a place to put it. Nothing in it calls require(). */
export const edgeBundle = { ...common, banner: {}, entryPoints: ['edge/handler.ts'] } satisfies BuildOptions

/**
 * Builds `dist/` anew. Throws with the compiler's own message when a source file is broken; the former `dist/`
 * stays in place until the new one is whole.
 */
export async function build(): Promise<void> {
  const work = join(root, `.cache/build-${process.pid}`)
  await rm(work, { recursive: true, force: true })
  try {
    await buildInto(join(work, 'new'))
    await rename(dist, join(work, 'old')).catch(ignoreMissing)
    await rename(join(work, 'new'), dist)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

function ignoreMissing(failure: NodeJS.ErrnoException): void {
  if (failure.code !== 'ENOENT') throw failure
}

async function buildInto(target: string): Promise<void> {
  await mkdir(join(target, 'edge'), { recursive: true })
  // This dist/ is what runs on one machine, which signs anybody in. A deployment builds the site without that page.
  const assets = await buildSite(join(target, 'site'), { localSignIn: true })
  await Promise.all([
    bundle({
      ...common,
      entryPoints: Object.fromEntries((await functionNames()).map((name) => [name, handlerOf(name)])),
      entryNames: 'functions/[name]/handler',
      outdir: target,
      outExtension: { '.js': '.mjs' },
      define: { SITE_ASSETS: JSON.stringify(assets) },
    }),
    bundle({ ...edgeBundle, outfile: join(target, 'edge/handler.mjs') }),
    copyViewerFunctions(join(target, 'edge')),
  ])
}

/**
 * CloudFront takes no function of the viewer's side that is larger. The Lambda@Edge function may weigh less than CloudFront
 * would take, because every new instance makes its first shopper wait for the import: all of it, and without the challenge's
 * library. Plain numbers leave no doubt which kilobyte is meant.
 */
export const viewerFunctionLimitBytes = 10_000
export const edgeBundleLimitBytes = 100_000
export const edgeBundleLimitWithoutVerifierBytes = 60_000

/** The scripts that CloudFront runs on the viewer's side, shipped as they are written. */
async function copyViewerFunctions(target: string): Promise<void> {
  for (const name of ['site-paths.js', 'pre-gate.js']) {
    const source = await readFile(join(root, 'edge', name))
    if (source.length > viewerFunctionLimitBytes) {
      throw new Error(
        `edge/${name} has ${source.length} bytes; CloudFront takes ${viewerFunctionLimitBytes}.`,
      )
    }
    await writeFile(join(target, name), source)
  }
}

const handlerOf = (name: string) => `functions/${name}/handler.ts`

/** A folder of functions/ with a handler.ts is a function; the others are parts that functions share. */
async function functionNames(): Promise<string[]> {
  const folders = await readdir(join(root, 'functions'), { withFileTypes: true })
  const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const isFunction = await Promise.all(
    names.map((name) =>
      stat(join(root, handlerOf(name))).then(
        () => true,
        () => false,
      ),
    ),
  )
  return names.filter((_, index) => isFunction[index])
}

if (import.meta.main) {
  const startedAt = performance.now()
  await build()
  console.log(`Built dist/ in ${Math.round(performance.now() - startedAt)} ms`)
}
