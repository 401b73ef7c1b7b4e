/**
 * `npm run check`: each part runs, also after one that failed, so that one run shows all that is to mend. With the name of a
 * report, `rules-report` or `missing-texts`, that one alone. Exits 1 when any failed.
 */
import { spawnSync } from 'node:child_process'

const parts = [
  'tsc',
  'tsc -p static',
  'tsc -p client --noEmit',
  'tsc -p examples/bridge',
  'biome ci .',
  'knip --no-progress',
  'knip --no-progress --production --include files',
  'node checks/main.ts',
]

const [report, ...tags] = process.argv.slice(2)
const failed = (report === undefined ? parts : [`node checks/${report}.ts ${tags.join(' ')}`]).filter(
  (part) => spawnSync(part, { shell: true, stdio: 'inherit' }).status !== 0,
)
for (const part of failed) console.error(`failed: ${part}`)
process.exitCode = failed.length === 0 ? 0 : 1
