/** The size of the edge function's bundle, by the source of its parts. */
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { edgeBundle } from '../../../build.ts'

export type EdgeWeight = Weight & {
  /** Bytes by library, `own` for the project's files, the largest first. */
  parts: readonly [name: string, bytes: number][]
  /** Source files with code in the bundle, relative to the project's root. */
  files: readonly string[]
  /** Bytes of each of these files. */
  fileBytes: Readonly<Record<string, number>>
}

const library = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** Builds with the settings of `npm run build`, without writing files. */
export async function weighBundle(): Promise<EdgeWeight> {
  const { outputFiles, metafile } = await build({
    ...edgeBundle,
    outfile: 'handler.mjs',
    write: false,
    metafile: true,
  })
  const code = outputFiles.find(({ path }) => path.endsWith('.mjs'))
  const output = metafile.outputs['handler.mjs']
  if (code === undefined || output === undefined) throw new Error('the build made no handler.mjs')
  const parts = new Map<string, number>()
  const shipped = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  for (const [file, { bytesInOutput }] of shipped) {
    const part = library.exec(file)?.[1] ?? 'own'
    parts.set(part, (parts.get(part) ?? 0) + bytesInOutput)
  }
  return {
    ...weightOf(code.contents),
    parts: [...parts].sort(([, a], [, b]) => b - a),
    files: shipped.map(([file]) => file),
    fileBytes: Object.fromEntries(shipped.map(([file, { bytesInOutput }]) => [file, bytesInOutput])),
  }
}

/** The size of a bundle, plain and compressed. */
export type Weight = { bytes: number; gzipBytes: number }

export function weightOf(code: Uint8Array): Weight {
  return { bytes: code.length, gzipBytes: gzipSync(code, { level: 9 }).length }
}
