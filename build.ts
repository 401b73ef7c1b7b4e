/**
 * Builds everything that is deployed, and that the local system and the tests run: `dist/site/` for the bucket,
 * `dist/functions/<name>/handler.mjs` for Lambda, `dist/edge/` for the gate on Lambda@Edge and the CloudFront Functions;
 * programs of options as `dist/<name>.mjs`; and `dist/local/`, the sign-in page that only one machine has. `npm run build`.
 */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { type BuildOptions, build as bundle, type Metafile, type OutputFile, type Plugin, transformSync } from 'esbuild'
import { generatePreGate } from './edge/pre-gate.ts'
import { generateSitePaths } from './edge/site-paths.ts'
import { apiFiles, buildLocalSignIn, buildSite, elementsFile, evaluatedMessages } from './static/build.ts'
import { nodeVersions } from './system/functions.ts'
import { pageHeaders } from './system/site-headers.ts'
import { releaseFile } from './system/site-objects.ts'
import { languages } from './templates/messages/catalogues.ts'
import { renderMissingPage } from './templates/pages/plain-page.ts'

const root = import.meta.dirname
export const dist = join(root, 'dist')

/**
 * Scripts of Redis as text, without what is written for people: the gate may weigh only so much.
 */
const luaText: Plugin = {
  name: 'lua-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.lua$/ }, async ({ path }) => ({
      contents: forRedis(await readFile(path, 'utf8')),
      loader: 'text',
    }))
  },
}

/**
 * Comments of our scripts are a block at the head, or lines of their own; no text of theirs begins
 * with spaces.
 */
function forRedis(lua: string): string {
  return lua
    .replace(/^--\[\[[\s\S]*?\]\]\n/gm, '')
    .replace(/^ +/gm, '')
    .replace(/^--.*\n/gm, '')
}

/**
 * `node:http` as its CommonJS module. When it is imported as an ES module Node reads all of its exports, and for one of
 * them, WebSocket, it loads its other HTTP client: 40 ms of processor time in a cold start.
 */
const httpAlone: Plugin = {
  name: 'http-alone',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?http$/ }, () => ({ path: 'http', namespace: 'built-in' }))
    onLoad({ filter: /.*/, namespace: 'built-in' }, () => ({
      contents: `module.exports = process.getBuiltinModule('node:http')`,
    }))
  },
}

/** Shared by all bundles: one ES module per entry, for the Node of Lambda. */
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  // Libraries that come in two forms are taken as ES modules. esbuild would take CommonJS for Node,
  // of which nothing can be left out that is not used, and which finds no require() in an ES
  // module.
  mainFields: ['module', 'main'],
  target: `node${nodeVersions.functions}`,
  minify: true,
  sourcemap: 'external',
  // A stack needs names and lines; what stands in those lines is in the repository. The maps weigh
  // a third so.
  sourcesContent: false,
  legalComments: 'none',
  plugins: [luaText, evaluatedMessages('function'), httpAlone],
  logLevel: 'silent',
} satisfies BuildOptions

/**
 * Parts that a function loads at their first use are `<name>.mjs` beside its `handler.mjs`: Stripe's adapter and client,
 * and the templates of pages with their texts in all languages. One bundle of each part for all functions: code
 * splitting would need a build for each, and take seconds.
 */
export const stripePart = 'stripe'
const laterParts: Readonly<Record<string, string>> = {
  [stripePart]: 'functions/orders/payments/stripe.ts',
  templates: 'functions/sales/publishing/templates.ts',
}

const partsBeside: Plugin = {
  name: 'parts-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/\w+\.ts$/ }, ({ kind, path, resolveDir }) => {
      const name = basename(path, '.ts')
      const isPart = kind === 'dynamic-import' && laterParts[name] === relative(root, join(resolveDir, path))
      return isPart ? { path: `./${name}.mjs`, external: true } : undefined
    })
  },
}

/**
 * The decoder of pictures in its WebAssembly form, which runs on every processor: Lambda has arm64, and
 * npm installs the binary of the machine that builds. It is `sharp.cjs` with `sharp.wasm` beside the one
 * handler that decodes. Its JavaScript starts threads by its own name, so it stays a file of its own.
 */
export const sharpPart = 'sharp'

