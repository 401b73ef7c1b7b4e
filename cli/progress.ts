/** Shows progress on standard error, so that standard output has only the result. */
import cliProgress from 'cli-progress'

type Step = { to(done: number, note?: string): void; end(): void }
export type StartStep = (name: string, total: number) => Step

/** Starts a bar from 0 to `total`; without a terminal it prints a line every half minute. */
export const startStep: StartStep = (name, total) => {
  const bar = new cliProgress.SingleBar({
    format: `${name.padEnd(20)} {bar} {value}/{total} {note}`,
    stream: process.stderr,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 30_000,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    barsize: 30,
  })
  let max = Math.max(total, 1)
  bar.start(max, 0, { note: '' })
  return {
    to(done, note) {
      // The total may grow after the start, such as that of orders that are written meanwhile.
      max = Math.max(max, done)
      bar.setTotal(max)
      bar.update(done, note === undefined ? {} : { note })
    },
    end: () => bar.stop(),
  }
}
