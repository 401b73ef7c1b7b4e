/**
 * The code of each function without the parts that it never calls, readable: the source file is named
 * before each part. Built once for all files of a process.
 */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { functionEntries } from '../../build.ts'

let built: Promise<ReadonlyMap<string, string>> | undefined

export function readableBundles(): Promise<ReadonlyMap<string, string>> {
  built ??= bundled()
  return built
}

async function bundled(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
    entryPoints: await functionEntries(),
    bundle: true,
    write: false,
    outdir: 'out',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'only-what-is-read',
        setup(bundle) {
          bundle.onResolve({ filter: /\/core\/|telemetry\.powertools\.ts$|\.lua$/ }, ({ path }) => ({
            path,
            external: true,
            sideEffects: false,
          }))
        },
      },
    ],
  })
  return new Map(outputFiles.map(({ path, text }) => [basename(path, '.js'), text]))
}
