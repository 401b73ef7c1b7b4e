/** The part of cli-progress that we use; the package brings no types of its own. */
declare module 'cli-progress' {
  export type Options = {
    format: string
    stream?: NodeJS.WritableStream
    hideCursor?: boolean
    /** Plain lines when the output is no terminal. */
    noTTYOutput?: boolean
    /** Milliseconds between such lines. */
    notTTYSchedule?: number
    barCompleteChar?: string
    barIncompleteChar?: string
    barsize?: number
  }

  export class SingleBar {
    constructor(options: Options)
    start(total: number, startValue: number, payload?: Record<string, unknown>): void
    setTotal(total: number): void
    update(value: number, payload?: Record<string, unknown>): void
    stop(): void
  }

  const cliProgress: { SingleBar: typeof SingleBar }
  export default cliProgress
}