const sharpBeside: Plugin = {
  name: 'sharp-beside',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]sharp[\\/]dist[\\/]sharp\.mjs$/ }, () => ({
      contents: `import { createRequire } from 'node:module'
export default createRequire(import.meta.url)('./${sharpPart}.cjs')`,
    }))
    // These modules ask which binary fits this machine. WebAssembly has none.
    onLoad({ filter: /[\\/]sharp[\\/]dist[\\/]libvips\.mjs$/ }, () => ({
      contents: 'export default { runtimePlatformArch: () => "wasm32" }',
    }))
    onLoad({ filter: /[\\/]detect-libc[\\/]lib[\\/]detect-libc\.js$/ }, () => ({
      contents: 'export default { familySync: () => null, GLIBC: "glibc", MUSL: "musl" }',
    }))
  },
}

/**
 * Parts of Hono's class that no bundler can leave out, and that neither the gate nor a function calls: mounting
 * another app, and reading forms from a Request. They weigh 2.5 kB; in their place stands a
 * function that throws.
 */
const honoWithoutForms: Plugin = {
  name: 'hono-without-forms',
  setup({ onLoad }) {
    const absent: Readonly<Record<string, string>> = { mount: 'createMountedRequest', body: 'parseBody' }
    onLoad({ filter: /[\\/]hono[\\/]dist[\\/]utils[\\/](?:mount|body)\.js$/ }, ({ path }) => {
      const name = absent[basename(path, '.js')]
      return { contents: `export const ${name} = () => { throw new Error('${name} is not in this bundle') }` }
    })
  },
}

/**
 * The SDK loads the code of its event streams where an answer is one, which no call of ours has. esbuild
 * would put those 20 kB into the bundle of every function that uses SQS.
 */
const withoutEventStreams: Plugin = {
  name: 'without-event-streams',
  setup({ onResolve }) {
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

/**
 * A module of ours only defines: where a function uses nothing of it, it is left out, and so are the schemas at its top,
 * which are calls that a bundler cannot judge.
 */
const withoutUnusedModules: Plugin = {
  name: 'without-unused-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ kind, path, resolveDir }) =>
      kind === 'import-statement' ? { path: join(resolveDir, path), sideEffects: false } : undefined,
    )
  },
}

/**
 * Every function in one build, each with its map beside it. Node does not read the map at run time: that would take
 * a quarter of a cold import. docs/how-to/operations.md says how to read a stack with it.
 */
const functionBundles = {
  ...common,
  plugins: [...common.plugins, honoWithoutForms, partsBeside, sharpBeside, withoutEventStreams, withoutUnusedModules],
  alias: { '@aws-sdk/credential-provider-node': join(root, 'functions/lib/credentials.ts') },
  outExtension: { '.js': '.mjs' },
} satisfies BuildOptions

/** The gate, a Lambda@Edge function: its entry and its settings, without a place to put it. */
export const edgeBundle = {
  ...common,
  target: `node${nodeVersions.edge}`,
  entryPoints: ['edge/handler.ts'],
  plugins: [...common.plugins, honoWithoutForms, withoutUnusedModules],
} satisfies BuildOptions

/** Programs of options, `<name>.program.ts` of their `cli/`: each as one file, which every reader can run with Node 20 or newer. */
const programs = (): BuildOptions[] =>
  globSync('options/*/cli/*.program.ts', { cwd: root }).map((entry) => ({
    ...common,
    entryPoints: [entry],
    target: 'node20',
    sourcemap: false,
    // Its progress bar is CommonJS, and requires modules of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    outfile: join(dist, `${basename(entry, '.program.ts')}.mjs`),
  }))

/** What `dist/` is made from: our files, and libraries as the lockfile names them. */
export const sources: readonly string[] = [
  ...['build.ts', 'package-lock.json', 'tsconfig.json'],
  ...['client', 'console', 'core', 'edge', 'functions', 'languages', 'options', 'redis'],
  ...['static', 'system', 'templates', 'web'],
  ...['cli/is-main.ts', 'cli/progress.ts'],
]

/** Parts of options that are in no bundle. */
const notBuilt = /\/options\/[^/]+\/(?:test|proof|local)(?:\/|$)/

/** The file of `dist/` with the hash of what it was made from. */
const stamp = 'sources.sha256'

/** The hash of the sources below `folder`: of each name and content. */
export async function hashSources(folder: string): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  for (const source of sources) {
    const entries = await readdir(join(folder, source), { recursive: true, withFileTypes: true }).catch(ignoreFile)
    const below = entries
      ?.filter((entry) => entry.isFile() && !notBuilt.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name))
    for (const file of below?.sort() ?? [join(folder, source)]) {
      const content = await readFile(file)
      hash.update(`\n${relative(folder, file)} ${content.length}\n`).update(content)
    }
  }
  return hash.digest('hex')
}

