/**
 * Builds everything that is deployed, and that the local system and the tests run: `dist/site/` for the bucket,
 * `dist/functions/<name>/handler.mjs` for Lambda, `dist/edge/` for Lambda@Edge and the CloudFront Function.
 * `npm run build`.
 */
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build as bundle } from 'esbuild'
import { buildSite } from './static/build.ts'

const root = import.meta.dirname
export const dist = join(root, 'dist')

/** Shared by all bundles: one ES module per entry, for the Node of Lambda, scripts of Redis as text. */
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  sourcemap: 'external',
  legalComments: 'none',
  loader: { '.lua': 'text' },
  logLevel: 'silent',
  // Libraries that still call require() find none in an ES module unless we make one.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
} satisfies BuildOptions

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
    bundle({ ...common, entryPoints: ['edge/handler.ts'], outfile: join(target, 'edge/handler.mjs') }),
    copyFile(join(root, 'edge/site-paths.js'), join(target, 'edge/site-paths.js')),
  ])
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
