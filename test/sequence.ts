/**
 * The order of the test files, so that no long file is last and alone: the longest first, as long as each took before. Units
 * come after the systems, with fewer workers (`vitest.config.ts`).
 */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that long plays take, which are short files: in a new checkout a play would otherwise be last and alone. */
const longPlays: Readonly<Record<string, number>> = {
  ...{ 'marketers.soak.ts': 600, 'mutations.soak.ts': 250, 'coverage.soak.ts': 200 },
  ...{ 'many-events.soak.ts': 130, 'archive.soak.ts': 100 },
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = await Promise.all(files.map(async (file) => ({ file, length: await this.#lengthOf(file) })))
    return known.toSorted((a, b) => b.length - a.length).map(({ file }) => file)
  }

  /** In ms; any other file that never ran here counts by its size, and twice where a browser has to draw. */
  async #lengthOf(file: TestSpecification): Promise<number> {
    const seconds = longPlays[basename(file.moduleId)]
    const last = this.ctx.cache.getTestSpecificationResult(file)?.duration
    const ofSize = (await stat(file.moduleId)).size * (file.moduleId.includes('/test/browser/') ? 2 : 1)
    return last ?? (seconds === undefined ? ofSize : seconds * 1000)
  }
}
