/**
 * `npm run bench -- scripts|deductions|deducting|gate|cold|million|edge|bundles|packets|path|reserve|writer|
 * contention|databases|recover|report|sales|sharding|split|draw|at-once|console|peers [--json]`: comparative measurements,
 * all of them but `peers` when none is named. Exit code 1 when one missed its target.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { buildIfChanged } from '../../build.ts'
import { wholeFrom } from '../rush/command.ts'
import { type AtOnceOptions, measureAtOnce, usualAtOnce } from './at-once.ts'
import { measureBeside, usualRounds } from './beside.ts'
import { measureBundles } from './bundles.ts'
import { measureCold } from './cold.ts'
import { measureConsole } from './console.ts'
import { measureContention } from './contention.ts'
import { measureDatabases } from './databases.ts'
import { measureDeducting } from './deducting.ts'
import { measureDeductions } from './deductions.ts'
import { measureDraw } from './draw.ts'
import { measureEdge } from './edge.ts'
import { measureGate } from './gate.ts'
import { allMet, type Measurement, measurementLines } from './harness.ts'
import { usualShoppers } from './million/clickers.ts'
import { type MillionOptions, measureMillion, usualGates } from './million.ts'
import { measurePackets } from './packets.ts'
import { measurePath } from './path.ts'
import { measurePeers, type PeersOptions, usualPeers } from './peers.ts'
import { loadOfOthers, type MachineLoad, readLoad } from './processor-time.ts'
import { measureRecover } from './recover.ts'
import { measureReport } from './report.ts'
import { measureReserve } from './reserve.ts'
import { measureSales } from './sales.ts'
import { measureScripts } from './scripts.ts'
import { measureSharding } from './sharding.ts'
import { measureSplit } from './split.ts'
import { measureWriter } from './writer.ts'

type Flags = MillionOptions & AtOnceOptions & PeersOptions & { json?: true; beside?: string; rounds: number }

const measurements: Record<string, (flags: Flags) => Promise<Measurement>> = {
  scripts: measureScripts,
  deductions: measureDeductions,
  deducting: measureDeducting,
  gate: measureGate,
  cold: measureCold,
  million: measureMillion,
  edge: measureEdge,
  bundles: measureBundles,
  packets: measurePackets,
  path: measurePath,
  reserve: measureReserve,
  writer: measureWriter,
  contention: measureContention,
  databases: measureDatabases,
  recover: measureRecover,
  report: measureReport,
  sales: measureSales,
  sharding: measureSharding,
  split: measureSplit,
  draw: measureDraw,
  'at-once': measureAtOnce,
  peers: measurePeers,
  console: measureConsole,
}

/** Says how busy other programs kept the machine: above a tenth of a processor the rates are too low. */
function withLoad(result: Measurement, before: MachineLoad | undefined, after: MachineLoad | undefined): Measurement {
  if (before === undefined || after === undefined) return result
  const value = `${loadOfOthers(before, after).toFixed(2)} of ${availableParallelism()}`
  return { ...result, lines: [...result.lines, { what: 'processors that other programs used', value }] }
}

const command = new Command('bench')
  .description('Measure parts of the system beside the minimum that could do the same work.')
  .addArgument(new Argument('[name]', 'what to measure').choices(Object.keys(measurements)))
  .option('--json', 'print the results as JSON')
  .option('--gates <count>', 'instances of the gate in `million`', wholeFrom(1), usualGates)
  .option('--shoppers <count>', 'shoppers in `million`', wholeFrom(1), usualShoppers)
  .option('--deductions <count>', 'deductions in `at-once`', wholeFrom(1), usualAtOnce.deductions)
  .option(
    '--commands <count>',
    'commands in a second of each database in `at-once`',
    wholeFrom(1),
    usualAtOnce.commands,
  )
  .option('--databases <count>', 'in `at-once`, so many alone in place of 1, 2, 4 and 8', wholeFrom(1))
  .option('--jim <folder>', 'in `peers`, the sources of github.com/jimzandueta/flash-sale-demo', (folder) =>
    resolve(folder),
  )
  .option('--lug <folder>', 'in `peers`, those of github.com/lugassawan/flash-sale', (folder) => resolve(folder))
  .option('--orders <count>', 'in `peers`, orders of a round', wholeFrom(1), usualPeers.orders)
  .option(
    '--patience <minutes>',
    'in `peers`, no system has another turn after so many minutes',
    wholeFrom(1),
    usualPeers.patience,
  )
  .option('--beside <folder>', 'measure in this folder and in another checkout in turns, and print the ratios')
  .option('--rounds <count>', 'with `--beside`, how often in each', wholeFrom(1), usualRounds)
  .option('--every-case', 'in `million`, also the cases that take longer than two minutes together')
  .parse()
const [name] = command.args
const flags = command.opts<Flags>()
const { json } = flags

/** What was given, without the options of `--beside`: for each of the two folders. */
function argsOfOne(): string[] {
  const own = new Set(['beside', 'rounds', 'json'])
  const given = command.options.filter((option) => {
    const key = option.attributeName()
    return command.getOptionValueSource(key) === 'cli' && !own.has(key)
  })
  const texts = given.flatMap((option) => {
    const value: unknown = command.opts()[option.attributeName()]
    return value === true ? [option.long ?? ''] : [option.long ?? '', String(value)]
  })
  return [...command.args, ...texts]
}

async function measureAll(): Promise<Measurement[]> {
  const { beside: folder, rounds } = flags
  if (folder !== undefined) {
    const compared = await measureBeside(argsOfOne(), { folder, rounds, print: console.error })
    if (json === undefined) for (const one of compared) console.log(`\n${measurementLines(one)}`)
    return compared
  }
  await buildIfChanged()
  const results: Measurement[] = []
  for (const [each, measure] of Object.entries(measurements)) {
    // The folders of other projects are not ours to have.
    if (name === undefined ? each === 'peers' : name !== each) continue
    const before = readLoad()
    const result = withLoad(await measure(flags), before, readLoad())
    results.push(result)
    if (json === undefined) console.log(`\n${measurementLines(result)}`)
  }
  return results
}

const results = await measureAll()
if (json) console.log(JSON.stringify(results, null, 2))
process.exitCode = allMet(results) ? 0 : 1