/** True when the `dist/` of `folder` was made from its sources as they are now. */
export async function isBuilt(folder: string): Promise<boolean> {
  const built = await readFile(join(folder, 'dist', stamp), 'utf8').catch(ignoreMissing)
  return built === (await hashSources(folder))
}

/** `npm run build` builds in any case. */
export async function buildIfChanged(): Promise<void> {
  if (!(await isBuilt(root))) await build()
}

/**
 * Builds `dist/` anew. Throws with the compiler's own message when a source file is broken; the
 * former `dist/` stays in place until the new one is whole.
 */
export async function build(): Promise<void> {
  const work = join(root, `.cache/build-${process.pid}`)
  await rm(work, { recursive: true, force: true })
  try {
    // The hash comes first: a source that changes meanwhile makes the next build.
    const hash = await hashSources(root)
    await buildInto(join(work, 'new'))
    await writeFile(join(work, 'new', stamp), hash)
    await rename(dist, join(work, 'old')).catch(ignoreMissing)
    await rename(join(work, 'new'), dist).catch((failure) => ignoreSame(failure, hash))
  } finally {
    // After a failure other parts still write into it, and their leavings must not hide the reason.
    await rm(work, { recursive: true, force: true, maxRetries: 10 })
  }
}

function ignoreMissing(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== 'ENOENT') throw failure
}

/** Another build was faster, and made the same. */
async function ignoreSame(failure: NodeJS.ErrnoException, hash: string): Promise<void> {
  if (failure.code !== 'ENOTEMPTY') throw failure
  if ((await readFile(join(dist, stamp), 'utf8')) !== hash) throw failure
}

function ignoreFile(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== 'ENOTDIR') throw failure
}

async function buildInto(target: string): Promise<void> {
  await mkdir(join(target, 'edge'), { recursive: true })
  const assets = await buildSite(join(target, 'site'))
  await Promise.all([
    bundleFunctions(target, assets),
    bundleInto(target, { ...edgeBundle, outfile: join(dist, 'edge/handler.mjs') }),
    writeViewerFunctions(join(target, 'edge'), await pagesIn(join(target, 'site'))),
    buildLocalSignIn(join(target, 'local'), assets),
    ...programs().map((program) => bundleInto(target, program)),
  ])
}

async function bundleFunctions(target: string, assets: object): Promise<void> {
  const entries = Object.entries(await functionEntries())
  const { outputFiles, metafile } = await bundle({
    ...functionBundles,
    entryPoints: Object.fromEntries([
      ...entries.map(([name, source]) => [`functions/${name}/handler`, source]),
      ...Object.entries(laterParts).map(([part, source]) => [`functions/${part}/${part}`, source]),
    ]),
    outdir: dist,
    define: { SITE_ASSETS: JSON.stringify(assets) },
    metafile: true,
    write: false,
  })
  const names = entries.map(([name]) => name)
  await writeOutputs(
    target,
    outputFiles.flatMap((file) => beside(names, metafile, file)),
  )
  await bundleSharp(join(target, 'functions/pictures'))
}

async function bundleSharp(folder: string): Promise<void> {
  const decoder = dirname(createRequire(import.meta.url).resolve('@img/sharp-wasm32/sharp.node'))
  const files = await readdir(join(decoder, 'lib'))
  const [code, wasm] = ['.js', '.wasm'].map((end) => files.find((file) => file.endsWith(end)))
  if (code === undefined || wasm === undefined) throw new Error(`${decoder} has no decoder of pictures`)
  const { outputFiles } = await bundle({
    ...common,
    entryPoints: [join(decoder, 'lib', code)],
    format: 'cjs',
    minify: false,
    sourcemap: false,
    outfile: join(folder, `${sharpPart}.cjs`),
    write: false,
  })
  for (const { path, text } of outputFiles) {
    await writeFile(path, text.replaceAll(wasm, `${sharpPart}.wasm`))
  }
  await copyFile(join(decoder, 'lib', wasm), join(folder, `${sharpPart}.wasm`))
}

function loads({ outputs }: Metafile, name: string, part: string): boolean {
  const { imports = [] } = outputs[`dist/functions/${name}/handler.mjs`] ?? {}
  return imports.some(({ path }) => path === `./${part}.mjs`)
}

/** The file, or for one of a part its copies beside the handlers that load it. */
function beside(names: readonly string[], metafile: Metafile, { path, contents }: Output): Output[] {
  const folder = dirname(path)
  const part = basename(folder)
  if (!Object.hasOwn(laterParts, part)) return [{ path, contents }]
  return names
    .filter((name) => loads(metafile, name, part))
    .map((name) => ({ path: join(dirname(folder), name, basename(path)), contents }))
}

