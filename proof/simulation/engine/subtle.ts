/**
 * Web Crypto ends on another thread, at a time that no seed repeats. Inside the simulation each of its calls is done while
 * everything else stands still. Code outside it keeps the real one.
 */
import { acting } from './actor.ts'

const names = ['digest', 'sign', 'verify', 'importKey', 'exportKey'] as const

/** Replaces the functions of Web Crypto until the returned function is called; `aside` does the real work. */
export function replaceSubtle(aside: (run: () => Promise<unknown>) => Promise<unknown>): () => void {
  const { subtle } = globalThis.crypto
  for (const name of names) {
    const real = (subtle[name] as (...args: unknown[]) => Promise<unknown>).bind(subtle)
    const value = (...args: unknown[]) => (acting.getStore() === undefined ? real(...args) : aside(() => real(...args)))
    Object.defineProperty(subtle, name, { value, configurable: true })
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(subtle, name)
  }
}
