/**
 * `npm run bench -- NAME`: comparative measurements. Without a name it runs all except `peers`. Exits with 1 when a
 * target is missed.
 */
import { loadavg } from 'node:os'
import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { buildIfChanged } from '../../build.ts'
import { wholeNumberParser } from '../../cli/whole-number.ts'
import { measureDeductions } from './deductions.ts'
import { measureEdge } from './edge.ts'
import { allMet, type Measurement, measurementLines } from './harness.ts'
import { usualShoppers } from './million/clickers.ts'
import { type MillionOptions, measureMillion } from './million.ts'
import { measurePeers, type PeersOptions, usualPeers } from './peers.ts'
import { measureScripts } from './scripts.ts'
import { measureSplit } from './split.ts'

type Flags = MillionOptions & PeersOptions

const measurements: Record<string, (flags: Flags) => Promise<Measurement>> = {
  million: measureMillion,
  scripts: measureScripts,
  edge: measureEdge,
  split: measureSplit,
  peers: measurePeers,
  deductions: measureDeductions,
}

const command = new Command('bench')
  .description('Measure parts of the system against the minimum that could do the same work.')
  .addArgument(new Argument('[name]', 'what to measure').choices(Object.keys(measurements)))
  .option('--shoppers <count>', 'shoppers in `million`', wholeNumberParser(1), usualShoppers)
  .option('--jim <folder>', 'in `peers`, the sources of github.com/jimzandueta/flash-sale-demo', (folder) =>
    resolve(folder),
  )
  .option('--lug <folder>', 'in `peers`, those of github.com/lugassawan/flash-sale', (folder) => resolve(folder))
  .option('--orders <count>', 'in `peers`, orders of a round', wholeNumberParser(1), usualPeers.orders)
  .option('--every-case', 'in `million`, also the cases that take longer than two minutes together')
  .parse()
const [name] = command.args
const flags = command.opts<Flags>()

await buildIfChanged()
const results: Measurement[] = []
for (const [each, measure] of Object.entries(measurements)) {
  // `peers` needs folders of other projects, so it runs only by name.
  if (name === undefined ? each === 'peers' : name !== each) continue
  // With other programs on the machine, the measured rates are too low.
  const [load = 0] = loadavg()
  const result = await measure(flags)
  result.lines.push({ what: 'load average of the machine before', value: load.toFixed(2) })
  results.push(result)
  console.log(`\n${measurementLines(result)}`)
}
process.exitCode = allMet(results) ? 0 : 1
