/**
 * One whole system for all files that only visit it, so that each of them needs not start its own. Every test there makes
 * sales and shoppers of its own, and none breaks a part of the system.
 */
import type { TestProject } from 'vitest/node'
import { setup as buildOnce } from './build-once.ts'
import { startStackProcess } from './journey/stack-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    shopUrl: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildOnce()
  const shop = await startStackProcess({ demo: false })
  project.provide('shopUrl', shop.url)
  return () => shop.stop()
}
