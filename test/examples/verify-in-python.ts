/** examples/draw/verify_draw.py as tests ask it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { examplesFolder } from './programs.ts'

const jobs = `
import functools, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify_draw
# A tampered draw has most lines of the draw that was published.
verify_draw.es256_verifies = functools.lru_cache(10_000)(verify_draw.es256_verifies)
for line in sys.stdin:
    place, seen = json.loads(line)
    for name in ("heads", "steps", "receipts"):
        seen[name] = [line.encode("utf-8") for line in seen.get(name, [])]
    print(json.dumps(verify_draw.verify(place, seen)), flush=True)
`

/** The program in Python, kept running: what it says of the files at `place` to a reader who has `seen` that. */
export function startPython<Verdict>() {
  const child = spawn('python3', ['-c', jobs, join(examplesFolder, 'draw')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.stdin.end()
  })
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
  return async (place: string, seen: object): Promise<Verdict> => {
    child.stdin.write(`${JSON.stringify([place, seen])}\n`)
    const answer = await answers.next()
    if (answer.done) throw new Error(`python3 ended at ${place}`)
    return JSON.parse(answer.value) as Verdict
  }
}
