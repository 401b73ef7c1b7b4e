/**
 * The order of the test files, so that both processors are busy to the end. A file with a whole system waits for half of
 * its time, for a page or for a queue. So all workers but one begin with these, the longest first, and that one with
 * unit tests, which only compute. No long file is last and alone.
 */
import { stat } from 'node:fs/promises'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = await Promise.all(files.map(async (file) => ({ file, length: await this.#lengthOf(file) })))
    const sorted = known.toSorted((a, b) => b.length - a.length)
    const units = sorted.filter(({ file }) => file.project.name === 'units')
    const systems = sorted.filter(({ file }) => file.project.name !== 'units')
    // Vitest gives the next file to the worker that is free first. A worker that changes the kind of its files starts anew.
    const freeAt = Array.from({ length: Number(files[0]?.project.config.maxWorkers ?? 1) }, () => 0)
    return sorted.flatMap(() => {
      const worker = freeAt.indexOf(Math.min(...freeAt))
      const [first, second] = worker === freeAt.length - 1 ? [units, systems] : [systems, units]
      const next = first.shift() ?? second.shift()
      if (next === undefined) return []
      freeAt[worker] = (freeAt[worker] ?? 0) + next.length
      return [next.file]
    })
  }

  /** In ms; a file that never ran here counts by its size. */
  async #lengthOf(file: TestSpecification): Promise<number> {
    return this.ctx.cache.getTestSpecificationResult(file)?.duration ?? (await stat(file.moduleId)).size
  }
}
