/** Two runs that hold one draw at a time, as after a lock that was lost. */
import { describe, expect, it } from 'vitest'
import { openRandom } from '../../../../proof/simulation/engine/random.ts'
import { stepsFile } from '../../core/check-draw.ts'
import { fileLines } from '../../core/rules.ts'
import { readDecided, returnUnits, type SignLine } from '../../functions/draw-of-sale.ts'
import { randomDraw, signerOf, signLine, verifyTestRound as verifyRound } from '../core/published-draw.ts'
import { drawFilesIn } from './draw-files.ts'

const sign: SignLine = async (kind, payload) => signLine(signerOf('test-1'), kind, payload)

describe('two runs of one draw', () => {
  it('lose no line that the other has published, even if the later one has read the file since (I7)', async () => {
    const { files } = randomDraw(openRandom(3), 40, { variants: [{ units: 8 }] })
    const run = async () => {
      const ports = { files: drawFilesIn(files), sign, clock: () => 2e12, verifyRound }
      return { ports, decided: await readDecided(ports) }
    }
    const [first, second] = [await run(), await run()]
    const [one = 0, other = 0] = [...first.decided.allocation.holds]
      .filter(([, holds]) => holds)
      .map(([entry]) => entry)
    await returnUnits(first.ports, [{ entry: one, reason: 'cancelled' }], first.decided)
    const published = fileLines(files.get(stepsFile))
    await second.ports.files.read(stepsFile)
    const late = returnUnits(second.ports, [{ entry: other, reason: 'cancelled' }], second.decided)
    await expect(late).rejects.toThrow('another run has published a step')
    expect(fileLines(files.get(stepsFile))).toEqual(published)
  })
})
