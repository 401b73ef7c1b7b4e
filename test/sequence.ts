/**
 * The order of the test files, so that both processors are busy to the end. Files that use a whole system come first, the
 * longest of them first, since half of their time they wait; long unit tests, which only compute, run beside the first
 * of them. The short unit tests come at the end, so that no long file is last and alone.
 */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that long plays take, which are short files: in a new checkout a play would otherwise be last and alone. */
const longPlays: Readonly<Record<string, number>> = {
  ...{ 'marketers.soak.ts': 300, 'mutations.soak.ts': 250, 'coverage.soak.ts': 200, 'checkout.soak.ts': 100 },
  ...{ 'many-events.soak.ts': 130, 'windows.soak.ts': 125, 'archive.soak.ts': 100, 'redeem.soak.ts': 40 },
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = await Promise.all(files.map(async (file) => ({ file, length: await this.#lengthOf(file) })))
    const sorted = known.toSorted((a, b) => b.length - a.length)
    const units = sorted.filter(({ file }) => file.project.name === 'units')
    const systems = sorted.filter(({ file }) => file.project.name !== 'units')
    const workers = Number(files[0]?.project.config.maxWorkers ?? 1)
    const first = systems.splice(0, workers - 1)
    // One worker computes meanwhile, and is done before the first of the others: a worker that changes between the kinds
    // of files starts anew.
    let left = first.at(-1)?.length ?? 0
    const beside = units.filter(({ length }) => {
      if (length > left) return false
      left -= length
      return true
    })
    const last = units.filter((unit) => !beside.includes(unit))
    return [...first, ...beside, ...systems, ...last].map(({ file }) => file)
  }

  /** In ms; any other file that never ran here counts by its size. */
  async #lengthOf(file: TestSpecification): Promise<number> {
    const seconds = longPlays[basename(file.moduleId)]
    const last = this.ctx.cache.getTestSpecificationResult(file)?.duration
    return last ?? (seconds === undefined ? (await stat(file.moduleId)).size : seconds * 1000)
  }
}
