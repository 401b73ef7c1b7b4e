/**
 * The order of the test files. Files that use a whole system come first, the longest of them first, since half of
 * their time they wait; the short unit tests fill the processors at the end, so that no long file is last and alone.
 */
import { stat } from 'node:fs/promises'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = await Promise.all(
      files.map(async (file) => ({ file, bytes: (await stat(file.moduleId)).size })),
    )
    const known = ({ file, bytes }: (typeof sizes)[number]) => ({
      file,
      isUnit: file.project.name === 'units',
      // A file that never ran here counts by its size.
      length: this.ctx.cache.getTestSpecificationResult(file)?.duration ?? bytes,
    })
    return sizes
      .map(known)
      .toSorted((a, b) => Number(a.isUnit) - Number(b.isUnit) || b.length - a.length)
      .map(({ file }) => file)
  }
}