/**
 * Bundles for `dist/`, because maps name our files as seen from there, and writes what belongs
 * there to `target`.
 */
async function bundleInto(target: string, options: BuildOptions): Promise<void> {
  const { outputFiles } = await bundle({ ...options, write: false })
  await writeOutputs(target, outputFiles)
}

type Output = Pick<OutputFile, 'path' | 'contents'>

async function writeOutputs(target: string, files: readonly Output[]): Promise<void> {
  for (const { path, contents } of files) {
    const name = relative(dist, path)
    refuseHeavyBundle(name, contents.length)
    await mkdir(join(target, dirname(name)), { recursive: true })
    await writeFile(join(target, name), contents)
  }
}

/**
 * CloudFront rejects viewer functions that are larger. The other limits are ours: each new instance
 * makes its first shopper wait for the import. Near the gate's limit, `npm run bench -- edge` shows
 * the bytes by library: first look for a library that came in with an import, then move a check
 * that needs it behind the gate. Raise a limit only with a measured cold import: at most 60 ms
 * at the edge, 150 ms elsewhere.
 */
export const viewerFunctionLimitBytes = 10_000
export const edgeBundleLimitBytes = 140_000

/** The most that a bundle may weigh, by its file in `dist/`. */
export const bundleLimitsBytes: Readonly<Record<string, number>> = {
  'edge/handler.mjs': edgeBundleLimitBytes,
  'functions/reserve/handler.mjs': 362_500,
}

/** Throws when `file` of `dist/` has a limit and more bytes than that. */
export function refuseHeavyBundle(file: string, bytes: number): void {
  const limit = bundleLimitsBytes[file]
  if (limit !== undefined && bytes > limit) throw new Error(`${file} has ${bytes} bytes; its limit is ${limit}.`)
}

/** The names of the built pages. */
async function pagesIn(site: string): Promise<string[]> {
  const files = await readdir(site, { recursive: true })
  return files.filter((file) => file.endsWith('.html')).sort()
}

/**
 * A generated viewer function without comments and spaces, and with short names inside its functions. Each function and
 * table keeps its name and is one line, so that a reviewer can compare two deployed files.
 */
function withoutSpaces(source: string): string {
  const [imports = '', ...parts] = source.split(/^(?=const |function |async function )/m)
  // Members are written as `{ a: a }`, because CloudFront does not know `{ a }`.
  const options = { minifyWhitespace: true, minifyIdentifiers: true, supported: { 'object-extensions': false } }
  // Each part by itself: esbuild renames a variable that has the name of another part.
  return imports + parts.map((part) => transformSync(part, options).code).join('')
}

/** The first page of the shop and the name of the release are published later. */
async function writeViewerFunctions(target: string, pages: readonly string[]): Promise<void> {
  const objects = ['index.html', ...pages, ...apiFiles, elementsFile, releaseFile].map((name) => `/${name}`)
  const missingPages = Object.fromEntries(languages.map((one) => [one, renderMissingPage(one)]))
  const site = { objects, missingPages, headers: pageHeaders }
  const sitePaths = await readFile(join(root, 'edge/site-paths.js'), 'utf8')
  const preGate = await readFile(join(root, 'edge/pre-gate.js'), 'utf8')
  const clock = await readFile(join(root, 'edge/clock.js'), 'utf8')
  const sources = {
    'site-paths.js': withoutSpaces(generateSitePaths(sitePaths, site)),
    'pre-gate.js': withoutSpaces(generatePreGate(preGate)),
    'clock.js': clock,
  }
  for (const [name, source] of Object.entries(sources)) {
    const bytes = Buffer.byteLength(source)
    if (bytes > viewerFunctionLimitBytes) {
      throw new Error(`edge/${name} has ${bytes} bytes; CloudFront accepts ${viewerFunctionLimitBytes}.`)
    }
    await writeFile(join(target, name), source)
  }
}

/**
 * Every Lambda function: its name, and the file that is its entry,
 * `functions/entries/<name>.handler.ts` or that of an option, from the root.
 */
export async function functionEntries(): Promise<Record<string, string>> {
  const files = globSync(`{functions,options/*/functions}/**/*${handlerSuffix}`, { cwd: root })
  return Object.fromEntries(files.map((file) => [basename(file, handlerSuffix), file]).sort())
}

const handlerSuffix = '.handler.ts'

if (import.meta.main) {
  const startedAt = performance.now()
  await build()
  console.log(`Built dist/ in ${Math.round(performance.now() - startedAt)} ms`)
}
